/** Incidents as rows, and what every writer of them does alike: the timeline, the windows over monitors, the public event. */
import type { Incident, IncidentStatus, IncidentUpdate } from "@kanmon/domain/Incident"
import { type IncidentId, type MonitorId, nextUpdateId, type ProjectId } from "@kanmon/domain/Ids"
import type { IncidentEventName } from "@kanmon/domain/Subjects"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { incidentEvent } from "./IncidentEvents.ts"
import * as Rollups from "../history/Rollups.ts"

export interface IncidentRow {
  readonly id: IncidentId
  readonly project_id: ProjectId
  readonly title: string
  readonly status: IncidentStatus
  readonly monitor_ids: ReadonlyArray<MonitorId>
  readonly maintenance: boolean
  readonly scheduled_start: Date | null
  readonly scheduled_end: Date | null
  readonly recurrence: string | null
  readonly timezone: string | null
  readonly series_start: Date | null
  readonly series_millis: bigint | null
  readonly series_at: Date | null
  readonly started_at: Date
  readonly resolved_at: Date | null
  readonly created_at: Date
  readonly updated_at: Date
}

/** An incident without its timeline. */
export type BareIncident = Omit<Incident, "updates">

export const readIncident = (row: IncidentRow): BareIncident => ({
  id: row.id,
  projectId: row.project_id,
  title: row.title,
  status: row.status,
  monitorIds: row.monitor_ids,
  maintenance: row.maintenance,
  scheduledStart: row.scheduled_start?.getTime() ?? null,
  scheduledEnd: row.scheduled_end?.getTime() ?? null,
  recurrence: row.recurrence,
  timezone: row.timezone,
  startedAt: row.started_at.getTime(),
  resolvedAt: row.resolved_at?.getTime() ?? null,
  createdAt: row.created_at.getTime(),
  updatedAt: row.updated_at.getTime()
})

/** How many of the first incidents have timelines that fit into so many characters together; one always does. */
export const fitting = Effect.fnUntraced(function* (ids: ReadonlyArray<IncidentId>, characters: number) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ incident_id: IncidentId; text: number }>`SELECT incident_id,
      sum(length(message))::integer AS text FROM incident_updates WHERE incident_id = ANY(${ids}::text[]) GROUP BY incident_id`
  const textOf = new Map(rows.map(({ incident_id, text }) => [incident_id, text]))
  let left = characters
  const over = ids.findIndex((id) => (left -= textOf.get(id) ?? 0) < 0)
  return over < 0 ? ids.length : Math.max(1, over)
})

/** The timelines of incidents, newest entry first. */
export const timelines = Effect.fnUntraced(function* (ids: ReadonlyArray<IncidentId>) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<UpdateRow>`SELECT id, incident_id, status, message, created_at FROM incident_updates
    WHERE incident_id = ANY(${ids}::text[]) ORDER BY id DESC`
  const found = Map.groupBy(rows, ({ incident_id }) => incident_id)
  return (id: IncidentId): ReadonlyArray<IncidentUpdate> =>
    found.get(id)?.map((row) => ({
      id: row.id,
      status: row.status,
      message: row.message,
      createdAt: row.created_at.getTime()
    })) ?? []
})

interface UpdateRow {
  readonly id: IncidentUpdate["id"]
  readonly incident_id: IncidentId
  readonly status: IncidentStatus
  readonly message: string
  readonly created_at: Date
}

/** Adds an entry to the timeline. */
export const note = Effect.fnUntraced(function* (
  incident: Pick<Incident, "id" | "status">,
  message: string,
  at: EpochMillis
) {
  const sql = yield* SqlClient.SqlClient
  const id = yield* nextUpdateId
  yield* sql`INSERT INTO incident_updates (id, incident_id, status, message, created_at)
    VALUES (${id}, ${incident.id}, ${incident.status}, ${message}, ${new Date(at)})`
})

