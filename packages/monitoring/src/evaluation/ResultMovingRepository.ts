/** Moves results from rows to blocks, and keeps both as one where results are written. */
import { MonitorId } from "@kanmon/domain/Ids"
import { type Observation, Timing } from "@kanmon/domain/Observation"
import { RegionStatus } from "@kanmon/domain/Status"
import { dayMillis, type EpochMillis, floorDay, toIso } from "@kanmon/domain/Timestamp"
import * as Columns from "@kanmon/platform/database/Columns"
import * as Rows from "@kanmon/platform/database/Rows"
import { compiled } from "@kanmon/domain/CompiledSchema"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { blocksOf, type ResultWindow } from "./BlockPlan.ts"
import { hourMillis } from "./Buckets.ts"
import { type BlockResult, encode } from "./ResultBlock.ts"
import { horizonOf, type MovedResult, ResultBlockRepository, resultsOf } from "./ResultBlockRepository.ts"

/** The rows of so many monitors are planned together. */
const monitorsAtOnce = 25

export class ResultMovingRepository extends Context.Service<ResultMovingRepository>()(
  "@kanmon/monitoring/evaluation/ResultMovingRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const blocks = yield* ResultBlockRepository

      /** Writes results of one day, in any order, as blocks. */
      const insert = Effect.fnUntraced(function* (results: ReadonlyArray<MovedResult>, open: boolean) {
        const made = [...Map.groupBy(results, ({ monitorId, region }) => `${monitorId} ${region}`).values()].flatMap(
          (own) =>
            blocksOf(own, open).map((block) => ({
              monitor_id: own[0]!.monitorId,
              region: own[0]!.region,
              summary: summaryOf(block),
              data: encode(block)
            }))
        )
        if (made.length === 0) return
        const summaries = made.map(({ monitor_id, region, summary }) => ({ monitor_id, region, open, ...summary }))
        yield* sql`INSERT INTO result_blocks (monitor_id, region, open, first_at, last_at, results, statuses, failing, measured,
            measured_hours, first_measured_at, data)
          SELECT v.* FROM ROWS FROM (
            json_to_recordset(${JSON.stringify(summaries)}::json) AS (monitor_id text, region text, open boolean,
              first_at timestamptz, last_at timestamptz, results integer, statuses text[], failing integer, measured integer,
              measured_hours integer, first_measured_at timestamptz),
            unnest(${Columns.bytes(made.map(({ data }) => data))})) AS v`
      }, Effect.orDie)

      const between = (from: EpochMillis, to: EpochMillis) =>
        sql`scheduled_at >= ${new Date(from)} AND scheduled_at < ${new Date(to)}`
      const columnsOf = (windows: ReadonlyArray<ResultWindow>) =>
        sql`unnest(${Columns.texts(windows.map(({ monitorId }) => monitorId))},
          ${Columns.texts(windows.map(({ region }) => region))}, ${Columns.times(windows.map(({ from }) => from))},
          ${Columns.times(windows.map(({ to }) => to))}) AS w(id, region, begins, ends)`

      return {
        /** Locks monitors against evaluation, unless something else has them; and which of them exist. */
        tryLock: (ids: ReadonlyArray<MonitorId>) =>
          locks(sql`WITH own AS (SELECT monitor_id FROM monitor_states WHERE monitor_id = ANY(${ids}::text[])
              FOR NO KEY UPDATE SKIP LOCKED)
            SELECT monitor_id AS id, monitor_id IN (SELECT monitor_id FROM own) AS locked FROM monitor_states
            WHERE monitor_id = ANY(${ids}::text[])`),
        /** Until when all rollups that are computed from results are filled; undefined when one of them has not begun. */
        filledUntil: Effect.map(
          filled(sql`SELECT CASE WHEN count(*) = 2 THEN min(closed_until) END AS at FROM rollup_progress
            WHERE name IN ('hour', 'timing_hour')`),
          ({ at }) => at ?? undefined
        ),
        /** The next monitors in the order of ids with rows in `[from, to)`, or with open blocks there if these count. */
        nextMonitors: (from: EpochMillis, to: EpochMillis, after: string, withOpen: boolean) => {
          const open = withOpen
            ? sql`UNION (SELECT DISTINCT monitor_id FROM result_blocks WHERE open AND monitor_id > ${after}
                AND first_at >= ${new Date(from)} AND first_at < ${new Date(to)} ORDER BY 1 LIMIT ${monitorsAtOnce})`
            : sql``
          return Effect.map(
            // One look at the index for each monitor: the rows of others are passed over.
            ids(sql`WITH RECURSIVE known(id) AS (
                (SELECT monitor_id FROM observations WHERE ${between(from, to)} AND monitor_id > ${after}
                  ORDER BY monitor_id LIMIT 1)
                UNION ALL
                SELECT (SELECT monitor_id FROM observations WHERE ${between(from, to)} AND monitor_id > k.id
                  ORDER BY monitor_id LIMIT 1) FROM known k WHERE k.id IS NOT NULL)
              SELECT id FROM ((SELECT id FROM known WHERE id IS NOT NULL LIMIT ${monitorsAtOnce}) ${open}) found
              ORDER BY id LIMIT ${monitorsAtOnce}`),
            (rows) => rows.map(({ id }) => id)
          )
        },
        /** The hours with rows of these monitors in `[from, to)`, and their open blocks there if these count. */
        held: (ids: ReadonlyArray<MonitorId>, from: EpochMillis, to: EpochMillis, withOpen: boolean) =>
          windows(sql`SELECT monitor_id AS "monitorId", region, date_trunc('hour', scheduled_at, 'UTC') AS "from",
              date_trunc('hour', scheduled_at, 'UTC') + interval '1 hour' AS "to", count(*)::integer AS results
            FROM observations WHERE monitor_id = ANY(${ids}::text[]) AND ${between(from, to)} GROUP BY 1, 2, 3
            UNION ALL
            SELECT monitor_id, region, date_trunc('hour', first_at, 'UTC'),
              date_trunc('hour', last_at, 'UTC') + interval '1 hour', results
            FROM result_blocks WHERE open AND ${withOpen} AND monitor_id = ANY(${ids}::text[])
              AND first_at >= ${new Date(from)} AND first_at < ${new Date(to)}
            ORDER BY 1, 2, 3`),
        /** The days before an instant of which rows came when their partition was gone, or that have open blocks. */
        lateDays: (before: EpochMillis) =>
          Effect.map(
            days(sql`SELECT date_trunc('day', scheduled_at, 'UTC') AS day FROM observations_default
                WHERE scheduled_at < ${new Date(before)}
              UNION SELECT date_trunc('day', first_at, 'UTC') FROM result_blocks
                WHERE open AND first_at < ${new Date(before)} ORDER BY 1`),
            (rows) => rows.map(({ day }) => day)
          ),
        /** Deletes the rows of windows of a day, and returns them. */
        takeRows: (windows: ReadonlyArray<ResultWindow>, day: EpochMillis) =>
          taken(sql`DELETE FROM observations o USING ${columnsOf(windows)}
            WHERE o.monitor_id = w.id AND o.region = w.region AND o.scheduled_at >= w.begins AND o.scheduled_at < w.ends
              AND ${between(day, day + dayMillis)}
            RETURNING o.monitor_id AS "monitorId", o.region, slot, scheduled_at AS "scheduledAt", checked_at AS "checkedAt",
              status, response_time AS "responseTime", timing, failure::text AS failure, facts::text AS facts`),
        /** Deletes the blocks that have results of windows of a day, and returns what is in them. */
        takeBlocks: (windows: ReadonlyArray<ResultWindow>, day: EpochMillis) =>
          Effect.map(
            takenBlocks(sql`DELETE FROM result_blocks b USING (SELECT DISTINCT b.monitor_id, b.region, b.first_at
                FROM result_blocks b JOIN ${columnsOf(windows)} ON b.monitor_id = w.id AND b.region = w.region
                  AND b.first_at < w.ends AND b.last_at >= w.begins
                WHERE b.first_at >= ${new Date(day)} AND b.first_at < ${new Date(day + dayMillis)}) t
              WHERE b.monitor_id = t.monitor_id AND b.region = t.region AND b.first_at = t.first_at
              RETURNING b.monitor_id AS "monitorId", b.region, b.first_at AS "firstAt", b.results, b.open, b.data`),
            (found) => resultsOf(found, {})
          ),
        insert,
        /** The observations that are in no block. Their monitors must be locked. */
        withoutMoved: Effect.fnUntraced(function* (batch: ReadonlyArray<Observation>, now: EpochMillis) {
          const horizon = horizonOf(now)
          const past = batch.filter(({ scheduledAt }) => scheduledAt < horizon)
          if (past.length === 0) return batch
          const times = [...new Set(past.map(({ scheduledAt }) => scheduledAt))]
          const search = {
            ids: [...new Set(past.map(({ monitorId }) => monitorId))],
            spans: times.map((at) => ({ from: at, to: at + 1 })),
            detail: "status" as const
          }
          const known = new Set(resultsOf(yield* blocks.read(search), search).map(keyOf))
          return known.size === 0 ? batch : batch.filter((observation) => !known.has(keyOf(observation)))
        }),
        /** Deletes results in blocks that were due after an instant. Their monitors must be locked. */
        deleteAfter: Effect.fnUntraced(function* (ids: ReadonlyArray<MonitorId>, latest: EpochMillis) {
          const ended = yield* takenBlocks(sql`DELETE FROM result_blocks WHERE monitor_id = ANY(${ids}::text[])
            AND first_at >= ${new Date(floorDay(latest))} AND last_at > ${new Date(latest)}
            RETURNING monitor_id AS "monitorId", region, first_at AS "firstAt", results, open, data`)
          const kept = (open: boolean) =>
            resultsOf(
              ended.filter((block) => block.open === open && block.firstAt <= latest),
              { spans: [{ from: 0, to: latest + 1 }] }
            )
          yield* insert(kept(true), true)
          yield* insert(kept(false), false)
        }, Effect.orDie)
      }
    })
  }
) {
  static readonly layer = Layer.effect(ResultMovingRepository, ResultMovingRepository.make).pipe(
    Layer.provide(ResultBlockRepository.layer)
  )
}

