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

export class AcmeAccountRepository extends Context.Service<AcmeAccountRepository>()(
  "@kanmon/monitoring/custom-domains/AcmeAccountRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return {
        find: (directory: string) =>
          sql`SELECT key_encrypted, url, resting_until FROM acme_accounts WHERE directory = ${directory}`.pipe(
            Rows.first(AccountRow)
          ),
        /** Stores a new key, unless another server has stored one since `replaced` was read. */
        saveKey: (directory: string, keyEncrypted: string, replaced: string | null, now: EpochMillis) =>
          sql`INSERT INTO acme_accounts (directory, key_encrypted, created_at)
            VALUES (${directory}, ${keyEncrypted}, ${new Date(now)})
            ON CONFLICT (directory) DO UPDATE SET key_encrypted = excluded.key_encrypted, url = NULL
              WHERE acme_accounts.key_encrypted = ${replaced}`.pipe(Effect.asVoid, Effect.orDie),
        setUrl: (directory: string, url: string | null) =>
          sql`UPDATE acme_accounts SET url = ${url} WHERE directory = ${directory}`.pipe(Effect.asVoid, Effect.orDie),
        /** Extends the rest of the authority; an earlier end than the stored one changes nothing. */
        extendRest: (directory: string, until: EpochMillis) =>
          sql`UPDATE acme_accounts SET resting_until = GREATEST(resting_until, ${new Date(until)}::timestamptz)
            WHERE directory = ${directory}`.pipe(Effect.asVoid, Effect.orDie)
      }
    })
  }
) {
  static readonly layer = Layer.effect(AcmeAccountRepository, AcmeAccountRepository.make)
}
