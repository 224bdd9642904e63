/** The table `acme_accounts`, with keys encrypted. */
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

const AccountRow = Schema.Struct({
  keyEncrypted: Schema.String,
  url: Schema.NullOr(Schema.String),
  restingUntil: Schema.NullOr(Rows.Time)
}).pipe(Schema.encodeKeys({ keyEncrypted: "key_encrypted", restingUntil: "resting_until" }))

export class AcmeAccountRepository extends Context.Service<
  AcmeAccountRepository,
  {
    readonly find: (directory: string) => Effect.Effect<typeof AccountRow.Type | undefined>
    /** Stores a new key, unless another server has stored one since `replaced` was read. */
    readonly saveKey: (
      directory: string,
      keyEncrypted: string,
      replaced: string | null,
      now: EpochMillis
    ) => Effect.Effect<void>
    readonly setUrl: (directory: string, url: string | null) => Effect.Effect<void>
    /** Extends the rest of the authority; an earlier end than the stored one changes nothing. */
    readonly extendRest: (directory: string, until: EpochMillis) => Effect.Effect<void>
  }
>()("@kanmon/monitoring/custom-domains/AcmeAccountRepository") {
  static readonly layer = Layer.effect(
    AcmeAccountRepository,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return AcmeAccountRepository.of({
        find: (directory) =>
          sql`SELECT key_encrypted, url, resting_until FROM acme_accounts WHERE directory = ${directory}`.pipe(
            Rows.first(AccountRow)
          ),
        saveKey: (directory, keyEncrypted, replaced, now) =>
          sql`INSERT INTO acme_accounts (directory, key_encrypted, created_at)
            VALUES (${directory}, ${keyEncrypted}, ${new Date(now)})
            ON CONFLICT (directory) DO UPDATE SET key_encrypted = excluded.key_encrypted, url = NULL
              WHERE acme_accounts.key_encrypted = ${replaced}`.pipe(Effect.asVoid, Effect.orDie),
        setUrl: (directory, url) =>
          sql`UPDATE acme_accounts SET url = ${url} WHERE directory = ${directory}`.pipe(Effect.asVoid, Effect.orDie),
        extendRest: (directory, until) =>
          sql`UPDATE acme_accounts SET resting_until = GREATEST(resting_until, ${new Date(until)}::timestamptz)
            WHERE directory = ${directory}`.pipe(Effect.asVoid, Effect.orDie)
      })
    })
  )
}
