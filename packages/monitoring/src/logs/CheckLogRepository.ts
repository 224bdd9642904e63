/** Reads stored checks of one monitor, with what their targets answered. Never more of `observations` than the monitor's rows. */
import { type Capture } from "@kanmon/domain/Capture"
import type { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import { Failure, Timing } from "@kanmon/domain/Observation"
import { RegionStatus } from "@kanmon/domain/Status"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import {
  type MovedResult,
  newestFirst,
  ResultBlockRepository,
  storedCapture,
  storedState
} from "../evaluation/index.ts"
import * as Rows from "@kanmon/platform/database/Rows"

/** A stored check. */
export interface StoredCheck {
  readonly region: string
  readonly slot: number
  readonly scheduledAt: EpochMillis
  readonly checkedAt: EpochMillis
  readonly status: RegionStatus
  readonly responseTime: number | null
  readonly timing: Timing
  readonly statusCode: number | null
  readonly failure: Failure | null
  /** Set if what the target answered to this check is stored. */
  readonly captureId: string | null
}

/** A place in the list, which is ordered by due time and region. */
export interface Place {
  readonly scheduledAt: EpochMillis
  readonly region: string
}

interface CheckFilter {
  readonly id: MonitorId
  /** Due in `[from, to)`. */
  readonly from: EpochMillis
  readonly to: EpochMillis
  readonly status?: RegionStatus | undefined
  readonly region?: string | undefined
  /** Only checks that come after this one in the list. */
  readonly after?: Place | undefined
  readonly limit: number
}

/** A capture, and the check that it was taken at. */
export interface StoredCapture {
  readonly id: string
  readonly slot: number
  readonly scheduledAt: EpochMillis
  readonly capturedAt: EpochMillis
  readonly content: Capture
  readonly certificate: Schema.Json | null
}

export class CheckLogRepository extends Context.Service<CheckLogRepository>()(
  "@kanmon/monitoring/logs/CheckLogRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const blocks = yield* ResultBlockRepository
      const columns = sql`o.region, o.slot, o.scheduled_at AS "scheduledAt", o.checked_at AS "checkedAt", o.status,
        o.response_time AS "responseTime", o.timing, o.facts->'statusCode' AS "statusCode", o.failure`
      const captureId = sql`(SELECT c.id FROM captures c WHERE c.monitor_id = o.monitor_id
        AND c.scheduled_at = o.scheduled_at AND c.region = o.region) AS "captureId"`

      return {
        /** A monitor of a project; undefined when there is none. */
        findMonitor: (projectId: ProjectId, id: MonitorId) =>
          Effect.map(
            monitor(sql`SELECT m.id, m.vote_seconds::double precision AS "voteSeconds", m.regions, s.state
              FROM monitors m JOIN monitor_states s ON s.monitor_id = m.id
              WHERE m.id = ${id} AND m.project_id = ${projectId}`),
            (row) => row && { ...row, state: storedState.decode(row.state) }
          ),
        /** Checks, newest first. */
        list: Effect.fnUntraced(function* (filter: CheckFilter) {
          const { after, from, id, limit, region, status, to } = filter
          const conditions: ReadonlyArray<Statement.Fragment> = [
            sql`o.monitor_id = ${id}`,
            sql`o.scheduled_at >= ${new Date(from)}`,
            // Compared on its own as well, so that newer partitions are not opened.
            sql`o.scheduled_at <= ${new Date(after === undefined ? to - 1 : Math.min(to - 1, after.scheduledAt))}`,
            ...(after === undefined
              ? []
              : [sql`(o.scheduled_at, o.region) < (${new Date(after.scheduledAt)}, ${after.region})`]),
            ...(region === undefined ? [] : [sql`o.region = ${region}`]),
            // The second condition is that of the index of failing checks.
            ...(status === undefined ? [] : [sql`o.status = ${status}`]),
            ...(status === undefined || status === "up" ? [] : [sql`o.status <> 'up'`])
          ]
          const statuses = status === undefined ? undefined : [status]
          const until = after === undefined ? to : Math.min(to, after.scheduledAt + 1)
          const only = (moved: ReadonlyArray<MovedResult>) => newestOf(moved, after, limit)
          // One more, for that at which the list goes on.
          const search = { ids: [id], region, statuses, spans: [{ from, to: until }], newest: limit + 1, only }
          const rows = yield* blocks.within(search, (results) =>
            checks(sql`SELECT ${columns}, ${captureId} FROM ${results} o WHERE ${sql.and(conditions)}
              ORDER BY o.scheduled_at DESC, o.region DESC LIMIT ${limit}`)
          )
          return rows.map(read)
        }),
        /** The check of this slot that was due at one of these instants. */
        find: (id: MonitorId, region: string, slot: number, dueTimes: ReadonlyArray<EpochMillis>) =>
          dueTimes.length === 0
            ? Effect.succeed(undefined)
            : Effect.map(
                blocks.within(
                  { ids: [id], region, spans: dueTimes.map((at) => ({ from: at, to: at + 1 })) },
                  (results) =>
                    check(sql`SELECT ${columns}, ${captureId} FROM ${results} o
                      WHERE o.monitor_id = ${id} AND o.region = ${region} AND o.slot = ${slot}
                        AND o.scheduled_at = ANY(${dueTimes.map((at) => new Date(at).toISOString())}::text[]::timestamptz[])
                      ORDER BY o.scheduled_at DESC LIMIT 1`)
                ),
                (row) => row && read(row)
              ),
        /** The newest check of each other region that was due in `[since, at]`, by region. */
        votes: (id: MonitorId, region: string, since: EpochMillis, at: EpochMillis) =>
          Effect.map(
            blocks.within({ ids: [id], spans: [{ from: since, to: at + 1 }] }, (results) =>
              checks(sql`SELECT DISTINCT ON (o.region) ${columns}, ${captureId} FROM ${results} o
                WHERE o.monitor_id = ${id} AND o.region <> ${region}
                  AND o.scheduled_at >= ${new Date(since)} AND o.scheduled_at <= ${new Date(at)}
                ORDER BY o.region, o.scheduled_at DESC`)
            ),
            (rows) => rows.map(read)
          ),
        /**
         * The last response of the target to the region's failing checks, up to the one that was due at an instant and from
         * `since` on; undefined if a check has passed since.
         */
        findCapture: (id: MonitorId, region: string, since: EpochMillis, at: EpochMillis) =>
          Effect.map(
            blocks.within({ ids: [id], region, spans: [{ from: since, to: at + 1 }], detail: "brief" }, (results) =>
              capture(sql`SELECT c.id, c.scheduled_at AS "scheduledAt", c.captured_at AS "capturedAt", c.content, o.slot,
                o.facts->'certificate' AS certificate
              FROM captures c JOIN ${results} o
                ON o.monitor_id = c.monitor_id AND o.region = c.region AND o.scheduled_at = c.scheduled_at
              WHERE c.monitor_id = ${id} AND c.region = ${region}
                AND c.scheduled_at >= ${new Date(since)} AND c.scheduled_at <= ${new Date(at)}
                AND o.scheduled_at >= ${new Date(since)} AND o.scheduled_at <= ${new Date(at)}
                AND NOT EXISTS (SELECT FROM ${results} p WHERE p.monitor_id = c.monitor_id AND p.region = c.region
                  AND p.scheduled_at > c.scheduled_at AND p.scheduled_at >= ${new Date(since)}
                  AND p.scheduled_at <= ${new Date(at)} AND p.status IN ('up', 'degraded'))
              ORDER BY c.scheduled_at DESC LIMIT 1`)
            ),
            (row) => row && { ...row, content: storedCapture.decode(row.content) }
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(CheckLogRepository, CheckLogRepository.make).pipe(
    Layer.provide(ResultBlockRepository.layer)
  )
}

/** The first checks of the list among these. */
const newestOf = (
  moved: ReadonlyArray<MovedResult>,
  after: Place | undefined,
  limit: number
): ReadonlyArray<MovedResult> =>
  moved
    .filter((result) => after === undefined || newestFirst(after, result) < 0)
    .toSorted(newestFirst)
    .slice(0, limit)

const CheckRow = Schema.Struct({
  region: Schema.String,
  slot: Rows.Count,
  scheduledAt: Rows.Time,
  checkedAt: Rows.Time,
  status: RegionStatus,
  responseTime: Schema.NullOr(Schema.Finite),
  timing: Schema.NullOr(Timing),
  statusCode: Schema.Unknown,
  failure: Schema.NullOr(Failure),
  captureId: Schema.NullOr(Schema.String)
})

/** Facts are the plugin's, so a status code may be anything. */
const read = (row: typeof CheckRow.Type): StoredCheck => ({
  ...row,
  timing: row.timing ?? {},
  statusCode: typeof row.statusCode === "number" && Number.isFinite(row.statusCode) ? row.statusCode : null
})

const monitor = Rows.first(
  Schema.Struct({
    id: Schema.String,
    voteSeconds: Schema.Finite,
    regions: Schema.Array(Schema.String),
    state: Schema.Unknown
  })
)
const checks = Rows.all(CheckRow)
const check = Rows.first(CheckRow)
const capture = Rows.first(
  Schema.Struct({
    id: Schema.String,
    slot: Rows.Count,
    scheduledAt: Rows.Time,
    capturedAt: Rows.Time,
    content: Schema.Unknown,
    certificate: Schema.NullOr(Schema.Json)
  })
)
