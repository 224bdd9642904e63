/**
 * Rollups of closed hours (response times) and days (uptime). Filling is idempotent; what arrives late for a closed period
 * marks it, and marked periods are filled again.
 */
import { dayMillis, type EpochMillis, utcDay } from "@kanmon/domain/Timestamp"
import { measure } from "@kanmon/domain/Uptime"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Timeline from "./Timeline.ts"

const hourMillis = 3_600_000
/** A period is closed when its end lies this far back: time for what is on its way. */
const graceMillis = 300_000
const pageSize = 500
/** How far back a day may wait for observations that never come. */
const unsureDays = 2
const lock = 0x6b616e726f

/** Fills what is closed and not filled yet. One process at a time. */
export const fill = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      const [{ free }] = (yield* sql<{ free: boolean }>`SELECT pg_try_advisory_xact_lock(${lock}::bigint) AS free`) as [
        { free: boolean }
      ]
      if (!free) return { hours: 0, days: 0 }
      const hours = yield* fillHours(now)
      const days = yield* fillDays(now)
      return { hours, days }
    })
  )
})

const progress = Effect.fnUntraced(function* (name: string, beginning: Date | null) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ at: Date }>`SELECT closed_until AS at FROM rollup_progress WHERE name = ${name} FOR UPDATE`
  return (row?.at ?? beginning)?.getTime()
})

const advance = Effect.fnUntraced(function* (name: string, to: EpochMillis) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO rollup_progress (name, closed_until) VALUES (${name}, ${new Date(to)})
    ON CONFLICT (name) DO UPDATE SET closed_until = EXCLUDED.closed_until`
})

const fillHours = Effect.fnUntraced(function* (now: EpochMillis) {
  const sql = yield* SqlClient.SqlClient
  const closed = Math.floor((now - graceMillis) / hourMillis) * hourMillis
  const [first] = yield* sql<{ at: Date | null }>`SELECT min(scheduled_at) AS at FROM observations`
  const begun = yield* progress("hour", first?.at ?? null)
  if (begun === undefined) return 0
  const from = Math.floor(begun / hourMillis) * hourMillis
  if (from >= closed) return 0
  yield* sql`INSERT INTO rollup_hour (monitor_id, region, hour, checks, response_time_count, response_time_sum)
    SELECT o.monitor_id, o.region, date_trunc('hour', o.scheduled_at, 'UTC'), count(*), count(o.response_time),
      COALESCE(sum(o.response_time), 0)
    FROM observations o JOIN monitors m ON m.id = o.monitor_id
    WHERE o.scheduled_at >= ${new Date(from)} AND o.scheduled_at < ${new Date(closed)}
    GROUP BY 1, 2, 3
    ON CONFLICT (monitor_id, hour, region) DO UPDATE SET checks = EXCLUDED.checks,
      response_time_count = EXCLUDED.response_time_count, response_time_sum = EXCLUDED.response_time_sum`
  yield* advance("hour", closed)
  return (closed - from) / hourMillis
})

const fillDays = Effect.fnUntraced(function* (now: EpochMillis) {
  const sql = yield* SqlClient.SqlClient
  const closed = Math.floor((now - graceMillis) / dayMillis) * dayMillis
  const [first] = yield* sql<{ at: Date | null }>`SELECT min(at) AS at FROM status_changes`
  const begun = yield* progress("day", first?.at ?? null)
  if (begun === undefined) return 0
  const from = Math.floor(begun / dayMillis) * dayMillis

  // Marked monitors first: their days from the mark on, as far as days were closed before.
  const dirty = yield* sql<{ id: string; since: string }>`
    DELETE FROM rollup_dirty RETURNING monitor_id AS id, to_char(since, 'YYYY-MM-DD') AS since`
  for (const { id, since } of dirty) yield* fillMonitors([id], Date.parse(since), Math.max(from, closed))
  if (from >= closed) return 0

  let after = ""
  for (;;) {
    const page = yield* sql<{ id: string }>`SELECT id FROM monitors WHERE id > ${after} ORDER BY id LIMIT ${pageSize}`
    if (page.length === 0) break
    yield* fillMonitors(
      page.map(({ id }) => id),
      from,
      closed
    )
    after = page.at(-1)!.id
  }
  yield* advance("day", closed)
  return (closed - from) / dayMillis
})

const fillMonitors = Effect.fnUntraced(function* (ids: ReadonlyArray<string>, from: EpochMillis, to: EpochMillis) {
  const sql = yield* SqlClient.SqlClient
  const monitors =
    yield* sql<Timeline.MonitorRow>`SELECT m.id, m.vote_seconds::double precision AS vote_seconds, m.regions, s.state
    FROM monitors m JOIN monitor_states s ON s.monitor_id = m.id WHERE m.id = ANY(${ids}::text[])`
  for (let day = from; day < to; day += dayMillis) {
    const end = day + dayMillis
    const timelines = yield* Timeline.counted(monitors, day, end)
    const rows = monitors.map((monitor) => ({
      id: monitor.id,
      ...measure(timelines.get(monitor.id) ?? [], day, end)
    }))
    yield* sql`INSERT INTO rollup_day (monitor_id, day, up_millis, down_millis)
      SELECT id, ${utcDay(day)}::text::date, round(up)::bigint, round(down)::bigint
      FROM json_to_recordset(${JSON.stringify(rows)}::json) AS v(id text, up double precision, down double precision)
      ON CONFLICT (monitor_id, day) DO UPDATE SET up_millis = EXCLUDED.up_millis, down_millis = EXCLUDED.down_millis`
    // Observations of the day may still be on their way: such a day is filled again until it is known to its end.
    const unsure = monitors.filter((monitor) => {
      const known = Timeline.knownUntilOf(monitor)
      return monitor.state.status !== "paused" && day >= to - unsureDays * dayMillis && known > day && known < end
    })
    yield* mark(unsure.map(({ id }) => ({ monitorId: id, at: day })))
  }
})

/** Marks the closed days that status changes were dated into. */
export const markDays = (
  changes: ReadonlyArray<{ readonly monitorId: string; readonly at: EpochMillis }>,
  now: EpochMillis
) => mark(changes.filter(({ at }) => at < Math.floor(now / dayMillis) * dayMillis))

const mark = Effect.fnUntraced(function* (
  days: ReadonlyArray<{ readonly monitorId: string; readonly at: EpochMillis }>
) {
  if (days.length === 0) return
  const sql = yield* SqlClient.SqlClient
  const rows = days.map(({ at, monitorId }) => ({ id: monitorId, since: utcDay(at) }))
  yield* sql`INSERT INTO rollup_dirty (monitor_id, since)
    SELECT id, min(since) FROM json_to_recordset(${JSON.stringify(rows)}::json) AS v(id text, since date) GROUP BY id ORDER BY id
    ON CONFLICT (monitor_id) DO UPDATE SET since = LEAST(rollup_dirty.since, EXCLUDED.since)`
})

/** Late observations reopen the hours they belong to. */
export const markHours = Effect.fnUntraced(function* (
  fresh: ReadonlyArray<{ readonly scheduledAt: EpochMillis }>,
  now: EpochMillis
) {
  let oldest = now
  for (const { scheduledAt } of fresh) if (scheduledAt < oldest) oldest = scheduledAt
  if (oldest >= Math.floor((now - graceMillis) / hourMillis) * hourMillis) return
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE rollup_progress SET closed_until = ${new Date(oldest)} WHERE name = 'hour' AND closed_until > ${new Date(oldest)}`
})
