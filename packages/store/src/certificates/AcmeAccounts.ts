/** The installation's accounts with certificate authorities: one for each directory, shared by all servers. */
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Secrets } from "../database/Secrets.ts"

export interface AcmeAccount {
  /** PEM. */
  readonly key: Redacted.Redacted
  /** Undefined until it is registered. */
  readonly url: string | undefined
}

export class AcmeAccounts extends Context.Service<
  AcmeAccounts,
  {
    /** The account, with `newKey` when there is none that can be opened. Of servers that come at once one key wins. */
    readonly open: (directory: string, newKey: Effect.Effect<Redacted.Redacted>) => Effect.Effect<AcmeAccount>
    /** Notes where the authority keeps the account; undefined: it knows of none. */
    readonly registered: (directory: string, url: string | undefined) => Effect.Effect<void>
    /** Leaves the authority alone until then, whichever server would ask. */
    readonly rest: (directory: string, until: EpochMillis) => Effect.Effect<void>
    /** Until when it is left alone; null: it need not be. */
    readonly restingUntil: (directory: string) => Effect.Effect<EpochMillis | null>
  }
>()("@kanmon/store/certificates/AcmeAccounts") {
  static readonly layer = Layer.effect(
    AcmeAccounts,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets

      const find = Effect.fnUntraced(function* (directory: string) {
        const [row] =
          yield* sql<AccountRow>`SELECT key_encrypted, url FROM acme_accounts WHERE directory = ${directory}`
        if (row === undefined) return undefined
        try {
          const key = Redacted.make(secrets.decrypt(row.key_encrypted, ownerOfKey(directory)), { label: "account key" })
          return { row, account: { key, url: row.url ?? undefined } }
        } catch {
          return { row, account: undefined }
        }
      })

      const open: AcmeAccounts["Service"]["open"] = Effect.fn("AcmeAccounts.open")(function* (directory, newKey) {
        const known = yield* find(directory)
        if (known?.account !== undefined) return known.account
        const key = yield* newKey
        const sealed = secrets.encrypt(Redacted.value(key), ownerOfKey(directory))
        const now = new Date(yield* Clock.currentTimeMillis)
        // Only the key that was looked at gives way: another server may have put a good one in its place meanwhile.
        yield* sql`INSERT INTO acme_accounts (directory, key_encrypted, created_at) VALUES (${directory}, ${sealed}, ${now})
          ON CONFLICT (directory) DO UPDATE SET key_encrypted = excluded.key_encrypted, url = NULL
            WHERE acme_accounts.key_encrypted = ${known?.row.key_encrypted ?? null}`
        return (yield* find(directory))?.account ?? { key, url: undefined }
      }, Effect.orDie)

      const registered: AcmeAccounts["Service"]["registered"] = Effect.fn("AcmeAccounts.registered")(
        (directory, url) => sql`UPDATE acme_accounts SET url = ${url ?? null} WHERE directory = ${directory}`,
        Effect.asVoid,
        Effect.orDie
      )

      const rest: AcmeAccounts["Service"]["rest"] = Effect.fn("AcmeAccounts.rest")(
        (directory, until) =>
          sql`UPDATE acme_accounts SET resting_until = GREATEST(resting_until, ${new Date(until)}::timestamptz)
            WHERE directory = ${directory}`,
        Effect.asVoid,
        Effect.orDie
      )

      const restingUntil: AcmeAccounts["Service"]["restingUntil"] = Effect.fn("AcmeAccounts.restingUntil")(function* (
        directory
      ) {
        const now = new Date(yield* Clock.currentTimeMillis)
        const [row] = yield* sql<{ resting_until: Date }>`SELECT resting_until FROM acme_accounts
          WHERE directory = ${directory} AND resting_until > ${now}`
        return row?.resting_until.getTime() ?? null
      }, Effect.orDie)

      return AcmeAccounts.of({ open, registered, rest, restingUntil })
    })
  )
}

interface AccountRow {
  readonly key_encrypted: string
  readonly url: string | null
}

const ownerOfKey = (directory: string): string => `acme account:${directory}`
