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
    /** Accounts with one of these normalized addresses that are not administrators and have no verified address. */
    readonly unproven: (emails: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Account>>
    /** The language of an account, found by its normalized address; undefined without an account. */
    readonly localeOf: (email: string) => Effect.Effect<{ readonly locale: string | null } | undefined>
    readonly isVerified: (id: UserId) => Effect.Effect<boolean>
    /** Notes that its address is proven. */
    readonly markVerified: (id: UserId, at: EpochMillis) => Effect.Effect<void>
    /** Writes that it is disabled, or that it is not; false when it was so already. */
    readonly setDisabled: (id: UserId, isDisabled: boolean, at: EpochMillis) => Effect.Effect<boolean>
    /** Locks the account until the transaction ends. */
    readonly lock: (id: UserId) => Effect.Effect<void>
    /** Deletes the account. Its sessions, passkeys and memberships go with it. */
    readonly remove: (id: UserId) => Effect.Effect<void>
  }
>()("@kanmon/identity/users/AccountRepository") {
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

      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.asVoid(Effect.orDie(statement))

      return AccountRepository.of({
        exist,
        find,
        setAdmin,
        unproven,
        localeOf: (email) =>
          Rows.first(Schema.Struct({ locale: Schema.NullOr(Schema.String) }))(
            sql`SELECT locale FROM users WHERE lower(email) = ${email}`
          ),
        isVerified: (id) => Rows.any(sql`SELECT 1 FROM users WHERE id = ${id} AND email_verified`),
        markVerified: (id, at) =>
          run(
            sql`UPDATE users SET email_verified = true, updated_at = ${new Date(at)} WHERE id = ${id} AND NOT email_verified`
          ),
        setDisabled: (id, isDisabled, at) =>
          Rows.any(sql`UPDATE users SET disabled_at = ${isDisabled ? new Date(at) : null}
            WHERE id = ${id} AND (disabled_at IS NOT NULL) <> ${isDisabled} RETURNING id`),
        lock: (id) => Effect.asVoid(Rows.any(sql`SELECT id FROM users WHERE id = ${id} FOR NO KEY UPDATE`)),
        remove: (id) => run(sql`DELETE FROM users WHERE id = ${id}`)
      })
    })
  )
}
