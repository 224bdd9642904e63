/** Monitors in the database, with the tokens of passive ones and the states that evaluation continues from. */
import { sortKey } from "@kanmon/domain/SearchText"
import type { Dependencies } from "@kanmon/domain/Dependencies"
import { MonitorId, type ProjectId } from "@kanmon/domain/Ids"
import { initial } from "@kanmon/domain/StatusEvaluation"
import type { Monitor } from "@kanmon/domain/Monitor"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { shownStatus, storedState } from "../evaluation/index.ts"
import * as Cursor from "@kanmon/platform/database/Cursor"
import { databaseDies } from "@kanmon/platform/database/Database"
import { type KeyTaken, keyTakenAsAnswer } from "@kanmon/platform/database/KeyTaken"
import type { Page } from "@kanmon/platform/database/Page"
import * as Rows from "@kanmon/platform/database/Rows"
import * as SealedConfig from "@kanmon/platform/database/SealedConfig"
import { hashToken, Secrets } from "@kanmon/platform/database/Secrets"
import * as MonitorFilters from "./MonitorFilterRepository.ts"
import { MonitorRow, readMonitor, searchTextOf } from "./MonitorRow.ts"

export class MonitorRepository extends Context.Service<
  MonitorRepository,
  {
    /** A page of a project's monitors with their status at `now`, newest first unless the filter sorts them. */
    readonly list: (
      projectId: ProjectId,
      filter: MonitorFilters.MonitorFilter,
      now: EpochMillis
    ) => Effect.Effect<Page<Monitor>>
    readonly find: (projectId: ProjectId, id: MonitorId, now: EpochMillis) => Effect.Effect<Monitor | undefined>
    /** Finds monitors and locks them and their states against changes and evaluation until the transaction ends. */
    readonly lock: (
      projectId: ProjectId,
      ids: ReadonlyArray<MonitorId>,
      now: EpochMillis
    ) => Effect.Effect<ReadonlyArray<Monitor>>
    /** As `lock`, for monitors that will be deleted. */
    readonly lockForRemoval: (
      projectId: ProjectId,
      ids: ReadonlyArray<MonitorId>,
      now: EpochMillis
    ) => Effect.Effect<ReadonlyArray<Monitor>>
    /** The newest monitors of a project that fit, at most `limit`. */
    readonly select: (
      projectId: ProjectId,
      criteria: MonitorFilters.MonitorCriteria,
      limit: number,
      now: EpochMillis
    ) => Effect.Effect<ReadonlyArray<MonitorId>>
    /**
     * Writes everything that users and plans decide about a monitor. Without `respecified` its spec keeps its revision and
     * date, so that probes do not notice.
     */
    readonly update: (
      monitor: Monitor,
      writeOnly: ReadonlyArray<string>,
      respecified: boolean
    ) => Effect.Effect<void, KeyTaken>
    /** Replaces what a monitor depends on. */
    readonly replaceDependencies: (id: MonitorId, dependsOn: ReadonlyArray<MonitorId>) => Effect.Effect<void>
    /** What each monitor of the project depends on, of those that depend on any. */
    readonly dependencies: (projectId: ProjectId) => Effect.Effect<Dependencies>
    /** Those of the ids that the project has, locked against deletion until the transaction ends. */
    readonly lockExisting: (
      projectId: ProjectId,
      ids: ReadonlyArray<MonitorId>
    ) => Effect.Effect<ReadonlySet<MonitorId>>
    /** Deletes monitors and everything recorded about them. */
    readonly remove: (ids: ReadonlyArray<MonitorId>) => Effect.Effect<void>
    /** Replaces the token of a passive monitor; false when the project has no such monitor. */
    readonly replaceToken: (projectId: ProjectId, id: MonitorId, token: string) => Effect.Effect<boolean>
    /** Has the deadlines of passive monitors recalculated. */
    readonly expireDeadlines: (ids: ReadonlyArray<MonitorId>) => Effect.Effect<void>
    /** Starts the status history of these monitors again, with this status. */
    readonly restart: (
      ids: ReadonlyArray<MonitorId>,
      status: "paused" | "pending",
      at: EpochMillis
    ) => Effect.Effect<void>
    /** Lets a pending monitor wait for its quorum from this instant. */
    readonly awaitQuorum: (id: MonitorId, at: EpochMillis) => Effect.Effect<void>
    /** Has it checked at this instant whether these monitors are stale. */
    readonly checkStaleness: (ids: ReadonlyArray<MonitorId>, at: EpochMillis) => Effect.Effect<void>
  }
