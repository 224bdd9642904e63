/** Whether signing in with the password of an account needs a second factor. */
import type { UserId } from "@kanmon/domain/Ids"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

export class SecondFactorRepository extends Context.Service<SecondFactorRepository>()(
  "@kanmon/identity/users/SecondFactorRepository",
  {
    make: Effect.map(SqlClient.SqlClient, (sql) => ({
      isEnabled: Effect.fn("SecondFactorRepository.isEnabled")((userId: UserId) =>
        Rows.any(sql`SELECT 1 FROM users WHERE id = ${userId} AND two_factor_enabled`)
      )
    }))
  }
) {
  static readonly layer = Layer.effect(SecondFactorRepository, SecondFactorRepository.make)
}
