/** The tables of rollups: response times by hour, uptime by day, how far both are filled, and what has to be filled again. */
import { MonitorId } from "@kanmon/domain/Ids"
import { type EpochMillis, utcDay } from "@kanmon/domain/Timestamp"
import type { UpDown } from "@kanmon/domain/Uptime"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"
import * as LateResults from "./LateResultRepository.ts"
import { ResultBlockRepository } from "./ResultBlockRepository.ts"
import * as RollupProgressRepository from "./RollupProgressRepository.ts"
import { storedState } from "./StoredState.ts"
import type { MeasuredMonitor } from "./StatusHistory.ts"

export type Period = "hour" | "day"

/** A monitor, and a day (or an instant within it) to measure again. */
export interface ChangedDay {
  readonly monitorId: MonitorId
  readonly at: EpochMillis
}

/** A monitor with uptime rollups. */
export interface RolledMonitor extends MeasuredMonitor {
  readonly id: MonitorId
}

export class RollupRepository extends Context.Service<
  RollupRepository,
  {
    /** Locks the rollups until the transaction ends; false when another process holds the lock. */
    readonly tryLock: Effect.Effect<boolean>
    /** Until when a period is filled, locked; undefined when nothing was filled yet. */
    readonly lockProgress: (period: Period) => Effect.Effect<EpochMillis | undefined>
    readonly saveProgress: (period: Period, to: EpochMillis) => Effect.Effect<void>
    /** When the oldest observation was due. */
    readonly findFirstObservation: Effect.Effect<EpochMillis | undefined>
    /** The date of the oldest entry of any status history. */
    readonly findFirstEntry: Effect.Effect<EpochMillis | undefined>
    /** Computes the hours that begin in `[from, to)` from their observations. */
    readonly fillHours: (from: EpochMillis, to: EpochMillis) => Effect.Effect<void>
    readonly saveDays: (
      day: EpochMillis,
      measured: ReadonlyArray<UpDown & { readonly id: MonitorId }>
    ) => Effect.Effect<void>
    /** Marks days that have to be measured again. */
    readonly markDays: (days: ReadonlyArray<ChangedDay>) => Effect.Effect<void>
    /** Removes the marks; each says from which day on. */
    readonly takeMarks: Effect.Effect<ReadonlyArray<{ readonly id: MonitorId; readonly since: EpochMillis }>>
    /** Sets the progress of hours back to an instant. */
    readonly reopenHours: (to: EpochMillis) => Effect.Effect<void>
    readonly findMonitorIds: (after: string, limit: number) => Effect.Effect<ReadonlyArray<MonitorId>>
    readonly findMonitors: (ids: ReadonlyArray<MonitorId>) => Effect.Effect<ReadonlyArray<RolledMonitor>>
  }
>()("@kanmon/monitoring/evaluation/RollupRepository") {
  static readonly layer = Layer.effect(
    RollupRepository,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const late = yield* LateResults.make
      const done = (statement: Effect.Effect<unknown, SqlError.SqlError>) => Effect.orDie(Effect.asVoid(statement))
      const { findFirstObservation, instant, saveProgress, tryLock } = RollupProgressRepository.make(sql, lockId)

      return RollupRepository.of({
        tryLock,
        lockProgress: (period) =>
          instant(sql`SELECT closed_until AS at FROM rollup_progress WHERE name = ${period} FOR UPDATE`),
        saveProgress,
        findFirstObservation,
        findFirstEntry: instant(sql`SELECT min(at) AS at FROM status_changes`),
        fillHours: (from, to) =>
          late.fill(from, to, (results) =>
            done(sql`INSERT INTO rollup_hour (monitor_id, region, hour, checks, response_time_count, response_time_sum)
              SELECT o.monitor_id, o.region, date_trunc('hour', o.scheduled_at, 'UTC'), count(*), count(o.response_time),
                COALESCE(sum(o.response_time), 0)
              FROM ${results} o JOIN monitors m ON m.id = o.monitor_id
              WHERE o.scheduled_at >= ${new Date(from)} AND o.scheduled_at < ${new Date(to)}
              GROUP BY 1, 2, 3
              ON CONFLICT (monitor_id, hour, region) DO UPDATE SET checks = EXCLUDED.checks,
                response_time_count = EXCLUDED.response_time_count, response_time_sum = EXCLUDED.response_time_sum`)
          ),
        saveDays: (day, measured) =>
          done(sql`INSERT INTO rollup_day (monitor_id, day, up_millis, down_millis)
            SELECT id, ${utcDay(day)}::text::date, round(up)::bigint, round(down)::bigint
            FROM json_to_recordset(${JSON.stringify(measured)}::json) AS v(id text, up double precision, down double precision)
            ON CONFLICT (monitor_id, day) DO UPDATE SET up_millis = EXCLUDED.up_millis, down_millis = EXCLUDED.down_millis`),
        markDays: (days) => {
          if (days.length === 0) return Effect.void
          const rows = days.map(({ at, monitorId }) => ({ id: monitorId, since: utcDay(at) }))
          return done(sql`INSERT INTO rollup_dirty (monitor_id, since)
            SELECT id, min(since) FROM json_to_recordset(${JSON.stringify(rows)}::json) AS v(id text, since date)
            GROUP BY id ORDER BY id
            ON CONFLICT (monitor_id) DO UPDATE SET since = LEAST(rollup_dirty.since, EXCLUDED.since)`)
        },
        takeMarks: marks(
          sql`DELETE FROM rollup_dirty RETURNING monitor_id AS id, since::timestamp AT TIME ZONE 'UTC' AS since`
        ),
        reopenHours: (to) =>
          done(sql`UPDATE rollup_progress SET closed_until = ${new Date(to)}
            WHERE name IN ('hour', 'timing_hour', 'timing_day') AND closed_until > ${new Date(to)}`),
        findMonitorIds: (after, limit) =>
          Effect.map(ids(sql`SELECT id FROM monitors WHERE id > ${after} ORDER BY id LIMIT ${limit}`), (rows) =>
            rows.map(({ id }) => id)
          ),
        findMonitors: (ids) =>
          Effect.map(
            monitors(sql`SELECT m.id, m.vote_seconds::double precision AS "voteSeconds", m.regions, s.state
              FROM monitors m JOIN monitor_states s ON s.monitor_id = m.id WHERE m.id = ANY(${ids}::text[])`),
            (rows) => rows.map((row) => ({ ...row, state: storedState.decode(row.state) }))
          )
      })
    })
  ).pipe(Layer.provide(ResultBlockRepository.layer))
}

const lockId = 0x6b616e726f

const marks = Rows.all(Schema.Struct({ id: MonitorId, since: Rows.Time }))
const ids = Rows.all(Schema.Struct({ id: MonitorId }))
const monitors = Rows.all(
  Schema.Struct({
    id: MonitorId,
    voteSeconds: Schema.Finite,
    regions: Schema.Array(Schema.String),
    state: Schema.Unknown
  })
)