>()("@kanmon/monitoring/monitors/MonitorRepository") {
  static readonly layer = Layer.effect(
    MonitorRepository,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets
      const read = readMonitor(secrets)
      const decodeAll = Rows.all(MonitorRow)
      const decodeFirst = Rows.first(MonitorRow)

      /** `monitors m` with their states `s`, as they stand at an instant. */
      const selectAt = (now: EpochMillis) =>
        sql`SELECT m.id, m.project_id AS "projectId", m.key, m.name, m.type, m.interval_seconds AS interval,
            m.retry_interval AS "retryInterval", m.timeout_seconds AS timeout, m.regions, m.config,
            m.config_encrypted AS "encryptedConfig", m.paused, m.paused_by_plan AS "pausedByPlan",
            m.wanted_interval AS "wantedInterval", m.wanted_retry_interval AS "wantedRetryInterval", m.tags, m.group_path AS "group", m.description, m.links,
            ARRAY(SELECT depends_on FROM monitor_dependencies d WHERE d.monitor_id = m.id ORDER BY position)
              AS "dependsOn",
            ${shownStatus(sql, now)} AS status, s.stale, s.last_checked_at AS "lastCheckedAt",
            s.state->'lastFailure' AS "lastFailure", m.created_at AS "createdAt", m.updated_at AS "updatedAt",
            h.token_encrypted AS "encryptedToken"
          FROM monitors m JOIN monitor_states s ON s.monitor_id = m.id LEFT JOIN heartbeats h ON h.monitor_id = m.id`

      const every = (statement: Statement.Statement<unknown>) =>
        Effect.map(decodeAll(statement), (rows) => rows.map(read))
      const first = (statement: Statement.Statement<unknown>) =>
        Effect.map(decodeFirst(statement), (row) => (row === undefined ? undefined : read(row)))

      const list: MonitorRepository["Service"]["list"] = Effect.fn("MonitorRepository.list")(
        function* (projectId, filter, now) {
          const { limit, sort } = filter
          if (sort === undefined) {
            const before = Cursor.decode(filter.cursor)
            const conditions = [
              ...MonitorFilters.conditions(sql, projectId, filter, now),
              ...(before === undefined ? [] : [sql`m.id < ${before}`])
            ]
            const rows = yield* decodeAll(
              sql`${selectAt(now)} WHERE ${sql.and(conditions)} ORDER BY m.id DESC LIMIT ${limit + 1}`
            )
            return Cursor.page(rows.map(read), limit)
          }
          // The order first, over few columns; then the monitors of the page.
          const found = yield* decodePlaces(MonitorFilters.sortedPage(sql, projectId, { ...filter, sort }, now))
          const places = found.slice(0, limit)
          const ids = places.map(({ id }) => id)
          const rows = yield* decodeAll(sql`${selectAt(now)} WHERE m.id = ANY(${ids}::text[])`)
          const byId = new Map(rows.map((row) => [row.id, row]))
          return {
            items: ids.flatMap((id) => {
              const row = byId.get(id)
              return row === undefined ? [] : [read(row)]
            }),
            next: found.length > limit ? Cursor.encodeSorted({ ...places.at(-1)!, sort }) : undefined
          }
        }
      )

      const find: MonitorRepository["Service"]["find"] = Effect.fn("MonitorRepository.find")((projectId, id, now) =>
        first(sql`${selectAt(now)} WHERE m.id = ${id} AND m.project_id = ${projectId}`)
      )

      const lock: MonitorRepository["Service"]["lock"] = Effect.fn("MonitorRepository.lock")((projectId, ids, now) =>
        every(sql`${selectAt(now)} WHERE m.id = ANY(${ids}::text[]) AND m.project_id = ${projectId}
          ORDER BY m.id FOR NO KEY UPDATE OF m, s`)
      )

      const lockForRemoval: MonitorRepository["Service"]["lockForRemoval"] = Effect.fn(
        "MonitorRepository.lockForRemoval"
      )((projectId, ids, now) =>
        // The states first, in the order in which evaluation takes its locks.
        sql`SELECT 1 FROM monitor_states WHERE monitor_id = ANY(${ids}::text[]) ORDER BY monitor_id FOR UPDATE`.pipe(
          Effect.orDie,
          Effect.andThen(
            every(sql`${selectAt(now)} WHERE m.id = ANY(${ids}::text[]) AND m.project_id = ${projectId}
              ORDER BY m.id FOR UPDATE OF m, s`)
          )
        )
      )

      const select: MonitorRepository["Service"]["select"] = Effect.fn("MonitorRepository.select")(
        function* (projectId, criteria, limit, now) {
          const rows = yield* decodeIds(sql`SELECT m.id FROM monitors m JOIN monitor_states s ON s.monitor_id = m.id
            WHERE ${sql.and(MonitorFilters.conditions(sql, projectId, criteria, now))} ORDER BY m.id DESC LIMIT ${limit}`)
          return rows.map(({ id }) => id)
        }
      )

      const update: MonitorRepository["Service"]["update"] = Effect.fn("MonitorRepository.update")(
        function* (monitor, writeOnly, respecified) {
          const { config, encryptedConfig } = SealedConfig.seal(secrets, monitor.id, monitor.config, writeOnly)
          const at = new Date(monitor.updatedAt)
          yield* sql`UPDATE monitors SET key = ${monitor.key}, name = ${monitor.name}, type = ${monitor.type},
            interval_seconds = ${monitor.interval}, retry_interval = ${monitor.retryInterval},
            wanted_interval = ${monitor.wantedInterval}, wanted_retry_interval = ${monitor.wantedRetryInterval}, timeout_seconds = ${monitor.timeout},
            regions = ${monitor.regions}::text[], paused = ${monitor.paused},
            paused_by_plan = ${monitor.pausedReason !== null}, config = ${JSON.stringify(config)}::jsonb,
            config_encrypted = ${encryptedConfig},
            tags = ${monitor.tags}::text[], group_path = ${monitor.group}, description = ${monitor.description},
            links = ${JSON.stringify(monitor.links)}::jsonb, name_folded = ${sortKey(monitor.name)},
            search = ${searchTextOf(monitor)}, updated_at = ${at}, revision = revision + ${respecified ? 1 : 0},
            spec_changed_at = ${respecified ? sql`${at}` : sql`COALESCE(spec_changed_at, updated_at)`}
            WHERE id = ${monitor.id}`
        },
        (effect) => databaseDies(keyTakenAsAnswer(effect))
      )

      const replaceDependencies: MonitorRepository["Service"]["replaceDependencies"] = Effect.fn(
        "MonitorRepository.replaceDependencies"
      )(function* (id, dependsOn) {
        yield* sql`DELETE FROM monitor_dependencies WHERE monitor_id = ${id}`
        if (dependsOn.length === 0) return
        yield* sql`INSERT INTO monitor_dependencies (monitor_id, depends_on, position)
          SELECT ${id}, parent, place FROM unnest(${dependsOn}::text[]) WITH ORDINALITY AS listed (parent, place)`
      }, Effect.orDie)

      const dependencies: MonitorRepository["Service"]["dependencies"] = Effect.fn("MonitorRepository.dependencies")(
        function* (projectId) {
          const rows = yield* decodeDependencies(sql`SELECT d.monitor_id AS id,
              array_agg(d.depends_on ORDER BY d.position) AS "dependsOn"
            FROM monitor_dependencies d JOIN monitors m ON m.id = d.monitor_id
            WHERE m.project_id = ${projectId} GROUP BY d.monitor_id`)
          return new Map(rows.map(({ dependsOn, id }) => [id, dependsOn]))
        }
      )

      const lockExisting: MonitorRepository["Service"]["lockExisting"] = Effect.fn("MonitorRepository.lockExisting")(
        function* (projectId, ids) {
          if (ids.length === 0) return new Set()
          const rows = yield* decodeIds(sql`SELECT id FROM monitors
            WHERE project_id = ${projectId} AND id = ANY(${ids}::text[]) ORDER BY id FOR KEY SHARE`)
          return new Set(rows.map(({ id }) => id))
        }
      )

      const remove: MonitorRepository["Service"]["remove"] = Effect.fn("MonitorRepository.remove")(function* (ids) {
        yield* sql`DELETE FROM observations WHERE monitor_id = ANY(${ids}::text[])`
        yield* sql`DELETE FROM monitors WHERE id = ANY(${ids}::text[])`
      }, Effect.orDie)

      const replaceToken: MonitorRepository["Service"]["replaceToken"] = Effect.fn("MonitorRepository.replaceToken")(
        (projectId, id, token) =>
          Rows.any(sql`UPDATE heartbeats h SET token_hash = ${hashToken(token)},
              token_encrypted = ${secrets.encrypt(token, id)}
            FROM monitors m WHERE m.id = h.monitor_id AND m.id = ${id} AND m.project_id = ${projectId} RETURNING m.id`)
      )

      const expireDeadlines: MonitorRepository["Service"]["expireDeadlines"] = Effect.fn(
        "MonitorRepository.expireDeadlines"
      )(function* (ids) {
        yield* sql`UPDATE heartbeats SET stale = true WHERE monitor_id = ANY(${ids}::text[])`
      }, Effect.orDie)

      const restart: MonitorRepository["Service"]["restart"] = Effect.fn("MonitorRepository.restart")(function* (
        ids,
        status,
        at
      ) {
        const staleness = status === "paused" ? null : new Date(at)
        yield* sql`WITH restarted AS (
            INSERT INTO monitor_states (monitor_id, status, state, look_at)
            SELECT id, ${status}, ${JSON.stringify(storedState.encode(initial(at, status)))}::jsonb,
              ${staleness}::timestamptz
            FROM unnest(${ids}::text[]) AS id
            ON CONFLICT (monitor_id) DO UPDATE SET status = EXCLUDED.status, stale = false,
              state = EXCLUDED.state || jsonb_strip_nulls(jsonb_build_object('lastFailure', monitor_states.state->'lastFailure')),
              look_at = EXCLUDED.look_at
            RETURNING monitor_id)
          INSERT INTO status_changes (monitor_id, at, status)
          SELECT monitor_id, ${new Date(at)}, ${status} FROM restarted`
      }, Effect.orDie)

      const awaitQuorum: MonitorRepository["Service"]["awaitQuorum"] = Effect.fn("MonitorRepository.awaitQuorum")(
        function* (id, at) {
          yield* sql`UPDATE monitor_states SET state = jsonb_set(state, '{since}', to_jsonb(${at}::bigint))
            WHERE monitor_id = ${id} AND status = 'pending'`
        },
        Effect.orDie
      )

      const checkStaleness: MonitorRepository["Service"]["checkStaleness"] = Effect.fn(
        "MonitorRepository.checkStaleness"
      )(function* (ids, at) {
        yield* sql`UPDATE monitor_states SET look_at = ${new Date(at)}
          WHERE monitor_id = ANY(${ids}::text[]) AND look_at IS NOT NULL`
      }, Effect.orDie)

      return MonitorRepository.of({
        list,
        find,
        lock,
        lockForRemoval,
        select,
        update,
        replaceDependencies,
        dependencies,
        lockExisting,
        remove,
        replaceToken,
        expireDeadlines,
        restart,
        awaitQuorum,
        checkStaleness
      })
    })
  )
}

const decodeDependencies = Rows.all(Schema.Struct({ id: MonitorId, dependsOn: Schema.Array(MonitorId) }))

const decodeIds = Rows.all(Schema.Struct({ id: MonitorId }))

const decodePlaces = Rows.all(
  Schema.Struct({ id: MonitorId, value: Schema.NullOr(Schema.Union([Schema.String, Schema.Finite])) })
)
