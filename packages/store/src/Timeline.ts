/** Reads a monitor's time line and measures it: closed days from their rollups, the rest entry by entry. Exact either way. */
import { knownUntil, type JudgeState } from "@kanmon/domain/Judge"
import { dayMillis, type EpochMillis, utcDay } from "@kanmon/domain/Timestamp"
import {
  add,
  daysBetween,
  measure,
  none,
  overlay,
  type TimelineEntry,
  type UpDown,
  type Window
} from "@kanmon/domain/Uptime"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What measuring needs to know of a monitor. */
export interface MonitorRow {
  readonly id: string
  /** For how long a result speaks. */
  readonly vote_seconds: number
  readonly regions: ReadonlyArray<string>
  readonly state: JudgeState
}

/** Until when the newest vote speaks for the monitor. */
export const knownUntilOf = (monitor: MonitorRow): EpochMillis =>
  knownUntil(monitor.state, { intervalMillis: monitor.vote_seconds * 1000, regions: monitor.regions })

/** The entries in force during `[from, to)`, for several monitors. */
export const entries = Effect.fnUntraced(function* (ids: ReadonlyArray<string>, from: EpochMillis, to: EpochMillis) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ id: string; at: Date; status: TimelineEntry["status"] }>`
    SELECT m.id, c.at, c.status FROM unnest(${ids}::text[]) AS m(id)
    CROSS JOIN LATERAL (
      SELECT at, sequence, status FROM status_changes
      WHERE monitor_id = m.id AND at < ${new Date(to)}
        AND at >= COALESCE(
          (SELECT max(at) FROM status_changes WHERE monitor_id = m.id AND at <= ${new Date(from)}), '-infinity')
    ) c ORDER BY m.id, c.at, c.sequence`
  const timelines = new Map<string, Array<TimelineEntry>>()
  for (const { at, id, status } of rows) {
    const timeline = timelines.get(id) ?? []
    timeline.push({ at: at.getTime(), status })
    timelines.set(id, timeline)
  }
  return timelines
})

/** The maintenance windows that touch `[from, to)`, for several monitors. */
export const windows = Effect.fnUntraced(function* (ids: ReadonlyArray<string>, from: EpochMillis, to: EpochMillis) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ id: string; from: Date; to: Date }>`
    SELECT monitor_id AS id, starts_at AS "from", ends_at AS "to" FROM maintenance_windows
    WHERE monitor_id = ANY(${ids}::text[]) AND ends_at > ${new Date(from)} AND starts_at < ${new Date(to)}`
  const found = new Map<string, Array<Window>>()
  for (const { from, id, to } of rows) {
    const own = found.get(id) ?? []
    own.push({ from: from.getTime(), to: to.getTime() })
    found.set(id, own)
  }
  return found
})

/** How a monitor `m` with its state `s` stands at an instant, as people see it: one that works in a window is in maintenance. */
export const shownStatus = (sql: SqlClient.SqlClient, now: EpochMillis) =>
  sql`CASE WHEN s.status <> 'paused' AND EXISTS (SELECT FROM maintenance_windows w
    WHERE w.monitor_id = m.id AND w.starts_at <= ${new Date(now)} AND w.ends_at > ${new Date(now)})
    THEN 'maintenance' ELSE s.status END`

/** The time lines of monitors over `[from, to)` as they count: maintenance and what nobody knows are told apart. */
export const counted = Effect.fnUntraced(function* (
  monitors: ReadonlyArray<MonitorRow>,
  from: EpochMillis,
  to: EpochMillis
) {
  const ids = monitors.map(({ id }) => id)
  const lines = yield* entries(ids, from, to)
  const closed = yield* windows(ids, from, to)
  return new Map(
    monitors.map((monitor) => [
      monitor.id,
      overlay(lines.get(monitor.id) ?? [], knownUntilOf(monitor), closed.get(monitor.id))
    ])
  )
})

/** Up and down time of each UTC day that touches `[from, to)`, clipped to it. */
export const byDay = Effect.fnUntraced(function* (monitor: MonitorRow, from: EpochMillis, to: EpochMillis) {
  const days = daysBetween(from, to)
  const rolled = yield* rollups(monitor.id, from, to)
  const isWhole = (day: (typeof days)[number]): boolean =>
    day.to - day.from === dayMillis && day.from < rolled.closedUntil
  const open = days.filter((day) => !isWhole(day))
  const timeline =
    open.length === 0
      ? []
      : yield* Effect.map(counted([monitor], open[0]!.from, open.at(-1)!.to), (found) => found.get(monitor.id)!)
  return days.map((day) => ({
    day: day.day,
    upDown: isWhole(day) ? (rolled.days.get(day.day) ?? none) : measure(timeline, day.from, day.to)
  }))
})

/** Up and down time over `[from, to)`. */
export const upDown = (monitor: MonitorRow, from: EpochMillis, to: EpochMillis) =>
  Effect.map(byDay(monitor, from, to), (days) => days.reduce<UpDown>((sum, day) => add(sum, day.upDown), none))

const rollups = Effect.fnUntraced(function* (id: string, from: EpochMillis, to: EpochMillis) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ day: string | null; up: bigint | null; down: bigint | null; closed: Date | null }>`
    SELECT to_char(r.day, 'YYYY-MM-DD') AS day, r.up_millis AS up, r.down_millis AS down, p.closed
    FROM (SELECT LEAST(
        (SELECT closed_until FROM rollup_progress WHERE name = 'day'),
        (SELECT since::timestamp AT TIME ZONE 'UTC' FROM rollup_dirty WHERE monitor_id = ${id})) AS closed,
      EXISTS (SELECT FROM rollup_progress WHERE name = 'day') AS begun) p
    LEFT JOIN rollup_day r ON p.begun AND r.monitor_id = ${id}
      AND r.day >= ${utcDay(from)}::text::date AND r.day <= ${utcDay(to)}::text::date`
  const days = new Map<string, UpDown>()
  for (const { day, down, up } of rows) if (day !== null) days.set(day, { up: Number(up), down: Number(down) })
  return { days, closedUntil: rows[0]?.closed?.getTime() ?? Number.NEGATIVE_INFINITY }
})
