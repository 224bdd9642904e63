/** Deletes alerts past retention, with their history and deliveries, and silences that ended as long ago. */
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

export class AlertRetentionRepository extends Context.Service<
  AlertRetentionRepository,
  { readonly deleteResolvedBefore: (before: EpochMillis) => Effect.Effect<void> }
>()("@kanmon/monitoring/alerts/AlertRetentionRepository") {
  static readonly layer = Layer.effect(
    AlertRetentionRepository,
    Effect.map(SqlClient.SqlClient, (sql) =>
      AlertRetentionRepository.of({
        deleteResolvedBefore: (before) =>
          Effect.gen(function* () {
            yield* sql`DELETE FROM alerts WHERE resolved_at < ${new Date(before)}`
            yield* sql`DELETE FROM silences WHERE until < ${new Date(before)}`
          }).pipe(Effect.orDie)
      })
    )
  )
}
