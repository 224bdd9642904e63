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

/** Up and down time of one UTC day. */
export interface MeasuredDay {
  /** `YYYY-MM-DD`. */
  readonly day: string
  readonly upDown: UpDown
}

/** Up and down time of each UTC day that touches `[from, to)`, clipped to it, for several monitors. */
export const days = Effect.fnUntraced(function* (
  monitors: ReadonlyArray<MonitorRow>,
  from: EpochMillis,
  to: EpochMillis
) {
  const spans = daysBetween(from, to)
  const rolled = yield* rollups(
    monitors.map(({ id }) => id),
    from,
    to
  )
  const isWhole = (id: string, day: (typeof spans)[number]): boolean =>
    day.to - day.from === dayMillis && day.from < rolled.closedUntil(id)
  const measured = new Map(monitors.map(({ id }) => [id, new Map<string, UpDown>()]))
  for (const { from: begin, to: end } of openRanges(spans, (day) => monitors.some(({ id }) => !isWhole(id, day)))) {
    const open = spans.filter((day) => day.from >= begin && day.to <= end)
    const unrolled = monitors.filter(({ id }) => open.some((day) => !isWhole(id, day)))
    const timelines = yield* counted(unrolled, begin, end)
    for (const { id } of unrolled)
      for (const day of open)
        if (!isWhole(id, day)) measured.get(id)!.set(day.day, measure(timelines.get(id) ?? [], day.from, day.to))
  }
  return new Map(
    monitors.map(({ id }) => [
      id,
      spans.map(({ day }): MeasuredDay => ({
        day,
        upDown: measured.get(id)!.get(day) ?? rolled.of(id, day) ?? none
      }))
    ])
  )
})

/** The stretches of neighbouring spans that are open. */
const openRanges = <Span extends { readonly from: EpochMillis; readonly to: EpochMillis }>(
  spans: ReadonlyArray<Span>,
  isOpen: (span: Span) => boolean
): ReadonlyArray<{ readonly from: EpochMillis; readonly to: EpochMillis }> => {
  const ranges: Array<{ from: EpochMillis; to: EpochMillis }> = []
  for (const span of spans.filter(isOpen)) {
    const last = ranges.at(-1)
    if (last !== undefined && last.to === span.from) last.to = span.to
    else ranges.push({ from: span.from, to: span.to })
  }
  return ranges
}

/** Up and down time over `[from, to)`, for several monitors. */
export const upDown = (monitors: ReadonlyArray<MonitorRow>, from: EpochMillis, to: EpochMillis) =>
  Effect.map(
    days(monitors, from, to),
    (found) =>
      new Map([...found].map(([id, own]) => [id, own.reduce<UpDown>((sum, day) => add(sum, day.upDown), none)]))
  )

const rollups = Effect.fnUntraced(function* (ids: ReadonlyArray<string>, from: EpochMillis, to: EpochMillis) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<RolledRow>`
    SELECT m.id, LEAST(p.closed_until, d.since::timestamp AT TIME ZONE 'UTC') AS closed,
      (SELECT json_object_agg(to_char(day, 'YYYY-MM-DD'), json_build_array(up_millis, down_millis)) FROM rollup_day
        WHERE monitor_id = m.id AND day >= ${utcDay(from)}::text::date AND day <= ${utcDay(to)}::text::date) AS days
    FROM unnest(${ids}::text[]) AS m(id)
    JOIN rollup_progress p ON p.name = 'day'
    LEFT JOIN rollup_dirty d ON d.monitor_id = m.id`
  const found = new Map(rows.map((row) => [row.id, row]))
  return {
    /** Days before this instant are rolled up and right. */
    closedUntil: (id: string): EpochMillis => found.get(id)?.closed.getTime() ?? Number.NEGATIVE_INFINITY,
    of: (id: string, day: string): UpDown | undefined => {
      const own = found.get(id)?.days?.[day]
      return own === undefined ? undefined : { up: own[0], down: own[1] }
    }
  }
})

interface RolledRow {
  readonly id: string
  readonly closed: Date
  readonly days: Readonly<Record<string, readonly [up: number, down: number]>> | null
}
