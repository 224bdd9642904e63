/** What a status page says of its monitors, read for all of them at once: a handful of queries, however many there are. */
import type { MonitorId } from "@kanmon/domain/Ids"
import { barWindow, type Outage, type PublicMonitor } from "@kanmon/domain/PublicPage"
import type { MonitorStatus } from "@kanmon/domain/Status"
import { dayMillis, type EpochMillis, utcDay } from "@kanmon/domain/Timestamp"
import { add, none, outages, overlay, percent, type TimelineEntry, type UpDown } from "@kanmon/domain/Uptime"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Timeline from "../history/Timeline.ts"

/** Outages that a monitor is shown with. */
const mostOutages = 50
/** Status changes that are looked at for them: one that flaps for months does not make the page slow. */
const mostChanges = 400
const hourMillis = 3_600_000
/** Closed hours of response times. */
const hours = 24

/** The monitors of a page as the public sees them, in the page's order. */
export const ofPage = Effect.fnUntraced(function* (pageId: string, now: EpochMillis) {
  const sql = yield* SqlClient.SqlClient
  const status = Timeline.shownStatus(sql, now)
  const rows =
    yield* sql<Row>`SELECT m.id, m.name, m.vote_seconds::double precision AS vote_seconds, m.regions, s.state,
      p.display_group, ${status} AS status,
      (SELECT min(starts_at) FROM maintenance_windows w
        WHERE w.monitor_id = m.id AND w.starts_at <= ${new Date(now)} AND w.ends_at > ${new Date(now)}) AS window_start
    FROM status_page_monitors p JOIN monitors m ON m.id = p.monitor_id JOIN monitor_states s ON s.monitor_id = m.id
    WHERE p.page_id = ${pageId} ORDER BY p.position`
  if (rows.length === 0) return []
  const bar = barWindow(now)
  const days = yield* Timeline.days(rows, bar.from, now)
  const sumFrom = (id: MonitorId, first: string): UpDown =>
    days.get(id)!.reduce<UpDown>((sum, { day, upDown }) => (day >= first ? add(sum, upDown) : sum), none)
  /** Percent over the last days to the minute: the rest of the day on which they began, and the days since. */
  const over = Effect.fnUntraced(function* (count: number) {
    const from = now - count * dayMillis
    const midnight = Math.ceil(from / dayMillis) * dayMillis
    const rest = yield* Timeline.upDown(rows, from, midnight)
    return (id: MonitorId) => percent(add(rest.get(id)!, sumFrom(id, utcDay(midnight))))
  })
  const [lastDay, lastWeek, lastMonth] = [yield* over(1), yield* over(7), yield* over(30)]
  const outagesOf = yield* readOutages(rows, bar.from, now)
  const responseTimes = yield* readResponseTimes(
    rows.map(({ id }) => id),
    now
  )
  return rows.map((row): PublicMonitor => {
    const own = days.get(row.id)!
    return {
      id: row.id,
      name: row.name,
      displayGroup: row.display_group,
      status: row.status,
      since: row.status === "pending" ? null : row.status === "maintenance" ? startOf(row) : row.state.since,
      uptime24h: lastDay(row.id),
      uptime7d: lastWeek(row.id),
      uptime30d: lastMonth(row.id),
      uptime90d: percent(sumFrom(row.id, utcDay(bar.from))),
      days: own.map(({ day: date, upDown }) => ({
        date,
        uptime: percent(upDown),
        downtime: Math.round(upDown.down / 1000)
      })),
      outages: outagesOf(row.id),
      responseTimes: responseTimes(row.id)
    }
  })
})

const startOf = ({ state, window_start }: Row): EpochMillis => window_start?.getTime() ?? state.since

/** The newest outages of each monitor in `[from, now)`, newest first. Those within maintenance are none. */
const readOutages = Effect.fnUntraced(function* (
  monitors: ReadonlyArray<Timeline.MonitorRow>,
  from: EpochMillis,
  now: EpochMillis
) {
  const sql = yield* SqlClient.SqlClient
  const ids = monitors.map(({ id }) => id)
  const changes = yield* sql<{
    id: string
    changes: ReadonlyArray<readonly [at: number, status: TimelineEntry["status"]]>
  }>`
    SELECT m.id, (SELECT json_agg(json_build_array((extract(epoch FROM at) * 1000)::bigint, status) ORDER BY at, sequence)
      FROM (SELECT at, sequence, status FROM status_changes WHERE monitor_id = m.id AND at < ${new Date(now)}
        AND at >= COALESCE((SELECT max(at) FROM status_changes WHERE monitor_id = m.id AND at <= ${new Date(from)}), '-infinity')
        ORDER BY at DESC, sequence DESC LIMIT ${mostChanges}) newest) AS changes
    FROM unnest(${ids}::text[]) AS m(id)
    WHERE EXISTS (SELECT FROM status_changes WHERE monitor_id = m.id AND status = 'down' AND at < ${new Date(now)})`
  const closed = yield* Timeline.windows(ids, from, now)
  const byId = new Map(monitors.map((monitor) => [monitor.id, monitor]))
  const found = new Map(
    changes.map(({ changes: entries, id }) => {
      const timeline = (entries ?? []).map(([at, status]) => ({ at, status }))
      const monitor = byId.get(id)!
      // Nobody said that it is over: an outage lasts, though no check speaks of it at the moment.
      const known = monitor.state.status === "down" ? undefined : Timeline.knownUntilOf(monitor)
      const counted = overlay(timeline, known, closed.get(id))
      return [id, outages(counted, from, now).slice(-mostOutages).reverse()]
    })
  )
  return (id: string): ReadonlyArray<Outage> => found.get(id) ?? []
})

/** The mean response time of each of the last closed hours, over all regions. */
const readResponseTimes = Effect.fnUntraced(function* (ids: ReadonlyArray<string>, now: EpochMillis) {
  const sql = yield* SqlClient.SqlClient
  const to = Math.floor(now / hourMillis) * hourMillis
  const from = to - hours * hourMillis
  const rows = yield* sql<{ id: string; means: ReadonlyArray<readonly [hour: number, mean: number]> | null }>`
    SELECT m.id, (SELECT json_agg(json_build_array(hour, mean)) FROM (
      SELECT ((extract(epoch FROM hour) * 1000 - ${from}) / ${hourMillis})::int AS hour,
        sum(response_time_sum) / sum(response_time_count) AS mean
      FROM rollup_hour WHERE monitor_id = m.id AND hour >= ${new Date(from)} AND hour < ${new Date(to)}
        AND response_time_count > 0 GROUP BY 1) h) AS means
    FROM unnest(${ids}::text[]) AS m(id)`
  const found = new Map(rows.map(({ id, means }) => [id, new Map(means)]))
  return (id: string): ReadonlyArray<number | null> =>
    Array.from({ length: hours }, (_, hour) => {
      const mean = found.get(id)?.get(hour)
      return mean === undefined ? null : Math.round(mean * 10) / 10
    })
})

interface Row extends Timeline.MonitorRow {
  readonly id: MonitorId
  readonly name: string
  readonly display_group: string | null
  readonly status: MonitorStatus
  readonly window_start: Date | null
}
