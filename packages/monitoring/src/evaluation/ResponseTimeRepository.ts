/** Reads response times of one monitor: raw from its observations, by whole hours from the rollups. */
import type { MonitorId } from "@kanmon/domain/Ids"
import { type EpochMillis, floorDay } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"
import { hourMillis } from "./Buckets.ts"
import { ResultBlockRepository, resultsOf } from "./ResultBlockRepository.ts"

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
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const blocks = yield* ResultBlockRepository
      const origin = sql.literal("timestamptz 'epoch'")

      /** The beginning of the bucket a column falls into. */
      const bucket = (column: string, width: number) =>
        sql`date_bin(${sql.literal(`interval '${width} milliseconds'`)}, ${sql.literal(column)}, ${origin})`

      const searchOf = ({ from, id, to }: ResponseTimeWindow) => ({
        ids: [id],
        spans: [{ from, to }] as const,
        detail: "times" as const
      })

      const measuredOf = (results: Statement.Fragment, { from, id, to }: ResponseTimeWindow) =>
        sql`FROM ${results} r WHERE monitor_id = ${id}
          AND scheduled_at >= ${new Date(from)} AND scheduled_at < ${new Date(to)} AND response_time IS NOT NULL`

      /** Reads results with a response time, of rows and blocks. */
      const measured = (window: ResponseTimeWindow, use: (from: Statement.Fragment) => Points): Points =>
        blocks.within(searchOf(window), (results) => use(measuredOf(results, window)))

      /** Reads `hours`: closed hours from their rollups, the newest from the results. */
      const withHours = <A>(
        window: ResponseTimeWindow,
        use: (hours: Statement.Fragment) => Effect.Effect<A>
      ): Effect.Effect<A> =>
        Effect.gen(function* () {
          const { from, id, to } = window
          const begin = new Date(from)
          const end = new Date(to)
          const { at } = yield* progress(
            sql`SELECT date_trunc('hour', max(closed_until), 'UTC') AS at FROM rollup_progress WHERE name = 'hour'`
          )
          const open = at === null ? null : new Date(at)
          const rest = { id, from: Math.max(from, at ?? from), to }
          return yield* blocks.within(searchOf(rest), (results) =>
            use(sql`WITH hours AS MATERIALIZED (
              SELECT region, hour, response_time_count AS n, response_time_sum AS total FROM rollup_hour
              WHERE monitor_id = ${id} AND hour >= ${begin} AND hour < ${end} AND response_time_count > 0
                AND hour < ${open}::timestamptz
              UNION ALL
              SELECT region, date_trunc('hour', scheduled_at, 'UTC'), count(*), sum(response_time)
              FROM ${results} r
              WHERE monitor_id = ${id} AND scheduled_at >= GREATEST(${begin}, ${open}::timestamptz) AND scheduled_at < ${end}
                AND response_time IS NOT NULL GROUP BY 1, 2)`)
          )
        })

      return ResponseTimeRepository.of({
        extent: Effect.fnUntraced(function* (window) {
          const { from, to } = window
          const search = searchOf(window)
          for (;;) {
            const found = yield* blocks.measured(search)
            const rows = yield* byHour(sql`SELECT region, ${bucket("scheduled_at", hourMillis)} AS hour,
                count(*)::double precision AS n, min(scheduled_at) AS first
              ${measuredOf(sql.literal("observations"), window)} GROUP BY 1, 2`)
            const extents = new RegionExtents()
            for (const { first, hour, n, region } of rows) extents.add(region, hour, n, first)
            const parts = new Set<string>()
            for (const { first, firstAt, hours, measured, region, whole } of found)
              if (!whole) parts.add(`${region}:${firstAt}`)
              else if (first !== null) {
                extents.add(region, undefined, measured, first)
                for (let hour = 0; hour < 24; hour++)
                  if ((hours & (1 << hour)) !== 0) extents.add(region, floorDay(firstAt) + hour * hourMillis, 0, first)
              }
            if (parts.size > 0) {
              // Only blocks over the ends of the window are such.
              const ends = [
                { from, to: from + 1 },
                { from: to - 1, to }
              ]
              const read = yield* blocks.read({ ...search, spans: ends })
              const own = read.filter(({ firstAt, region }) => parts.has(`${region}:${firstAt}`))
              for (const { region, responseTime, scheduledAt } of resultsOf(own, search))
                if (responseTime !== null)
                  extents.add(region, Math.floor(scheduledAt / hourMillis) * hourMillis, 1, scheduledAt)
            }
            // What was moved meanwhile was seen by neither of the first two.
            const again = yield* blocks.measured(search)
            if (again.length === found.length && total(again) === total(found)) return extents.summary()
          }
        }),
        raw: (window) =>
          measured(window, (results) =>
            points(sql`SELECT checked_at AS timestamp, region, response_time AS "responseTime"
              ${results} ORDER BY scheduled_at, region`)
          ),
        means: (window, width) =>
          measured(window, (results) =>
            points(sql`SELECT GREATEST(${bucket("scheduled_at", width)}, ${new Date(window.from)}) AS timestamp, region,
              avg(response_time) AS "responseTime" ${results} GROUP BY 1, 2 ORDER BY 1, 2`)
          ),
        hasHoursBefore: (id, from, first) =>
          Rows.any(sql`SELECT 1 FROM rollup_hour WHERE monitor_id = ${id} AND hour >= ${new Date(from)}
            AND hour < date_trunc('hour', ${new Date(first)}::timestamptz, 'UTC') AND response_time_count > 0 LIMIT 1`),
        countHourBuckets: (window, widths) =>
          Effect.map(
            withHours(window, (hours) =>
              counts(sql`${hours}
              SELECT (SELECT COALESCE(max(n), 0)::double precision FROM (
                SELECT count(DISTINCT date_bin(make_interval(hours => width), hour, ${origin})) AS n
                FROM hours GROUP BY region
              ) regions) AS most FROM unnest(${widths}::integer[]) WITH ORDINALITY AS w(width, position) ORDER BY position`)
            ),
            (rows) => rows.map(({ most }) => most)
          ),
        hourMeans: (window, width) =>
          withHours(window, (hours) =>
            points(sql`${hours}
            SELECT GREATEST(${bucket("hour", width * hourMillis)}, ${new Date(window.from)}) AS timestamp, region,
              sum(total) / sum(n) AS "responseTime"
            FROM hours GROUP BY 1, 2 ORDER BY 1, 2`)
          )
      })
    })
  ).pipe(Layer.provide(ResultBlockRepository.layer))
}

