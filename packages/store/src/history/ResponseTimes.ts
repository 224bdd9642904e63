/**
 * Response times of a monitor over a window: raw when they are few, means of equal buckets when they are many. Windows that
 * begin before the oldest raw result are read from the hourly rollups.
 */
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { hourMillis, wholeHours, withinHour } from "./Buckets.ts"

export interface ResponseTimePoint {
  readonly timestamp: EpochMillis
  /** Milliseconds. */
  readonly responseTime: number
  readonly region: string
}

interface Row {
  readonly at: Date
  readonly region: string
  readonly value: number
}

/** Points in `[from, to)`, oldest first, at most `limit` a region. */
export const read = Effect.fnUntraced(function* (id: string, from: EpochMillis, to: EpochMillis, limit: number) {
  const sql = yield* SqlClient.SqlClient
  const begin = new Date(from)
  const end = new Date(to)
  const raw = sql`FROM observations
    WHERE monitor_id = ${id} AND scheduled_at >= ${begin} AND scheduled_at < ${end} AND response_time IS NOT NULL`
  const [{ first, hours, most }] = (yield* sql<Extent>`SELECT max(n)::double precision AS most,
      max(hours)::double precision AS hours, min(first) AS first
    FROM (SELECT sum(n) AS n, count(*) AS hours, min(first) AS first
      FROM (SELECT region, ${bucket(sql, "scheduled_at", hourMillis)}, count(*) AS n, min(scheduled_at) AS first
        ${raw} GROUP BY 1, 2) by_hour GROUP BY region) by_region`) as [Extent]

  const width = withinHour(hours ?? 0, limit)
  // An hour's mean says nothing of an instant.
  if (to - from >= hourMillis && (width === undefined || (yield* hasOlderHours(id, begin, first ?? end))))
    return yield* fromHours(id, from, to, limit)
  const rows =
    (most ?? 0) <= limit || width === undefined
      ? yield* sql<Row>`SELECT checked_at AS at, region, response_time AS value ${raw} ORDER BY scheduled_at, region`
      : yield* sql<Row>`SELECT GREATEST(${bucket(sql, "scheduled_at", width)}, ${begin}) AS at, region,
          avg(response_time) AS value ${raw} GROUP BY 1, 2 ORDER BY 1, 2`
  return rows.map(point)
})

/** Raw results: of the region with the most how many there are and in how many hours, and the first of all. */
interface Extent {
  readonly most: number | null
  readonly hours: number | null
  readonly first: Date | null
}

/** Whether there are hours of which only the rollups are left. */
const hasOlderHours = Effect.fnUntraced(function* (id: string, begin: Date, first: Date) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`SELECT 1 FROM rollup_hour WHERE monitor_id = ${id} AND hour >= ${begin}
    AND hour < date_trunc('hour', ${first}::timestamptz, 'UTC') AND response_time_count > 0 LIMIT 1`
  return rows.length > 0
})

/** Means over whole hours: closed ones from their rollups, the newest from the raw results. */
const fromHours = Effect.fnUntraced(function* (id: string, from: EpochMillis, to: EpochMillis, limit: number) {
  const sql = yield* SqlClient.SqlClient
  const begin = new Date(from)
  const end = new Date(to)
  const open = sql`(SELECT date_trunc('hour', max(closed_until), 'UTC') FROM rollup_progress WHERE name = 'hour')`
  const hours = sql`WITH hours AS MATERIALIZED (
    SELECT region, hour, response_time_count AS n, response_time_sum AS total FROM rollup_hour
    WHERE monitor_id = ${id} AND hour >= ${begin} AND hour < ${end} AND response_time_count > 0 AND hour < ${open}
    UNION ALL
    SELECT region, date_trunc('hour', scheduled_at, 'UTC'), count(*), sum(response_time) FROM observations
    WHERE monitor_id = ${id} AND scheduled_at >= GREATEST(${begin}, ${open}) AND scheduled_at < ${end}
      AND response_time IS NOT NULL GROUP BY 1, 2)`
  const widths = wholeHours(to - from, limit)
  const counts = yield* sql<{ most: number }>`${hours}
    SELECT (SELECT COALESCE(max(n), 0)::double precision FROM (
      SELECT count(DISTINCT date_bin(make_interval(hours => width), hour, ${origin(sql)})) AS n FROM hours GROUP BY region
    ) regions) AS most FROM unnest(${widths}::integer[]) WITH ORDINALITY AS w(width, position) ORDER BY position`
  const width = widths[counts.findIndex(({ most }) => most <= limit)] ?? widths.at(-1)!
  const rows = yield* sql<Row>`${hours}
    SELECT GREATEST(${bucket(sql, "hour", width * hourMillis)}, ${begin}) AS at, region, sum(total) / sum(n) AS value
    FROM hours GROUP BY 1, 2 ORDER BY 1, 2`
  return rows.map(point)
})

const origin = (sql: SqlClient.SqlClient) => sql.literal("timestamptz 'epoch'")

/** The beginning of the bucket a column falls into. */
const bucket = (sql: SqlClient.SqlClient, column: string, width: number) =>
  sql`date_bin(${sql.literal(`interval '${width} milliseconds'`)}, ${sql.literal(column)}, ${origin(sql)})`

const point = ({ at, region, value }: Row): ResponseTimePoint => ({
  timestamp: at.getTime(),
  responseTime: Math.round(value * 100) / 100,
  region
})
