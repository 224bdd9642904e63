/** What the installation's operator does with accounts. Signing up and in belongs to the auth plugin. */
import { Context, Data, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

export class AccountNotFound extends Data.TaggedError("AccountNotFound")<{ readonly email: string }> {}

export class Accounts extends Context.Service<
  Accounts,
  {
    /** Whether anybody has signed up. */
    readonly exist: Effect.Effect<boolean>
    /** Makes the account an admin. */
    readonly grantAdmin: (email: string) => Effect.Effect<void, AccountNotFound>
  }
>()("@kanmon/store/accounts/Accounts") {
  static readonly layer = Layer.effect(
    Accounts,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const grantAdmin = Effect.fn("Accounts.grantAdmin")(function* (email: string) {
        const rows = yield* Effect.orDie(
          sql`UPDATE users SET is_admin = true WHERE email = ${email.trim().toLowerCase()} RETURNING id`
        )
        if (rows.length === 0) return yield* new AccountNotFound({ email })
      })

      const exist = sql<{ found: boolean }>`SELECT EXISTS (SELECT FROM users) AS found`.pipe(
        Effect.map(([row]) => row!.found),
        Effect.orDie
      )

      return Accounts.of({ exist, grantAdmin })
    })
  )
}
