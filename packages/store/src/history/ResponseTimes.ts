/** Response times of a monitor over a window: raw when they are few, means of equal buckets when they are many. */
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export interface ResponseTimePoint {
  readonly timestamp: EpochMillis
  /** Milliseconds. */
  readonly responseTime: number
  readonly region: string
}

const hourMillis = 3_600_000

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
  const width = Math.ceil((to - from) / limit)
  const [{ most }] = (yield* sql<{ most: bigint | null }>`SELECT max(n) AS most FROM (
      SELECT count(*) AS n FROM observations
      WHERE monitor_id = ${id} AND scheduled_at >= ${begin} AND scheduled_at < ${end} AND response_time IS NOT NULL
      GROUP BY region) counts`) as [{ most: bigint | null }]
  const raw = Number(most ?? 0)

  // Wide buckets, and windows of which only the rollups are left, are read from the hours.
  if (raw === 0 || (raw > limit && width >= hourMillis)) {
    const hours = yield* sql<Row>`SELECT ${bucket(sql, "hour", from, Math.max(width, hourMillis))} AS at, region,
        sum(response_time_sum) / sum(response_time_count) AS value
      FROM rollup_hour WHERE monitor_id = ${id} AND hour >= ${begin} AND hour < ${end} AND response_time_count > 0
      GROUP BY 1, 2 ORDER BY 1, 2`
    if (hours.length > 0) return hours.map(point)
  }
  if (raw <= limit) {
    const rows = yield* sql<Row>`SELECT checked_at AS at, region, response_time AS value FROM observations
      WHERE monitor_id = ${id} AND scheduled_at >= ${begin} AND scheduled_at < ${end} AND response_time IS NOT NULL
      ORDER BY scheduled_at, region`
    return rows.map(point)
  }
  const rows =
    yield* sql<Row>`SELECT ${bucket(sql, "scheduled_at", from, width)} AS at, region, avg(response_time) AS value
    FROM observations
    WHERE monitor_id = ${id} AND scheduled_at >= ${begin} AND scheduled_at < ${end} AND response_time IS NOT NULL
    GROUP BY 1, 2 ORDER BY 1, 2`
  return rows.map(point)
})

/** The beginning of the bucket a column falls into. */
const bucket = (sql: SqlClient.SqlClient, column: string, from: EpochMillis, width: number) =>
  sql.literal(`date_bin(interval '${width} milliseconds', ${column}, timestamptz '${new Date(from).toISOString()}')`)

const point = ({ at, region, value }: Row): ResponseTimePoint => ({
  timestamp: at.getTime(),
  responseTime: Math.round(value * 100) / 100,
  region
})
