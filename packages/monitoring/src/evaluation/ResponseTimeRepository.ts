/** Reads response times of one monitor: raw from its observations, by whole hours from the rollups. */
import type { MonitorId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"
import { hourMillis } from "./Buckets.ts"

export interface ResponseTimePoint {
  readonly timestamp: EpochMillis
  /** Milliseconds. */
  readonly responseTime: number
  readonly region: string
}

/** The response times in `[from, to)` of a monitor. */
export interface ResponseTimeWindow {
  readonly id: MonitorId
  readonly from: EpochMillis
  readonly to: EpochMillis
}

/** Raw results in a window. */
export interface Extent {
  /** How many the region with the most has; null without any. */
  readonly most: number | null
  /** In how many hours the region has some that has them in the most hours. */
  readonly hours: number | null
  /** When the first of all was due. */
  readonly first: EpochMillis | null
}

type Points = Effect.Effect<ReadonlyArray<ResponseTimePoint>>

export class ResponseTimeRepository extends Context.Service<
  ResponseTimeRepository,
  {
    readonly extent: (window: ResponseTimeWindow) => Effect.Effect<Extent>
    /** Raw results, in the order in which they were due. */
    readonly raw: (window: ResponseTimeWindow) => Points
    /** Means of raw results over buckets of so many milliseconds, oldest first. */
    readonly means: (window: ResponseTimeWindow, width: number) => Points
    /** Whether there are hours from `from` on, before the one of an instant, of which only the rollups are left. */
    readonly hasHoursBefore: (id: MonitorId, from: EpochMillis, first: EpochMillis) => Effect.Effect<boolean>
    /** For each width in whole hours: how many buckets the region with the most has. */
    readonly countHourBuckets: (
      window: ResponseTimeWindow,
      widths: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyArray<number>>
    /** Means over buckets of so many whole hours: closed hours from their rollups, the newest from the raw results. */
    readonly hourMeans: (window: ResponseTimeWindow, width: number) => Points
  }
>()("@kanmon/monitoring/evaluation/ResponseTimeRepository") {
  static readonly layer = Layer.effect(
    ResponseTimeRepository,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const origin = sql.literal("timestamptz 'epoch'")

      /** The beginning of the bucket a column falls into. */
      const bucket = (column: string, width: number) =>
        sql`date_bin(${sql.literal(`interval '${width} milliseconds'`)}, ${sql.literal(column)}, ${origin})`

      const results = ({ from, id, to }: ResponseTimeWindow) => sql`FROM observations WHERE monitor_id = ${id}
        AND scheduled_at >= ${new Date(from)} AND scheduled_at < ${new Date(to)} AND response_time IS NOT NULL`

      const open = sql`(SELECT date_trunc('hour', max(closed_until), 'UTC') FROM rollup_progress WHERE name = 'hour')`

      const hours = ({ from, id, to }: ResponseTimeWindow) => {
        const begin = new Date(from)
        const end = new Date(to)
        return sql`WITH hours AS MATERIALIZED (
          SELECT region, hour, response_time_count AS n, response_time_sum AS total FROM rollup_hour
          WHERE monitor_id = ${id} AND hour >= ${begin} AND hour < ${end} AND response_time_count > 0 AND hour < ${open}
          UNION ALL
          SELECT region, date_trunc('hour', scheduled_at, 'UTC'), count(*), sum(response_time) FROM observations
          WHERE monitor_id = ${id} AND scheduled_at >= GREATEST(${begin}, ${open}) AND scheduled_at < ${end}
            AND response_time IS NOT NULL GROUP BY 1, 2)`
      }

      return ResponseTimeRepository.of({
        extent: (window) =>
          extent(sql`SELECT max(n)::double precision AS most, max(hours)::double precision AS hours, min(first) AS first
            FROM (SELECT sum(n) AS n, count(*) AS hours, min(first) AS first
              FROM (SELECT region, ${bucket("scheduled_at", hourMillis)}, count(*) AS n, min(scheduled_at) AS first
                ${results(window)} GROUP BY 1, 2) by_hour GROUP BY region) by_region`),
        raw: (window) =>
          points(sql`SELECT checked_at AS timestamp, region, response_time AS "responseTime"
            ${results(window)} ORDER BY scheduled_at, region`),
        means: (window, width) =>
          points(sql`SELECT GREATEST(${bucket("scheduled_at", width)}, ${new Date(window.from)}) AS timestamp, region,
            avg(response_time) AS "responseTime" ${results(window)} GROUP BY 1, 2 ORDER BY 1, 2`),
        hasHoursBefore: (id, from, first) =>
          Rows.any(sql`SELECT 1 FROM rollup_hour WHERE monitor_id = ${id} AND hour >= ${new Date(from)}
            AND hour < date_trunc('hour', ${new Date(first)}::timestamptz, 'UTC') AND response_time_count > 0 LIMIT 1`),
        countHourBuckets: (window, widths) =>
          Effect.map(
            counts(sql`${hours(window)}
              SELECT (SELECT COALESCE(max(n), 0)::double precision FROM (
                SELECT count(DISTINCT date_bin(make_interval(hours => width), hour, ${origin})) AS n
                FROM hours GROUP BY region
              ) regions) AS most FROM unnest(${widths}::integer[]) WITH ORDINALITY AS w(width, position) ORDER BY position`),
            (rows) => rows.map(({ most }) => most)
          ),
        hourMeans: (window, width) =>
          points(sql`${hours(window)}
            SELECT GREATEST(${bucket("hour", width * hourMillis)}, ${new Date(window.from)}) AS timestamp, region,
              sum(total) / sum(n) AS "responseTime"
            FROM hours GROUP BY 1, 2 ORDER BY 1, 2`)
      })
    })
  )
}

const extent = Rows.one(
  Schema.Struct({
    most: Schema.NullOr(Schema.Finite),
    hours: Schema.NullOr(Schema.Finite),
    first: Schema.NullOr(Rows.Time)
  })
)
const points = Rows.all(Schema.Struct({ timestamp: Rows.Time, region: Schema.String, responseTime: Schema.Finite }))
const counts = Rows.all(Schema.Struct({ most: Schema.Finite }))