/** Identifies a result: monitor, region and due time. */
export const keyOf = ({
  monitorId,
  region,
  scheduledAt
}: Pick<Observation, "monitorId" | "region" | "scheduledAt">): string => `${monitorId}:${region}:${scheduledAt}`

/** What a block's row says of its results, which are in the order in which they were due. */
const summaryOf = (results: ReadonlyArray<BlockResult>) => {
  const measured = results.filter(({ responseTime }) => responseTime !== null)
  let hours = 0
  for (const { scheduledAt } of measured) hours |= 1 << Math.floor((scheduledAt - floorDay(scheduledAt)) / hourMillis)
  return {
    first_at: toIso(results[0]!.scheduledAt),
    last_at: toIso(results.at(-1)!.scheduledAt),
    results: results.length,
    statuses: [...new Set(results.map(({ status }) => status))],
    failing: results.filter(({ status }) => status !== "up").length,
    measured: measured.length,
    measured_hours: hours,
    first_measured_at: measured[0] === undefined ? null : toIso(measured[0].scheduledAt)
  }
}

const locks = Rows.all(Schema.Struct({ id: MonitorId, locked: Schema.Boolean }))
const filled = Rows.one(Schema.Struct({ at: Schema.NullOr(Rows.Time) }))
const ids = Rows.all(Schema.Struct({ id: MonitorId }))
const days = Rows.all(Schema.Struct({ day: Rows.Time }))
const windows = Rows.all(
  Schema.Struct({ monitorId: MonitorId, region: Schema.String, from: Rows.Time, to: Rows.Time, results: Schema.Int })
)
const takenBlocks = Rows.all(
  Schema.Struct({
    monitorId: MonitorId,
    region: Schema.String,
    firstAt: Rows.Time,
    results: Schema.Int,
    open: Schema.Boolean,
    data: Schema.Uint8Array
  })
)
const taken = Rows.all(
  compiled(
    Schema.Struct({
      monitorId: MonitorId,
      region: Schema.String,
      slot: Rows.Count,
      scheduledAt: Rows.Time,
      checkedAt: Rows.Time,
      status: RegionStatus,
      responseTime: Schema.NullOr(Schema.Number),
      timing: Schema.NullOr(Timing),
      failure: Schema.NullOr(Schema.String),
      facts: Schema.NullOr(Schema.String)
    })
  )
)
