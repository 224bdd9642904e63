/** Deletes alerts past retention, with their history, and silences that ended as long ago. */
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

export class AlertRetentionRepository extends Context.Service<
  AlertRetentionRepository,
  {
    /** Returns the ids of the alerts. */
    readonly deleteResolvedBefore: (before: EpochMillis) => Effect.Effect<ReadonlyArray<string>>
  }
>()("@kanmon/monitoring/alerts/AlertRetentionRepository") {
  static readonly layer = Layer.effect(
    AlertRetentionRepository,
    Effect.map(SqlClient.SqlClient, (sql) =>
      AlertRetentionRepository.of({
        deleteResolvedBefore: (before) =>
          Effect.gen(function* () {
            const gone = yield* deleted(sql`DELETE FROM alerts WHERE resolved_at < ${new Date(before)} RETURNING id`)
            yield* sql`DELETE FROM silences WHERE until < ${new Date(before)}`
            return gone.map(({ id }) => id)
          }).pipe(Effect.orDie)
      })
    )
  )
}

const deleted = Rows.all(Schema.Struct({ id: Schema.String }))
