/** Deletes sessions, verifications and failed sign-ins that have expired. */
import { forgottenAfter } from "@kanmon/domain/SignInDelay"
import { dayMillis, type EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

export class AccountRetentionRepository extends Context.Service<
  AccountRetentionRepository,
  { readonly deleteExpired: (now: EpochMillis) => Effect.Effect<void> }
>()("@kanmon/identity/accounts/AccountRetentionRepository") {
  static readonly layer = Layer.effect(
    AccountRetentionRepository,
    Effect.map(SqlClient.SqlClient, (sql) =>
      AccountRetentionRepository.of({
        deleteExpired: Effect.fnUntraced(function* (now) {
          yield* sql`DELETE FROM sessions WHERE expires_at < ${new Date(now)}`
          yield* sql`DELETE FROM verifications WHERE expires_at < ${new Date(now - dayMillis)}`
          yield* sql`DELETE FROM device_codes WHERE expires_at < ${new Date(now - dayMillis)}`
          yield* sql`DELETE FROM sign_in_failures WHERE last_at < ${new Date(now - forgottenAfter)}`
        }, Effect.orDie)
      })
    )
  )
}
