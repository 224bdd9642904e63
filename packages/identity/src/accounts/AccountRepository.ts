/** Accounts in the database. */
import { UserId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

export interface Account {
  readonly id: UserId
  readonly email: string
  readonly name: string
  readonly emailVerified: boolean
  readonly createdAt: EpochMillis
}

const AccountRow = Schema.Struct({
  id: UserId,
  email: Schema.String,
  name: Schema.String,
  emailVerified: Schema.Boolean,
  createdAt: Rows.Time
})

export class AccountRepository extends Context.Service<
  AccountRepository,
  {
    /** Whether there is any account. */
    readonly exist: Effect.Effect<boolean>
    /** Finds an account by its normalized e-mail address. */
    readonly find: (email: string) => Effect.Effect<Account | undefined>
    readonly setAdmin: (email: string, isAdmin: boolean) => Effect.Effect<Account | undefined>
    /** Accounts with these normalized addresses that are no admins and whose addresses are not verified. */
    readonly unproven: (emails: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Account>>
  }
>()("@kanmon/identity/accounts/AccountRepository") {
  static readonly layer = Layer.effect(
    AccountRepository,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const columns = sql`id, email, name, email_verified AS "emailVerified", created_at AS "createdAt"`

      const exist = Rows.any(sql`SELECT 1 FROM users LIMIT 1`)

      const find = Effect.fn("AccountRepository.find")((email: string) =>
        Rows.first(AccountRow)(sql`SELECT ${columns} FROM users WHERE lower(email) = ${email}`)
      )

      const setAdmin = Effect.fn("AccountRepository.setAdmin")((email: string, isAdmin: boolean) =>
        Rows.first(AccountRow)(
          sql`UPDATE users SET is_admin = ${isAdmin} WHERE lower(email) = ${email} RETURNING ${columns}`
        )
      )

      const unproven = Effect.fn("AccountRepository.unproven")((emails: ReadonlyArray<string>) =>
        Rows.all(AccountRow)(sql`SELECT ${columns} FROM users WHERE lower(email) = ANY(${emails}::text[])
          AND NOT is_admin AND NOT email_verified ORDER BY email`)
      )

      return AccountRepository.of({ exist, find, setAdmin, unproven })
    })
  )
}