/** Appends the public event to the outbox. */
export const announce = Effect.fnUntraced(function* (
  incident: BareIncident,
  name: IncidentEventName,
  message: string,
  at: EpochMillis
) {
  const sql = yield* SqlClient.SqlClient
  const { ulid } = yield* SecureRandom.SecureRandom
  const event = JSON.stringify(incidentEvent(incident, name, message, at, yield* ulid))
  yield* sql`INSERT INTO outbox (kind, event, created_at) VALUES ('event', ${event}::jsonb, ${new Date(at)})`
})

/**
 * Brings the windows over the monitors to what the incident now says. What lies in the past stays as it was unless the
 * window itself was `edited`: a monitor that joins or leaves half-way does so now.
 */
export const spreadWindows = Effect.fnUntraced(function* (
  incident: BareIncident,
  edited: "all" | "end" | "none",
  at: EpochMillis
) {
  const sql = yield* SqlClient.SqlClient
  const start = incident.scheduledStart!
  const end = Math.min(incident.scheduledEnd!, incident.resolvedAt ?? Number.POSITIVE_INFINITY)
  const now = new Date(at)
  const changed: Array<{ monitorId: string; at: EpochMillis }> = []
  const touch = (rows: ReadonlyArray<WindowRow>) =>
    changed.push(...rows.map((row) => ({ monitorId: row.monitor_id, at: Math.min(start, row.starts_at.getTime()) })))

  yield* closeWindows(incident.id, incident.monitorIds, at)
  // The window was over and is taken up again: what lay between stays as it was.
  if (edited === "none")
    yield* sql`UPDATE maintenance_windows SET incident_id = NULL
      WHERE incident_id = ${incident.id} AND ends_at <= ${now} AND ${new Date(end)}::timestamptz > ${now}`
  const from = edited === "all" ? sql`${new Date(start)}::timestamptz` : sql`starts_at`
  touch(
    yield* sql<WindowRow>`DELETE FROM maintenance_windows
      WHERE incident_id = ${incident.id} AND ${from} >= ${new Date(end)}::timestamptz RETURNING monitor_id, starts_at`
  )
  touch(
    yield* sql<WindowRow>`UPDATE maintenance_windows SET starts_at = ${from}, ends_at = ${new Date(end)}, settled = false
      WHERE incident_id = ${incident.id} AND (ends_at, starts_at) IS DISTINCT FROM (${new Date(end)}::timestamptz, ${from})
      RETURNING monitor_id, starts_at`
  )
  // On creation a window may lie in the past; a monitor that joins later does not.
  const joins = edited === "all" ? start : Math.max(start, at)
  if (joins < end)
    touch(
      yield* sql<WindowRow>`INSERT INTO maintenance_windows (monitor_id, incident_id, starts_at, ends_at)
        SELECT m.id, ${incident.id}, ${new Date(joins)}, ${new Date(end)} FROM monitors m
        WHERE m.id = ANY(${incident.monitorIds}::text[]) AND m.project_id = ${incident.projectId}
          AND NOT EXISTS (SELECT FROM maintenance_windows w WHERE w.incident_id = ${incident.id} AND w.monitor_id = m.id)
        RETURNING monitor_id, starts_at`
    )
  yield* Rollups.markDays(changed, at)
})

/** Ends, now, the windows of an incident over all monitors but these. What they have covered stays covered. */
export const closeWindows = Effect.fnUntraced(function* (
  id: IncidentId,
  except: ReadonlyArray<MonitorId>,
  at: EpochMillis
) {
  const sql = yield* SqlClient.SqlClient
  const now = new Date(at)
  const others = sql`incident_id = ${id} AND NOT (monitor_id = ANY(${except}::text[]))`
  yield* sql`DELETE FROM maintenance_windows WHERE ${others} AND starts_at >= ${now}`
  yield* sql`UPDATE maintenance_windows SET incident_id = NULL, settled = settled AND ends_at <= ${now},
    ends_at = LEAST(ends_at, ${now}::timestamptz) WHERE ${others}`
})

interface WindowRow {
  readonly monitor_id: string
  readonly starts_at: Date
}
