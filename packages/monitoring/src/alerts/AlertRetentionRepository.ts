/** Deletes alerts past retention, with their history, and silences that ended as long ago. */
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

export class AlertRetentionRepository extends Context.Service<AlertRetentionRepository>()(
  "@kanmon/monitoring/alerts/AlertRetentionRepository",
  {
    make: Effect.map(SqlClient.SqlClient, (sql) => ({
      /** Returns the ids of the alerts. Alerts of drills are deleted with their drills. */
      deleteResolvedBefore: (before: EpochMillis) =>
        Effect.gen(function* () {
          const gone = yield* deleted(
            sql`DELETE FROM alerts WHERE resolved_at < ${new Date(before)} AND drill_id IS NULL RETURNING id`
          )
          yield* sql`DELETE FROM silences WHERE until < ${new Date(before)}`
          return gone.map(({ id }) => id)
        }).pipe(Effect.orDie)
    }))
  }
) {
  static readonly layer = Layer.effect(AlertRetentionRepository, AlertRetentionRepository.make)
}

const deleted = Rows.all(Schema.Struct({ id: Schema.String }))