/** Adds up, for each region, how many results there are, and in how many hours. */
class RegionExtents {
  private readonly regions = new Map<string, { n: number; readonly hours: Set<EpochMillis> }>()
  private first: EpochMillis | null = null

  add(region: string, hour: EpochMillis | undefined, n: number, first: EpochMillis): void {
    const extent = this.regions.get(region) ?? { n: 0, hours: new Set() }
    this.regions.set(region, extent)
    extent.n += n
    if (hour !== undefined) extent.hours.add(hour)
    this.first = Math.min(this.first ?? first, first)
  }

  summary(): Extent {
    const all = [...this.regions.values()]
    if (all.length === 0) return { most: null, hours: null, first: null }
    return {
      most: Math.max(...all.map(({ n }) => n)),
      hours: Math.max(...all.map(({ hours }) => hours.size)),
      first: this.first
    }
  }
}

const total = (found: ReadonlyArray<{ readonly measured: number }>): number =>
  found.reduce((sum, { measured }) => sum + measured, 0)

const byHour = Rows.all(Schema.Struct({ region: Schema.String, hour: Rows.Time, n: Schema.Finite, first: Rows.Time }))
const progress = Rows.one(Schema.Struct({ at: Schema.NullOr(Rows.Time) }))
const points = Rows.all(Schema.Struct({ timestamp: Rows.Time, region: Schema.String, responseTime: Schema.Finite }))
const counts = Rows.all(Schema.Struct({ most: Schema.Finite }))
