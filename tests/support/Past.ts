/** Inserts 90 days of history for monitors directly into the tables. */
import { barDays } from "@kanmon/domain/PublicPage"
import { dayMillis, type EpochMillis } from "@kanmon/domain/Timestamp"
import { daysBetween, measure, type TimelineEntry, type Window } from "@kanmon/domain/Uptime"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const minute = 60_000
const hour = 60 * minute

/** One monitor's past. */
export interface Past {
  readonly monitorId: string
  /** When it was down, oldest first. */
  readonly outages: ReadonlyArray<Window>
  /** Mean response time in milliseconds, 1 to 24 hours ago. */
  readonly responseTime: (hoursAgo: number) => number | null
}

const lengths = [2 * minute, 9 * minute, 45 * minute, 3 * hour, 20 * hour]

/** A past that differs from monitor to monitor, and never from run to run: some were never down, some often. */
export const varied = (monitorId: string, index: number, now: EpochMillis): Past => ({
  monitorId,
  outages: Array.from({ length: (index * 7) % 5 }, (_, nth) => {
    const from = now - (88 - nth * 20 - (index % 17)) * dayMillis - ((index * 37) % 600) * minute
    return { from, to: from + lengths[(index + nth * 3) % lengths.length]! }
  }),
  responseTime: (hoursAgo) =>
    hoursAgo === (index % 50) + 5 ? null : 40 + ((index * 29) % 160) + ((hoursAgo * 31) % 45)
})

/** Writes them, as the engine would have: status histories, rolled up days and hours. */
export const write = Effect.fnUntraced(function* (pasts: ReadonlyArray<Past>, now: EpochMillis) {
  const sql = yield* SqlClient.SqlClient
  const today = Math.floor(now / dayMillis) * dayMillis
  const thisHour = Math.floor(now / hour) * hour
  const beginning = today - barDays * dayMillis
  const insert = (into: string, columns: string, types: string, rows: ReadonlyArray<unknown>) =>
    sql.unsafe(`INSERT INTO ${into} (${columns}) SELECT ${columns} FROM json_to_recordset($1::json) AS v(${types})`, [
      JSON.stringify(rows)
    ])

  const timelines = pasts.map(({ monitorId, outages }) => {
    const down = outages.flatMap(({ from, to }): ReadonlyArray<TimelineEntry> => [
      { at: from, status: "down" },
      { at: to, status: "up" }
    ])
    return { monitorId, timeline: [{ at: beginning, status: "up" as const }, ...down] }
  })
  yield* insert(
    "status_changes",
    "monitor_id, at, status",
    "monitor_id text, at timestamptz, status text",
    timelines.flatMap(({ monitorId, timeline }) =>
      timeline.map(({ at, status }) => ({ monitor_id: monitorId, at: new Date(at), status }))
    )
  )
  yield* insert(
    "rollup_day",
    "monitor_id, day, up_millis, down_millis",
    "monitor_id text, day date, up_millis bigint, down_millis bigint",
    timelines.flatMap(({ monitorId, timeline }) =>
      daysBetween(beginning, today).map(({ day, from, to }) => {
        const { down, up } = measure(timeline, from, to)
        return { monitor_id: monitorId, day, up_millis: up, down_millis: down }
      })
    )
  )
  yield* insert(
    "rollup_hour",
    "monitor_id, region, hour, checks, response_time_count, response_time_sum",
    "monitor_id text, region text, hour timestamptz, checks int, response_time_count int, response_time_sum float8",
    pasts.flatMap(({ monitorId, responseTime }) =>
      Array.from({ length: 24 }, (_, index) => {
        const mean = responseTime(24 - index)
        return {
          monitor_id: monitorId,
          region: "eu-west",
          hour: new Date(thisHour - (24 - index) * hour),
          checks: 60,
          response_time_count: mean === null ? 0 : 60,
          response_time_sum: (mean ?? 0) * 60
        }
      })
    )
  )
  for (const [name, until] of [
    ["day", today],
    ["hour", thisHour]
  ] as const)
    yield* sql`INSERT INTO rollup_progress (name, closed_until) VALUES (${name}, ${new Date(until)})
      ON CONFLICT (name) DO UPDATE SET closed_until = GREATEST(rollup_progress.closed_until, EXCLUDED.closed_until)`
})
