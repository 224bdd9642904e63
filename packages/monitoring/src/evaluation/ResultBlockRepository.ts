/**
 * The blocks of results: what is left of the rows of `observations` of closed days. Readers of results get both as one. A result
 * is in a row or in a block, never in both.
 */
import { MonitorId } from "@kanmon/domain/Ids"
import { RegionStatus } from "@kanmon/domain/Status"
import { type EpochMillis, floorDay } from "@kanmon/domain/Timestamp"
import * as Columns from "@kanmon/platform/database/Columns"
import * as Rows from "@kanmon/platform/database/Rows"
import { Clock, Context, Effect, Layer, Result, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { type BlockResult, decode, type Detail, type Reading } from "./ResultBlock.ts"

/** A result that was read from a block. */
export interface MovedResult extends BlockResult {
  readonly monitorId: MonitorId
  readonly region: string
}

type ListPlace = Pick<MovedResult, "region" | "scheduledAt">

/** Results that were due in `[from, to)`. */
interface ResultSpan {
  readonly from: EpochMillis
  readonly to: EpochMillis
}

/** Which results to read. */
export interface ResultSearch {
  readonly ids: ReadonlyArray<MonitorId>
  /** Within any of these. */
  readonly spans: ReadonlyArray<ResultSpan>
  readonly region?: string | undefined
  readonly statuses?: ReadonlyArray<RegionStatus> | undefined
  readonly detail?: Detail
  /** Of those that began by then. */
  readonly begunBy?: EpochMillis
  /** Of each block only so many, those that were due last. */
  readonly newest?: number
  /** Of what was found, only these. */
  readonly only?: (results: ReadonlyArray<MovedResult>) => ReadonlyArray<MovedResult>
}

/** A block as it is stored. */
interface StoredBlock {
  readonly monitorId: MonitorId
  readonly region: string
  readonly firstAt: EpochMillis
  readonly results: number
  readonly data: Uint8Array
}

export class ResultBlockRepository extends Context.Service<ResultBlockRepository>()(
  "@kanmon/monitoring/evaluation/ResultBlockRepository",
  {
    make: Effect.map(SqlClient.SqlClient, (sql) => {
      const rows = sql.literal("observations")

      const matching = ({ ids, region, spans, statuses }: ResultSearch): Statement.Fragment => {
        const from = Math.min(...spans.map((span) => span.from))
        return sql.and([
          sql`monitor_id = ANY(${ids}::text[])`,
          sql`first_at >= ${new Date(floorDay(from))}`,
          sql`EXISTS (SELECT FROM unnest(${Columns.times(spans.map((span) => span.from))},
            ${Columns.times(spans.map((span) => span.to))}) AS s(begins, ends) WHERE first_at < ends AND last_at >= begins)`,
          ...(region === undefined ? [] : [sql`region = ${region}`]),
          ...(statuses === undefined ? [] : [sql`statuses && ${statuses}::text[]`])
        ])
      }

      const read = (search: ResultSearch) =>
        blocks(sql`SELECT monitor_id AS "monitorId", region, first_at AS "firstAt", results, data FROM result_blocks
          WHERE ${matching(search)} ORDER BY monitor_id, first_at DESC, region`)

      /** Changes with each block that is added, or gets more results. */
      const extent = (search: ResultSearch) =>
        extents(sql`SELECT count(*)::integer AS blocks, COALESCE(sum(results), 0)::integer AS results FROM result_blocks
          WHERE ${matching(search)}`)

      /** The table of results with those that are in blocks. */
      const joined = (moved: ReadonlyArray<MovedResult>): Statement.Fragment =>
        moved.length === 0
          ? rows
          : sql`(SELECT monitor_id, region, scheduled_at, slot, checked_at, status, response_time, timing, failure, facts
              FROM observations
            UNION ALL SELECT monitor_id, region, scheduled_at, slot::bigint, checked_at, status, response_time, timing,
              failure::jsonb, facts::jsonb
            FROM unnest(${Columns.texts(moved.map(({ monitorId }) => monitorId))},
              ${Columns.texts(moved.map(({ region }) => region))},
              ${Columns.times(moved.map(({ scheduledAt }) => scheduledAt))},
              ${Columns.numbers(moved.map(({ slot }) => slot))},
              ${Columns.times(moved.map(({ checkedAt }) => checkedAt))},
              ${Columns.texts(moved.map(({ status }) => status))},
              ${Columns.numbers(moved.map(({ responseTime }) => responseTime))},
              ${Columns.json(moved.map(({ timing }) => timing))},
              ${Columns.texts(moved.map(({ failure }) => failure))},
              ${Columns.texts(moved.map(({ facts }) => facts))})
              AS moved(monitor_id, region, scheduled_at, slot, checked_at, status, response_time, timing, failure, facts))`

      /** Reads what a statement finds in `results`, which stands for the table `observations` with what was moved out of it. */
      const within = <A>(
        search: ResultSearch,
        use: (results: Statement.Fragment) => Effect.Effect<A>
      ): Effect.Effect<A> =>
        Effect.gen(function* () {
          // Only results of days before the present one are in blocks.
          const closed = floorDay(yield* Clock.currentTimeMillis)
          const spans = search.spans
            .filter(({ from, to }) => from < to && from < closed)
            .map(({ from, to }) => ({ from: Math.max(0, from), to: Math.min(to, closed) }))
          if (spans.length === 0 || search.ids.length === 0) return yield* use(rows)
          const past = { ...search, spans }
          for (;;) {
            const found = yield* read(past)
            const moved = resultsOf(found, past)
            const answer = yield* use(joined(search.only === undefined ? moved : search.only(moved)))
            // What was moved between the two statements was seen by neither.
            const now = yield* extent(past)
            if (now.blocks === found.length && now.results === found.reduce((sum, { results }) => sum + results, 0))
              return answer
          }
        })

      return {
        within,
        /** The blocks, of each monitor the newest first. */
        read,
        /** What is in the blocks of one span, the newest first, without reading their data. */
        contents: (search: ResultSearch) =>
          contents(sql`SELECT first_at AS "firstAt", last_at AS "lastAt", results, statuses, failing FROM result_blocks
            WHERE ${matching(search)} ORDER BY first_at DESC`),
        /** How many results with a response time the blocks have that are wholly in a span, and which are not. */
        measured: (search: ResultSearch & { readonly spans: readonly [ResultSpan] }) => {
          const [{ from, to }] = search.spans
          return measures(sql`SELECT region, first_at AS "firstAt", measured, measured_hours AS "hours",
              first_measured_at AS "first", first_at >= ${new Date(from)} AND last_at < ${new Date(to)} AS whole
            FROM result_blocks WHERE ${matching(search)}`)
        },
        deleteBefore: (at: EpochMillis) =>
          sql`DELETE FROM result_blocks WHERE first_at < ${new Date(floorDay(at))}`.pipe(Effect.asVoid, Effect.orDie)
      }
    })
  }
) {
  static readonly layer = Layer.effect(ResultBlockRepository, ResultBlockRepository.make)
}

/** The results of blocks that are searched for. A block that cannot be read is a defect: its results would be missing. */
export const resultsOf = (
  found: ReadonlyArray<StoredBlock>,
  { begunBy, detail, newest, spans, statuses }: Omit<ResultSearch, "ids">
): ReadonlyArray<MovedResult> => {
  const keep: Reading["keep"] = (scheduledAt, status, checkedAt) =>
    (statuses === undefined || statuses.includes(status)) &&
    (begunBy === undefined || checkedAt <= begunBy) &&
    spans.some(({ from, to }) => scheduledAt >= from && scheduledAt < to)
  return found.flatMap(({ data, monitorId, region }) =>
    Result.getOrThrow(decode(data, { detail, keep, newest })).map((result) =>
      // Many results: another object for each would take as long as reading it.
      Object.assign(result, { monitorId, region })
    )
  )
}

/** The order of lists of results: by due time and region, the newest first. */
export const newestFirst = (one: ListPlace, other: ListPlace): number =>
  other.scheduledAt - one.scheduledAt || (other.region < one.region ? -1 : 1)

const blocks = Rows.all(
  Schema.Struct({
    monitorId: MonitorId,
    region: Schema.String,
    firstAt: Rows.Time,
    results: Schema.Int,
    data: Schema.Uint8Array
  })
)
const extents = Rows.one(Schema.Struct({ blocks: Schema.Int, results: Schema.Int }))
const contents = Rows.all(
  Schema.Struct({
    firstAt: Rows.Time,
    lastAt: Rows.Time,
    results: Schema.Int,
    statuses: Schema.Array(RegionStatus),
    failing: Schema.Int
  })
)
const measures = Rows.all(
  Schema.Struct({
    region: Schema.String,
    firstAt: Rows.Time,
    measured: Schema.Int,
    hours: Schema.Int,
    first: Schema.NullOr(Rows.Time),
    whole: Schema.Boolean
  })
)
