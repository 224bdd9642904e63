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
import { hourMillis } from "./Buckets.ts"
import { type BlockResult, encode, maxResults, maxTextBytes } from "./ResultBlock.ts"
import { ResultBlockRepository, resultsOf } from "./ResultBlockRepository.ts"

export class ResultMovingRepository extends Context.Service<ResultMovingRepository>()(
  "@kanmon/monitoring/evaluation/ResultMovingRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const blocks = yield* ResultBlockRepository

      /** Writes the results of a region and a day, in any order, as blocks. */
      const insert = Effect.fnUntraced(function* (id: MonitorId, region: string, results: ReadonlyArray<BlockResult>) {
        if (results.length === 0) return
        const made = blocksOf(results)
        yield* sql`INSERT INTO result_blocks
            (monitor_id, region, first_at, last_at, results, statuses, failing, measured, measured_hours, first_measured_at, data)
          SELECT ${id}, ${region}, v.* FROM ROWS FROM (
            json_to_recordset(${JSON.stringify(made.map(summaryOf))}::json) AS (first_at timestamptz, last_at timestamptz,
              results integer, statuses text[], failing integer, measured integer, measured_hours integer,
              first_measured_at timestamptz),
            unnest(${Columns.bytes(made.map(encode))})) AS v`
      }, Effect.orDie)

      const remove = (id: MonitorId, region: string, day: EpochMillis) =>
        sql`DELETE FROM result_blocks WHERE monitor_id = ${id} AND region = ${region}
          AND first_at >= ${new Date(day)} AND first_at < ${new Date(day + dayMillis)}`.pipe(
          Effect.asVoid,
          Effect.orDie
        )

      /** The results of a day that are in blocks, of one region or of all. */
      const stored = (id: MonitorId, day: EpochMillis, region?: string) => {
        const spans = [{ from: day, to: day + dayMillis }]
        return Effect.map(blocks.read({ ids: [id], region, spans }), (found) => resultsOf(found, { spans }))
      }

      return {
        /** Locks a monitor against evaluation, unless something else has it; and whether it exists. */
        tryLock: (id: MonitorId) =>
          Effect.gen(function* () {
            if (
              yield* Rows.any(sql`SELECT 1 FROM monitor_states WHERE monitor_id = ${id} FOR NO KEY UPDATE SKIP LOCKED`)
            )
              return "locked"
            return (yield* Rows.any(sql`SELECT 1 FROM monitor_states WHERE monitor_id = ${id}`)) ? "busy" : "missing"
          }),
        /** Until when all rollups that are computed from results are filled; undefined when one of them has not begun. */
        filledUntil: Effect.map(
          filled(sql`SELECT CASE WHEN count(*) = 2 THEN min(closed_until) END AS at FROM rollup_progress
            WHERE name IN ('hour', 'timing_hour')`),
          ({ at }) => at ?? undefined
        ),
        /** The next monitor in the order of ids with rows of a day. */
        nextMonitor: (day: EpochMillis, after: string) =>
          Effect.map(
            ids(sql`SELECT monitor_id AS id FROM observations WHERE scheduled_at >= ${new Date(day)}
              AND scheduled_at < ${new Date(day + dayMillis)} AND monitor_id > ${after} ORDER BY monitor_id LIMIT 1`),
            (row) => row?.id
          ),
        /** The days before an instant of which rows came when their partition was gone. */
        lateDays: (before: EpochMillis) =>
          Effect.map(
            days(sql`SELECT DISTINCT date_trunc('day', scheduled_at, 'UTC') AS day FROM observations_default
              WHERE scheduled_at < ${new Date(before)} ORDER BY 1`),
            (rows) => rows.map(({ day }) => day)
          ),
        /** The regions with rows of a monitor and a day. */
        regions: (id: MonitorId, day: EpochMillis) =>
          Effect.map(
            regions(sql`SELECT DISTINCT region FROM observations WHERE monitor_id = ${id}
              AND scheduled_at >= ${new Date(day)} AND scheduled_at < ${new Date(day + dayMillis)} ORDER BY 1`),
            (rows) => rows.map(({ region }) => region)
          ),
        /** Deletes the rows of a monitor, a region and a day, and returns them. */
        takeRows: (id: MonitorId, region: string, day: EpochMillis) =>
          taken(sql`DELETE FROM observations WHERE monitor_id = ${id} AND region = ${region}
              AND scheduled_at >= ${new Date(day)} AND scheduled_at < ${new Date(day + dayMillis)}
            RETURNING slot, scheduled_at AS "scheduledAt", checked_at AS "checkedAt", status,
              response_time AS "responseTime", timing, failure::text AS failure, facts::text AS facts`),
        stored,
        insert,
        remove,
        /** Those of the observations that are in no block. Their monitors must be locked. */
        withoutMoved: Effect.fnUntraced(function* (batch: ReadonlyArray<Observation>, now: EpochMillis) {
          const today = floorDay(now)
          const past = batch.filter(({ scheduledAt }) => scheduledAt < today)
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
          const first = floorDay(latest)
          yield* sql`DELETE FROM result_blocks WHERE monitor_id = ANY(${ids}::text[])
            AND first_at >= ${new Date(first + dayMillis)}`
          for (const id of ids) {
            const byRegion = Map.groupBy(yield* stored(id, first), ({ region }) => region)
            for (const [region, results] of byRegion) {
              yield* remove(id, region, first)
              yield* insert(
                id,
                region,
                results.filter(({ scheduledAt }) => scheduledAt <= latest)
              )
            }
          }
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

/** Results in the order in which they were due, for one block unless they are very many or very long. */
const blocksOf = (results: ReadonlyArray<BlockResult>): ReadonlyArray<ReadonlyArray<BlockResult>> => {
  const made: Array<Array<BlockResult>> = []
  let texts = new Set<string>()
  let room = 0
  for (const result of results.toSorted((one, other) => one.scheduledAt - other.scheduledAt)) {
    const own = [result.failure, result.facts].filter((text) => text !== null)
    const size = own.reduce((sum, text) => (texts.has(text) ? sum : sum + text.length), 0)
    if (made.length === 0 || made.at(-1)!.length === maxResults || size > room) {
      made.push([])
      texts = new Set()
      room = maxTextBytes
    }
    made.at(-1)!.push(result)
    for (const text of own) texts.add(text)
    room -= size
  }
  return made
}

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

const filled = Rows.one(Schema.Struct({ at: Schema.NullOr(Rows.Time) }))
const ids = Rows.first(Schema.Struct({ id: MonitorId }))
const days = Rows.all(Schema.Struct({ day: Rows.Time }))
const regions = Rows.all(Schema.Struct({ region: Schema.String }))
const taken = Rows.all(
  compiled(
    Schema.Struct({
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
