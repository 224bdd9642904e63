/**
 * The blocks of results: what is left of the rows of `observations` of closed hours and days. Readers of results get both as one. A result
 * is in a row or in a block, never in both.
 */
import { MonitorId } from "@kanmon/domain/Ids"
import type { RegionStatus } from "@kanmon/domain/Status"
import { type EpochMillis, floorDay } from "@kanmon/domain/Timestamp"
import * as Columns from "@kanmon/platform/database/Columns"
import * as Rows from "@kanmon/platform/database/Rows"
import { Clock, Context, Effect, Layer, Result, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { floorHour } from "./Buckets.ts"
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
  /** Only results that began by then. */
  readonly begunBy?: EpochMillis
  /** At least so many of each monitor, the ones that were due last. */
  readonly newest?: number | undefined
  /** Chooses among what was found. */
  readonly only?: (results: ReadonlyArray<MovedResult>) => ReadonlyArray<MovedResult>
}

interface BlockKey {
  readonly monitorId: MonitorId
  readonly region: string
  readonly firstAt: EpochMillis
  readonly results: number
}

/** The columns of `observations`. */
const typedColumns = [
  ["monitor_id", "text"],
  ["region", "text"],
  ["scheduled_at", "timestamptz"],
  ["slot", "bigint"],
  ["checked_at", "timestamptz"],
  ["status", "text"],
  ["response_time", "double precision"],
  ["timing", "jsonb"],
  ["failure", "jsonb"],
  ["facts", "jsonb"]
] as const

/** A block as it is stored. */
interface StoredBlock extends BlockKey {
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

      /** How many results a block has for certain that are searched for. It has one at least. */
      const certain = ({ statuses }: ResultSearch): Statement.Fragment =>
        statuses === undefined
          ? sql`results`
          : statuses.every((status) => status === "up")
            ? sql`results - failing`
            : sql`CASE WHEN statuses <@ ${[...statuses, "up"]}::text[] THEN failing ELSE 1 END`

      /** The blocks, of each monitor the newest first; without those before which others have enough. */
      const chosen = (search: ResultSearch, columns: Statement.Fragment): Statement.Statement<unknown> => {
        const { newest, spans } = search
        const order = sql`ORDER BY b.monitor_id, b.first_at DESC, b.region`
        if (newest === undefined) return sql`SELECT ${columns} FROM result_blocks b WHERE ${matching(search)} ${order}`
        const from = Math.min(...spans.map((span) => span.from))
        // At the last instant may be the place in a list, where some regions are shown already.
        const to = Math.max(...spans.map((span) => span.to)) - 1
        return sql`WITH counted AS (SELECT monitor_id, first_at,
              sum(CASE WHEN first_at >= ${new Date(from)} AND last_at < ${new Date(to)} THEN ${certain(search)} ELSE 0 END)
                OVER (PARTITION BY monitor_id ORDER BY first_at DESC) AS certain
            FROM result_blocks WHERE ${matching(search)}),
          enough AS (SELECT monitor_id, max(first_at) AS since FROM counted WHERE certain >= ${newest} GROUP BY 1)
          SELECT ${columns} FROM result_blocks b LEFT JOIN enough e USING (monitor_id)
          WHERE ${matching(search)} AND (e.since IS NULL OR b.last_at >= e.since) ${order}`
      }
      const key = sql`b.monitor_id AS "monitorId", b.region, b.first_at AS "firstAt", b.results`

      const read = (search: ResultSearch) => blocks(chosen(search, sql`${key}, b.data`))

      /** The same blocks without their data. */
      const keysOf = (search: ResultSearch) => keys(chosen(search, key))

      /** The table of results with those that are in blocks, which have no column that was not read. */
      const joined = (moved: ReadonlyArray<MovedResult>, detail: Detail): Statement.Fragment => {
        if (moved.length === 0) return rows
        const columns: Array<readonly [name: string, values: Statement.Fragment]> = [
          ["monitor_id", sql`${Columns.texts(moved.map(({ monitorId }) => monitorId))}`],
          ["region", sql`${Columns.texts(moved.map(({ region }) => region))}`],
          ["scheduled_at", sql`${Columns.times(moved.map(({ scheduledAt }) => scheduledAt))}`],
          ["checked_at", sql`${Columns.times(moved.map(({ checkedAt }) => checkedAt))}`],
          ["status", sql`${Columns.texts(moved.map(({ status }) => status))}`]
        ]
        if (detail !== "status")
          columns.push(["response_time", sql`${Columns.numbers(moved.map(({ responseTime }) => responseTime))}`])
        if (detail === "all" || detail === "brief")
          columns.push(
            ["slot", sql`${Columns.numbers(moved.map(({ slot }) => slot))}`],
            ["failure", sql`${Columns.texts(moved.map(({ failure }) => failure))}`],
            ["facts", sql`${Columns.texts(moved.map(({ facts }) => facts))}`]
          )
        if (detail === "all") columns.push(["timing", sql`${Columns.json(moved.map(({ timing }) => timing))}`])
        const known = new Set(columns.map(([name]) => name))
        const names = sql.literal(columns.map(([name]) => name).join(", "))
        const typed = sql.literal(
          typedColumns.map(([name, type]) => `${known.has(name) ? name : "NULL"}::${type}`).join(", ")
        )
        return sql`(SELECT ${columnNames} FROM observations
          UNION ALL SELECT ${typed} FROM unnest(${sql.csv(columns.map(([, values]) => values))}) AS moved(${names}))`
      }
      const columnNames = sql.literal(typedColumns.map(([name]) => name).join(", "))

