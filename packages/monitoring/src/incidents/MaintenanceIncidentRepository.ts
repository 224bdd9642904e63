/** The statements that move scheduled incidents on in time. Processes that run them at once skip each other's rows. */
import { IncidentId, ProjectId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"
import type { Question } from "@kanmon/platform/DueWork"
import { IncidentRow } from "./IncidentRow.ts"

const EndedSeriesRow = Schema.Struct({
  incidentId: IncidentId,
  projectId: ProjectId,
  recurrence: Schema.String,
  timezone: Schema.String,
  start: Rows.Time,
  millis: Rows.Count,
  after: Rows.Time
}).pipe(
  Schema.encodeKeys({
    incidentId: "id",
    projectId: "project_id",
    start: "series_start",
    millis: "series_millis",
    after: "series_at"
  })
)

/** Whether a window begins or is over. */
export const isWindowDue: Question = (sql, now) =>
  sql`EXISTS (SELECT FROM incidents WHERE maintenance AND resolved_at IS NULL
    AND (scheduled_end <= ${now} OR NOT begun AND scheduled_start <= ${now}))`

/** Whether the next window of a series has to be scheduled. */
export const isSeriesDue: Question = (sql) =>
  sql`EXISTS (SELECT FROM incidents WHERE recurrence IS NOT NULL AND resolved_at IS NOT NULL AND NOT continued)`

export class MaintenanceIncidentRepository extends Context.Service<MaintenanceIncidentRepository>()(
  "@kanmon/monitoring/incidents/MaintenanceIncidentRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const all = Rows.all(IncidentRow)

      return {
        /** Marks the windows that have begun, and returns those that were not marked before. */
        begin: (now: EpochMillis) =>
          sql`UPDATE incidents SET begun = true WHERE id IN (
              SELECT id FROM incidents WHERE maintenance AND resolved_at IS NULL AND NOT begun
                AND scheduled_start <= ${new Date(now)} AND scheduled_end > ${new Date(now)} FOR UPDATE SKIP LOCKED)
            RETURNING *`.pipe(all),
        /** Resolves the windows that are over, as of their scheduled end. */
        end: (now: EpochMillis) =>
          sql`UPDATE incidents SET begun = true, status = 'resolved', resolved_at = scheduled_end,
              updated_at = ${new Date(now)} WHERE id IN (
              SELECT id FROM incidents WHERE maintenance AND resolved_at IS NULL AND scheduled_end <= ${new Date(now)}
                FOR UPDATE SKIP LOCKED)
            RETURNING *`.pipe(all),
        endedSeries: sql`SELECT id, project_id, recurrence, COALESCE(timezone, 'UTC') AS timezone, series_start,
              series_millis, series_at FROM incidents
            WHERE recurrence IS NOT NULL AND resolved_at IS NOT NULL AND NOT continued`.pipe(Rows.all(EndedSeriesRow)),
        /** Marks a window of a series as continued; returns it unless another process has marked it or the series is gone. */
        claim: (id: IncidentId) =>
          sql`UPDATE incidents SET continued = true WHERE id = ${id} AND recurrence IS NOT NULL AND NOT continued
            RETURNING *`.pipe(Rows.first(IncidentRow))
      }
    })
  }
) {
  static readonly layer = Layer.effect(MaintenanceIncidentRepository, MaintenanceIncidentRepository.make)
}
