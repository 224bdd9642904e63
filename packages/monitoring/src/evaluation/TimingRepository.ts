/** The tables of response times by phase: sketches of each hour and each day, by region. */
import type { MonitorId } from "@kanmon/domain/Ids"
import { growth, packing, type Sketch, smallest, unpack } from "@kanmon/domain/Sketch"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"
import * as LateResults from "./LateResultRepository.ts"
import { ResultBlockRepository } from "./ResultBlockRepository.ts"
import * as RollupProgressRepository from "./RollupProgressRepository.ts"

/** The measured times of a check: the whole, and its phases. */
export const phases = ["responseTime", "dns", "connect", "tls", "firstByte", "download"] as const
export type Phase = (typeof phases)[number]

/** The sketches of one period and one region. Phases that no check measured are absent. */
export interface TimingRow {
  readonly at: EpochMillis
  readonly sketches: Readonly<Partial<Record<Phase, Sketch>>>
}

type TimingPeriod = "timing_hour" | "timing_day"

/** The periods in `[from, to)` of a monitor, or of one region of it. */
interface TimingWindow {
  readonly id: MonitorId
  readonly from: EpochMillis
  readonly to: EpochMillis
  readonly region?: string | undefined
}

type Found = Effect.Effect<ReadonlyArray<TimingRow>>