      /** Reads what a statement finds in `results`, which stands for the table `observations` with what was moved out of it. */
      const within = <A>(
        search: ResultSearch,
        use: (results: Statement.Fragment) => Effect.Effect<A>
      ): Effect.Effect<A> =>
        Effect.gen(function* () {
          const closed = horizonOf(yield* Clock.currentTimeMillis)
          const spans = search.spans
            .filter(({ from, to }) => from < to && from < closed)
            .map(({ from, to }) => ({ from: Math.max(0, from), to: Math.min(to, closed) }))
          if (spans.length === 0 || search.ids.length === 0) return yield* use(rows)
          const { begunBy, detail = "all", newest = 0, only = (moved) => moved } = search
          const unlimited: ResultSearch = { ...search, spans, newest: undefined }
          let past: ResultSearch = { ...search, spans }
          for (;;) {
            const found = yield* read(past)
            const moved = resultsOf(found, past)
            if (begunBy !== undefined && past.newest !== undefined && haveLess(found, moved, newest)) {
              // Some began later than they were due: blocks before them are needed.
              past = unlimited
              continue
            }
            const answer = yield* use(joined(only(moved), detail))
            // What was moved between the two statements was seen by neither.
            if (alike(found, yield* keysOf(past))) return answer
          }
        })

      return {
        within,
        /** The blocks, of each monitor the newest first. */
        read,
        /** The block of each of these monitors that reaches furthest in its span; not the first ones of them, if some are skipped. */
        latest: (asked: ReadonlyArray<ResultSpan & { readonly id: MonitorId }>, skipped: number) =>
          latest(sql`SELECT ${key}, b.last_at AS "lastAt", b.data
            FROM unnest(${Columns.texts(asked.map(({ id }) => id))}, ${Columns.times(asked.map(({ from }) => from))},
              ${Columns.times(asked.map(({ to }) => to))}) AS a(id, begins, ends)
            CROSS JOIN LATERAL (SELECT * FROM result_blocks WHERE monitor_id = a.id AND last_at >= a.begins AND first_at < a.ends
              AND first_at >= date_trunc('day', a.begins, 'UTC')
              ORDER BY last_at DESC, first_at DESC, region LIMIT 1 OFFSET ${skipped}) b`),
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

/** Results that were due from then on are in rows. Hours are moved long after this, so that clocks may differ. */
export const horizonOf = (now: EpochMillis): EpochMillis => floorHour(now - 600_000)

/** Whether of some monitor that has blocks fewer results than so many are among these. */
const haveLess = (found: ReadonlyArray<BlockKey>, moved: ReadonlyArray<MovedResult>, least: number): boolean => {
  const counts = new Map<string, number>()
  for (const { monitorId } of moved) counts.set(monitorId, (counts.get(monitorId) ?? 0) + 1)
  return found.some(({ monitorId }) => (counts.get(monitorId) ?? 0) < least)
}

/** Whether these are the same blocks with the same results. */
const alike = (some: ReadonlyArray<BlockKey>, others: ReadonlyArray<BlockKey>): boolean =>
  some.length === others.length &&
  some.every(({ firstAt, monitorId, region, results }, index) => {
    const other = others[index]!
    return (
      firstAt === other.firstAt && monitorId === other.monitorId && region === other.region && results === other.results
    )
  })

/** The results of blocks that are searched for. A block that cannot be read is a defect: its results would be missing. */
export const resultsOf = (
  found: ReadonlyArray<StoredBlock>,
  { begunBy, detail, newest, spans, statuses }: Partial<ResultSearch>
): ReadonlyArray<MovedResult> => {
  const keep: Reading["keep"] = (scheduledAt, status, checkedAt) =>
    (statuses === undefined || statuses.includes(status)) &&
    (begunBy === undefined || checkedAt <= begunBy) &&
    (spans === undefined || spans.some(({ from, to }) => scheduledAt >= from && scheduledAt < to))
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
const latest = Rows.all(
  Schema.Struct({
    monitorId: MonitorId,
    region: Schema.String,
    firstAt: Rows.Time,
    lastAt: Rows.Time,
    results: Schema.Int,
    data: Schema.Uint8Array
  })
)
const keys = Rows.all(
  Schema.Struct({ monitorId: MonitorId, region: Schema.String, firstAt: Rows.Time, results: Schema.Int })
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
