/** The tables that an evaluation reads and writes: monitors with their states, observations and the status history. */
import type { HistoryEntry } from "@kanmon/domain/BatchEvaluation"
import { compiled } from "@kanmon/domain/CompiledSchema"
import { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import type { MonitorState } from "@kanmon/domain/MonitorState"
import type { Observation } from "@kanmon/domain/Observation"
import { isStale } from "@kanmon/domain/Staleness"
import { type EpochMillis, toIso } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Columns from "@kanmon/platform/database/Columns"
import * as Rows from "@kanmon/platform/database/Rows"
import { keyOf, ResultMovingRepository } from "./ResultMovingRepository.ts"
import { storedState } from "./StoredState.ts"

/** A monitor that is watched for results, and the instant from which on. */
export interface Watch {
  readonly id: MonitorId
  readonly lookAt: EpochMillis
}

export class EvaluationRepository extends Context.Service<EvaluationRepository>()(
  "@kanmon/monitoring/evaluation/EvaluationRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const moving = yield* ResultMovingRepository

      const columnsOfMonitor = sql`m.id, m.project_id AS "projectId", m.name, m.type,
        m.vote_seconds::double precision AS interval, m.regions, m.passive,
        CASE WHEN jsonb_typeof(m.config->'sslExpiryThreshold') = 'number'
          THEN (m.config->>'sslExpiryThreshold')::double precision END AS "sslExpiryThreshold", s.state`
      const columnsOfWatched = sql`${columnsOfMonitor}, m.timeout_seconds AS timeout, 
        COALESCE(m.spec_changed_at, m.updated_at) AS "changedAt"`
      const from = (ids: ReadonlyArray<MonitorId>) =>
        sql`FROM monitors m JOIN monitor_states s ON s.monitor_id = m.id WHERE m.id = ANY(${ids}::text[])`
      const locked = sql`ORDER BY m.id FOR NO KEY UPDATE OF s`

      /** Inserts those observations that are stored neither as rows nor in blocks, and returns them in their order. */
      const insertNew = Effect.fnUntraced(function* (given: ReadonlyArray<Observation>, now: EpochMillis) {
        const batch = yield* moving.withoutMoved(given, now)
        if (batch.length === 0) return []
        // Nearly always all are new: then their number says so. Their keys are returned only when some are not.
        const [counted, ...keys] = yield* inserted(sql`WITH
            new AS (INSERT INTO observations
                (monitor_id, region, scheduled_at, slot, checked_at, status, response_time, timing, failure, facts)
              SELECT monitor_id, region, scheduled_at, slot, checked_at, status, response_time, timing, failure, facts
              FROM unnest(${Columns.texts(batch.map(({ monitorId }) => monitorId))},
                ${Columns.texts(batch.map(({ region }) => region))},
                ${Columns.times(batch.map(({ scheduledAt }) => scheduledAt))},
                ${Columns.numbers(batch.map(({ slot }) => slot))},
                ${Columns.times(batch.map(({ checkedAt }) => checkedAt))},
                ${Columns.texts(batch.map(({ status }) => status))},
                ${Columns.numbers(batch.map(({ responseTime }) => responseTime))},
                ${Columns.json(batch.map(({ timing }) => unlessEmpty(timing)))},
                ${Columns.json(batch.map(({ failure }) => failure))},
                ${Columns.json(batch.map(({ facts }) => unlessEmpty(facts)))})
                AS batch(monitor_id, region, scheduled_at, slot, checked_at, status, response_time, timing, failure, facts)
              ON CONFLICT DO NOTHING
              RETURNING monitor_id, region, scheduled_at),
            counted AS (SELECT count(*)::integer AS count FROM new)
          SELECT count, NULL AS key FROM counted
          UNION ALL
          SELECT NULL, monitor_id || ':' || region || ':' || (extract(epoch FROM scheduled_at) * 1000)::bigint FROM new
          WHERE (SELECT count FROM counted) < ${batch.length}`)
        if (counted?.count === batch.length) return batch
        const fresh = new Set(keys.map(({ key }) => key))
        // A batch may contain the same observation twice: the first one counts.
        return batch.filter((observation) => fresh.delete(keyOf(observation)))
      })

      /** Updates states. A monitor that is no longer stale is watched for results again, from `at` on. */
      const saveStates = Effect.fnUntraced(function* (states: ReadonlyMap<MonitorId, MonitorState>, at: EpochMillis) {
        if (states.size === 0) return
        const all = [...states.values()]
        yield* sql`UPDATE monitor_states s SET status = v.status, last_checked_at = v.checked, state = v.state, stale = v.stale,
            look_at = CASE WHEN v.stale THEN NULL WHEN s.stale THEN ${new Date(at)} ELSE s.look_at END
          FROM unnest(${Columns.texts([...states.keys()])}, ${Columns.texts(all.map(({ status }) => status))},
            ${Columns.times(all.map(({ lastCheckedAt }) => lastCheckedAt))}, ${all.map(isStale)}::boolean[],
            ${Columns.json(all.map((state) => storedState.encode(state)))})
            AS v(id, status, checked, stale, state)
          WHERE s.monitor_id = v.id`
      }, Effect.orDie)

      const insertEntries = Effect.fnUntraced(function* (entries: ReadonlyArray<HistoryEntry>, now: EpochMillis) {
        if (entries.length === 0) return
        const rows = entries.map(({ change, monitorId }) => ({
          id: monitorId,
          at: toIso(change.at),
          status: change.status,
          failure: change.failure
        }))
        yield* sql`INSERT INTO status_changes (monitor_id, at, status, failure, recorded_at)
          SELECT id, at, status, failure, ${new Date(now)}
          FROM json_to_recordset(${JSON.stringify(rows)}::json) AS v(id text, at timestamptz, status text, failure jsonb)`
      }, Effect.orDie)

      /** Deletes observations and status history that are dated after an instant. */
      const deleteAfter = Effect.fnUntraced(function* (ids: ReadonlyArray<MonitorId>, latest: EpochMillis) {
        if (ids.length === 0) return
        const after = new Date(latest)
        yield* sql`DELETE FROM status_changes WHERE monitor_id = ANY(${ids}::text[]) AND at > ${after}`
        yield* sql`DELETE FROM observations WHERE monitor_id = ANY(${ids}::text[]) AND scheduled_at > ${after}`
        yield* moving.deleteAfter(ids, latest)
      }, Effect.orDie)

      return {
        /** Locks the states of monitors, in the order of ids so that two batches never wait for each other. */
        lockMonitors: (ids: ReadonlyArray<MonitorId>) =>
          Effect.map(monitors(sql`SELECT ${columnsOfMonitor} ${from(ids)} ${locked}`), (rows) => rows.map(withState)),
        /** Reads monitors with what decides whether they are stale. */
        findWatched: (ids: ReadonlyArray<MonitorId>) =>
          Effect.map(watched(sql`SELECT ${columnsOfWatched} ${from(ids)}`), (rows) => rows.map(withState)),
        /** The same, with their states locked. */
        lockWatched: (ids: ReadonlyArray<MonitorId>) =>
          Effect.map(watched(sql`SELECT ${columnsOfWatched} ${from(ids)} ${locked}`), (rows) => rows.map(withState)),
        insertNew,
        saveStates,
        insertEntries,
        deleteAfter,
        // For a healthy monitor no alert condition holds.
        /** The monitors of a project, or of a list, that an alert condition may hold for. A page in the order of ids. */
        findAlertable: ({ after, limit, monitorIds, projectId, tags }: AlertablePage) =>
          ids(sql`SELECT m.id FROM monitors m JOIN monitor_states s ON s.monitor_id = m.id
            WHERE m.project_id = ${projectId} AND m.id > ${after} AND NOT m.paused
              AND (${monitorIds.length === 0 && tags.length === 0} OR m.id = ANY(${monitorIds}::text[])
                OR m.tags && ${tags}::text[])
              AND (s.status <> 'up' OR s.stale
                OR jsonb_path_exists(s.state, '$.regions.*.certificate.stage ? (@ <> "good")'))
            ORDER BY m.id LIMIT ${limit}`).pipe(Effect.map((rows) => rows.map(({ id }) => id))),
        /** The monitors that are watched for results; only watches that begin after an instant, if it is given. */
        findWatches: (after: EpochMillis | undefined) =>
          watches(sql`SELECT s.monitor_id AS id, s.look_at AS "lookAt" FROM monitor_states s
            JOIN monitors m ON m.id = s.monitor_id
            WHERE NOT m.passive AND ${after === undefined ? sql`s.look_at IS NOT NULL` : sql`s.look_at > ${new Date(after)}`}`),
        countStale: Effect.map(
          count(sql`SELECT count(*)::integer AS count FROM monitor_states WHERE stale`),
          (row) => row.count
        ),
        /** Records that results are watched for, and returns since when; restarts if the last record is older than `breakSeconds`. */
        recordWatch: (now: EpochMillis, breakSeconds: number) =>
          Effect.map(
            since(sql`INSERT INTO staleness_watch AS w (seen_at, since) VALUES (${new Date(now)}, ${new Date(now)})
              ON CONFLICT (single) DO UPDATE SET seen_at = EXCLUDED.seen_at,
                since = CASE WHEN EXCLUDED.seen_at - w.seen_at > ${`${breakSeconds} seconds`}::interval
                  THEN EXCLUDED.seen_at ELSE w.since END
              RETURNING since`),
            (row) => row.since
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(EvaluationRepository, EvaluationRepository.make).pipe(
    Layer.provide(ResultMovingRepository.layer)
  )
}

interface AlertablePage {
  readonly projectId: ProjectId
  /** Without tags, none means all of the project. */
  readonly monitorIds: ReadonlyArray<MonitorId>
  /** Monitors that carry any of them belong to the list. */
  readonly tags: ReadonlyArray<string>
  /** The last id of the page before; empty for the first page. */
  readonly after: string
  readonly limit: number
}

const MonitorRow = Schema.Struct({
  id: MonitorId,
  projectId: ProjectId,
  name: Schema.String,
  type: Schema.String,
  interval: Schema.Finite,
  regions: Schema.Array(Schema.String),
  passive: Schema.Boolean,
  sslExpiryThreshold: Schema.NullOr(Schema.Finite),
  state: Schema.Unknown
})

const monitors = Rows.all(compiled(MonitorRow))
const watched = Rows.all(Schema.Struct({ ...MonitorRow.fields, timeout: Schema.Finite, changedAt: Rows.Time }))
const inserted = Rows.all(
  compiled(Schema.Struct({ count: Schema.NullOr(Schema.Number), key: Schema.NullOr(Schema.String) }))
)
const ids = Rows.all(Schema.Struct({ id: MonitorId }))
const watches = Rows.all(Schema.Struct({ id: MonitorId, lookAt: Rows.Time }))
const count = Rows.one(Schema.Struct({ count: Rows.Count }))
const since = Rows.one(Schema.Struct({ since: Rows.Time }))

const withState = <Row extends { readonly sslExpiryThreshold: number | null; readonly state: unknown }>(row: Row) => ({
  ...row,
  sslExpiryThreshold: row.sslExpiryThreshold ?? undefined,
  state: storedState.decode(row.state)
})

/** Empty parts are stored as null. */
const unlessEmpty = (record: object): object | null => {
  for (const _key in record) return record
  return null
}
