/** The table `maintenance_windows`: the time in which a monitor is under maintenance. */
import { type IncidentId, MonitorId, type ProjectId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"
import type { Question } from "@kanmon/platform/DueWork"

/** The window over one monitor that a statement has changed. */
const WindowRow = Schema.Struct({ monitorId: MonitorId, startsAt: Rows.Time }).pipe(
  Schema.encodeKeys({ monitorId: "monitor_id", startsAt: "starts_at" })
)
interface Span {
  readonly start: EpochMillis
  readonly end: EpochMillis
}
/** A span, or only its end: then each window keeps its own start. */
type Reschedule = Span | Pick<Span, "end">

/** Whether there are ended windows with undecided alerts. */
export const isSettlingDue: Question = (sql, now) =>
  sql`EXISTS (SELECT FROM maintenance_windows WHERE NOT settled AND ends_at <= ${now})`

export class MaintenanceWindowRepository extends Context.Service<MaintenanceWindowRepository>()(
  "@kanmon/monitoring/maintenance/MaintenanceWindowRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const changed = Rows.all(WindowRow)
      const allBut = (id: IncidentId, except: ReadonlyArray<MonitorId>) =>
        sql`incident_id = ${id} AND NOT (monitor_id = ANY(${except}::text[]))`
      const startOf = (span: Reschedule) =>
        "start" in span ? sql`${new Date(span.start)}::timestamptz` : sql`starts_at`

      return {
        /** Deletes the windows of an incident that have not started, over all monitors but these. */
        deleteFuture: (id: IncidentId, except: ReadonlyArray<MonitorId>, now: EpochMillis) =>
          sql`DELETE FROM maintenance_windows WHERE ${allBut(id, except)} AND starts_at >= ${new Date(now)}`.pipe(
            Effect.asVoid,
            Effect.orDie
          ),
        /** Ends the windows of an incident, over all monitors but these, and detaches them from it. */
        end: (id: IncidentId, except: ReadonlyArray<MonitorId>, now: EpochMillis) =>
          sql`UPDATE maintenance_windows SET incident_id = NULL, settled = settled AND ends_at <= ${new Date(now)},
            ends_at = LEAST(ends_at, ${new Date(now)}::timestamptz) WHERE ${allBut(id, except)}`.pipe(
            Effect.asVoid,
            Effect.orDie
          ),
        /** Detaches the windows that are over from their incident, so that they stay as they are. */
        detachEnded: (id: IncidentId, now: EpochMillis) =>
          sql`UPDATE maintenance_windows SET incident_id = NULL
            WHERE incident_id = ${id} AND ends_at <= ${new Date(now)}`.pipe(Effect.asVoid, Effect.orDie),
        /** Deletes the windows that this span leaves without a duration. */
        deleteEmpty: (id: IncidentId, span: Reschedule) =>
          sql`DELETE FROM maintenance_windows
            WHERE incident_id = ${id} AND ${startOf(span)} >= ${new Date(span.end)}::timestamptz
            RETURNING monitor_id, starts_at`.pipe(changed),
        /** Gives the windows of an incident this span. Windows that have it already are not touched. */
        reschedule: (id: IncidentId, span: Reschedule) =>
          sql`UPDATE maintenance_windows SET starts_at = ${startOf(span)}, ends_at = ${new Date(span.end)}, settled = false
            WHERE incident_id = ${id}
              AND (ends_at, starts_at) IS DISTINCT FROM (${new Date(span.end)}::timestamptz, ${startOf(span)})
            RETURNING monitor_id, starts_at`.pipe(changed),
        /** Takes windows that are over and were not taken yet, at most `limit`; returns their monitors. */
        settleEnded: (now: EpochMillis, limit: number) =>
          sql`UPDATE maintenance_windows SET settled = true
            WHERE id IN (SELECT id FROM maintenance_windows WHERE NOT settled AND ends_at <= ${new Date(now)}
              ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED)
            RETURNING monitor_id, starts_at`.pipe(
            changed,
            Effect.map((rows) => rows.map(({ monitorId }) => monitorId))
          ),
        /** Adds a window for each of these monitors that exists in the project and has none. */
        insertMissing: (
          {
            id,
            monitorIds,
            projectId
          }: {
            readonly id: IncidentId
            readonly projectId: ProjectId
            readonly monitorIds: ReadonlyArray<MonitorId>
          },
          { end, start }: Span
        ) =>
          sql`INSERT INTO maintenance_windows (monitor_id, incident_id, starts_at, ends_at)
            SELECT m.id, ${id}, ${new Date(start)}, ${new Date(end)} FROM monitors m
            WHERE m.id = ANY(${monitorIds}::text[]) AND m.project_id = ${projectId}
              AND NOT EXISTS (SELECT FROM maintenance_windows w WHERE w.incident_id = ${id} AND w.monitor_id = m.id)
            RETURNING monitor_id, starts_at`.pipe(changed),
        /** The windows that touch `[from, to)`, by monitor. */
        between: (ids: ReadonlyArray<string>, from: EpochMillis, to: EpochMillis) =>
          Effect.map(
            spans(sql`SELECT monitor_id AS id, starts_at AS "from", ends_at AS "to" FROM maintenance_windows
              WHERE monitor_id = ANY(${ids}::text[]) AND ends_at > ${new Date(from)} AND starts_at < ${new Date(to)}`),
            (rows) => Map.groupBy(rows, ({ id }) => id)
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(MaintenanceWindowRepository, MaintenanceWindowRepository.make)
}

const spans = Rows.all(Schema.Struct({ id: Schema.String, from: Rows.Time, to: Rows.Time }))
