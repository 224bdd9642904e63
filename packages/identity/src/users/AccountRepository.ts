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

export class AccountRepository extends Context.Service<AccountRepository>()(
  "@kanmon/identity/users/AccountRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const columns = sql`id, email, name, email_verified AS "emailVerified", created_at AS "createdAt"`

      /** Whether there is any account. */
      const exist = Rows.any(sql`SELECT 1 FROM users LIMIT 1`)

      /** Finds an account by its normalized e-mail address. */
      const find = Effect.fn("AccountRepository.find")((email: string) =>
        Rows.first(AccountRow)(sql`SELECT ${columns} FROM users WHERE lower(email) = ${email}`)
      )

      const setAdmin = Effect.fn("AccountRepository.setAdmin")((email: string, isAdmin: boolean) =>
        Rows.first(AccountRow)(
          sql`UPDATE users SET is_admin = ${isAdmin} WHERE lower(email) = ${email} RETURNING ${columns}`
        )
      )

      /** Accounts with one of these normalized addresses that are not administrators and have no verified address. */
      const unproven = Effect.fn("AccountRepository.unproven")((emails: ReadonlyArray<string>) =>
        Rows.all(AccountRow)(sql`SELECT ${columns} FROM users WHERE lower(email) = ANY(${emails}::text[])
          AND NOT is_admin AND NOT email_verified ORDER BY email`)
      )

      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.asVoid(Effect.orDie(statement))

      return {
        exist,
        find,
        setAdmin,
        unproven,
        /** The language of an account, found by its normalized address; undefined without an account. */
        localeOf: (email: string) =>
          Rows.first(Schema.Struct({ locale: Schema.NullOr(Schema.String) }))(
            sql`SELECT locale FROM users WHERE lower(email) = ${email}`
          ),
        isVerified: (id: UserId) => Rows.any(sql`SELECT 1 FROM users WHERE id = ${id} AND email_verified`),
        /** Notes that its address is proven. */
        markVerified: (id: UserId, at: EpochMillis) =>
          run(
            sql`UPDATE users SET email_verified = true, updated_at = ${new Date(at)} WHERE id = ${id} AND NOT email_verified`
          ),
        /** Writes that it is disabled, or that it is not; false when it was so already. */
        setDisabled: (id: UserId, isDisabled: boolean, at: EpochMillis) =>
          Rows.any(sql`UPDATE users SET disabled_at = ${isDisabled ? new Date(at) : null}
            WHERE id = ${id} AND (disabled_at IS NOT NULL) <> ${isDisabled} RETURNING id`),
        /** Locks the account until the transaction ends. */
        lock: (id: UserId) => Effect.asVoid(Rows.any(sql`SELECT id FROM users WHERE id = ${id} FOR NO KEY UPDATE`)),
        /** Deletes the account. Its sessions, passkeys and memberships go with it. */
        remove: (id: UserId) => run(sql`DELETE FROM users WHERE id = ${id}`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(AccountRepository, AccountRepository.make)
}