export class TimingRepository extends Context.Service<TimingRepository>()(
  "@kanmon/monitoring/evaluation/TimingRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const blocks = yield* ResultBlockRepository
      const late = yield* LateResults.make
      const done = (statement: Effect.Effect<unknown, SqlError.SqlError>) => Effect.orDie(Effect.asVoid(statement))
      const { findFirstObservation, instant, saveProgress, tryLock } = RollupProgressRepository.make(sql, lockId)

      const columns = sql.literal("response_time, dns, connect, tls, first_byte, download")
      const named = sql.literal(
        `response_time AS "responseTime", dns, connect, tls, first_byte AS "firstByte", download`
      )
      const updates = sql.literal(
        ["response_time", "dns", "connect", "tls", "first_byte", "download"]
          .map((column) => `${column} = EXCLUDED.${column}`)
          .join(", ")
      )
      // The formula of Sketch.bucketOf.
      const bucket = sql.literal(`ceil(ln(greatest(t.value, ${smallest}) / ${smallest}) / ln(${growth}))::integer`)
      const series = sql.literal(
        [
          "(0, o.response_time)",
          ...phases.slice(1).map((phase, index) => `(${index + 1}, (o.timing->>'${phase}')::double precision)`)
        ].join(", ")
      )
      const packed = sql.literal(
        phases
          .map(
            (_, index) =>
              `array_agg(bucket * ${packing} + LEAST(n, ${packing - 1})::integer ORDER BY bucket) FILTER (WHERE series = ${index})`
          )
          .join(", ")
      )

      /** Sketches of observations by monitor, region and hour. */
      const sketched = (observations: Statement.Fragment) =>
        sql`SELECT monitor_id, region, at, ${packed} FROM (
          SELECT o.monitor_id, o.region, date_trunc('hour', o.scheduled_at, 'UTC') AS at, t.series, ${bucket} AS bucket,
            count(*) AS n
          FROM ${observations} CROSS JOIN LATERAL (VALUES ${series}) AS t(series, value)
          WHERE t.value IS NOT NULL GROUP BY 1, 2, 3, 4, 5) counted GROUP BY 1, 2, 3`

      const summed = sql.literal(
        ["response_time", "dns", "connect", "tls", "first_byte", "download"]
          .map(
            (column, index) => `SELECT monitor_id, region, ${index} AS series, unnest(${column}) AS entry FROM hours`
          )
          .join(" UNION ALL ")
      )

      const between = (column: string, { from, id, region, to }: TimingWindow) =>
        sql`monitor_id = ${id} AND ${sql(column)} >= ${new Date(from)} AND ${sql(column)} < ${new Date(to)}
          ${region === undefined ? sql`` : sql`AND region = ${region}`}`
      const read = (statement: Statement.Statement<unknown>): Found =>
        Effect.map(timings(statement), (rows) => rows.map(timingOf))

      return {
        /** Locks the tables until the transaction ends; false when another process holds the lock. */
        tryLock,
        /** Until when a period is filled; undefined when nothing was filled yet. */
        progress: (period: TimingPeriod) =>
          instant(sql`SELECT closed_until AS at FROM rollup_progress WHERE name = ${period}`),
        saveProgress,
        /** When the oldest observation was due. */
        findFirstObservation,
        /** Computes the hours that begin in `[from, to)` from their observations. */
        fillHours: (from: EpochMillis, to: EpochMillis) =>
          late.fill(from, to, (results) =>
            done(sql`INSERT INTO timing_hour (monitor_id, region, hour, ${columns})
              ${sketched(sql`(SELECT o.* FROM ${results} o JOIN monitors m ON m.id = o.monitor_id
                WHERE o.scheduled_at >= ${new Date(from)} AND o.scheduled_at < ${new Date(to)}) o`)}
              ON CONFLICT (monitor_id, hour, region) DO UPDATE SET ${updates}`)
          ),
        /** Computes the day that begins at an instant from its hours. */
        fillDay: (from: EpochMillis, to: EpochMillis) =>
          done(sql`INSERT INTO timing_day (monitor_id, region, day, ${columns})
            WITH hours AS (SELECT * FROM timing_hour WHERE hour >= ${new Date(from)} AND hour < ${new Date(to)})
            SELECT monitor_id, region, ${new Date(from)}::timestamptz, ${packed} FROM (
              SELECT monitor_id, region, series, entry / ${sql.literal(String(packing))} AS bucket,
                sum(entry % ${sql.literal(String(packing))}) AS n
              FROM (${summed}) entries GROUP BY 1, 2, 3, 4) counted GROUP BY 1, 2
            ON CONFLICT (monitor_id, day, region) DO UPDATE SET ${updates}`),
        hours: (window: TimingWindow) =>
          read(sql`SELECT hour AS at, ${named} FROM timing_hour WHERE ${between("hour", window)} ORDER BY hour`),
        days: (window: TimingWindow) =>
          read(sql`SELECT day AS at, ${named} FROM timing_day WHERE ${between("day", window)} ORDER BY day`),
        /** Hours that are not filled yet, from their observations. */
        observed: (window: TimingWindow) =>
          blocks.within({ ids: [window.id], region: window.region, spans: [window] }, (results) =>
            read(
              sql`SELECT at, ${named} FROM (${sketched(
                sql`(SELECT * FROM ${results} r WHERE ${between("scheduled_at", window)}) o`
              )}) AS found(monitor_id, region, at, ${columns}) ORDER BY at`
            )
          ),
        deleteBefore: (hour: EpochMillis, day: EpochMillis) =>
          done(
            Effect.andThen(
              sql`DELETE FROM timing_hour WHERE hour < ${new Date(hour)}`,
              sql`DELETE FROM timing_day WHERE day < ${new Date(day)}`
            )
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(TimingRepository, TimingRepository.make).pipe(
    Layer.provide(ResultBlockRepository.layer)
  )
}

const lockId = 0x6b616e7469

const Packed = Schema.NullOr(Schema.Array(Schema.Int))
const TimingColumns = Schema.Struct({
  at: Rows.Time,
  responseTime: Packed,
  dns: Packed,
  connect: Packed,
  tls: Packed,
  firstByte: Packed,
  download: Packed
})
const timings = Rows.all(TimingColumns)

const timingOf = (row: typeof TimingColumns.Type): TimingRow => {
  const sketches: Partial<Record<Phase, Sketch>> = {}
  for (const phase of phases) {
    const found = row[phase]
    if (found !== null) sketches[phase] = unpack(found)
  }
  return { at: row.at, sketches }
}
