/** What the installation's operator does with accounts. Signing up and in belongs to the auth plugin. */
import { normalizeEmail } from "@kanmon/domain/EmailAddress"
import type { UserId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Data, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

export class AccountNotFound extends Data.TaggedError("AccountNotFound")<{ readonly email: string }> {
  override get message(): string {
    return `There is no account with the address ${this.email}`
  }
}

export interface Account {
  readonly id: UserId
  readonly email: string
  readonly name: string
  readonly emailVerified: boolean
  readonly createdAt: EpochMillis
}

export class Accounts extends Context.Service<
  Accounts,
  {
    /** Whether anybody has signed up. */
    readonly exist: Effect.Effect<boolean>
    readonly find: (email: string) => Effect.Effect<Account, AccountNotFound>
    /** Makes the account an admin. */
    readonly grantAdmin: (email: string) => Effect.Effect<Account, AccountNotFound>
    /** Takes that back. */
    readonly revokeAdmin: (email: string) => Effect.Effect<Account, AccountNotFound>
    /** Accounts with these addresses that nobody made admins and whose addresses are not verified. */
    readonly unproven: (emails: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Account>>
  }
>()("@kanmon/store/accounts/Accounts") {
  static readonly layer = Layer.effect(
    Accounts,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const find: Accounts["Service"]["find"] = Effect.fn("Accounts.find")(function* (email) {
        const [row] = yield* Effect.orDie(sql<Row>`SELECT * FROM users WHERE lower(email) = ${normalizeEmail(email)}`)
        if (row === undefined) return yield* new AccountNotFound({ email })
        return read(row)
      })

      const exist = sql<{ found: boolean }>`SELECT EXISTS (SELECT FROM users) AS found`.pipe(
        Effect.map(([row]) => row!.found),
        Effect.orDie
      )

      const setAdmin = Effect.fn("Accounts.setAdmin")(function* (email: string, isAdmin: boolean) {
        const [row] = yield* Effect.orDie(
          sql<Row>`UPDATE users SET is_admin = ${isAdmin} WHERE lower(email) = ${normalizeEmail(email)} RETURNING *`
        )
        if (row === undefined) return yield* new AccountNotFound({ email })
        return read(row)
      })

      const unproven: Accounts["Service"]["unproven"] = Effect.fn("Accounts.unproven")((emails) =>
        sql<Row>`SELECT * FROM users WHERE lower(email) = ANY(${emails.map(normalizeEmail)}::text[])
          AND NOT is_admin AND NOT email_verified ORDER BY email`.pipe(
          Effect.map((rows) => rows.map(read)),
          Effect.orDie
        )
      )

      return Accounts.of({
        exist,
        find,
        grantAdmin: (email) => setAdmin(email, true),
        revokeAdmin: (email) => setAdmin(email, false),
        unproven
      })
    })
  )
}

interface Row {
  readonly id: UserId
  readonly email: string
  readonly name: string
  readonly email_verified: boolean
  readonly created_at: Date
}

const read = (row: Row): Account => ({
  id: row.id,
  email: row.email,
  name: row.name,
  emailVerified: row.email_verified,
  createdAt: row.created_at.getTime()
})
