/** Monitors as people see them: with the tokens of passive ones, their dependencies and their states. */
import { MonitorId, type ProjectId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { shownStatus } from "../evaluation/index.ts"
import * as Cursor from "@kanmon/platform/database/Cursor"
import * as Rows from "@kanmon/platform/database/Rows"
import { Secrets } from "@kanmon/platform/database/Secrets"
import * as MonitorFilters from "./MonitorFilterRepository.ts"
import { MonitorRow, readMonitor } from "./MonitorRow.ts"

export class MonitorRepository extends Context.Service<MonitorRepository>()(
  "@kanmon/monitoring/monitors/MonitorRepository",
  {
    make: Effect.gen(function* () {
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

      /** A page of a project's monitors with their status at `now`, newest first unless the filter sorts them. */
      const list = Effect.fn("MonitorRepository.list")(function* (
        projectId: ProjectId,
        filter: MonitorFilters.MonitorFilter,
        now: EpochMillis
      ) {
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
      })

      const find = Effect.fn("MonitorRepository.find")((projectId: ProjectId, id: MonitorId, now: EpochMillis) =>
        first(sql`${selectAt(now)} WHERE m.id = ${id} AND m.project_id = ${projectId}`)
      )

      /** Finds monitors and locks them and their states against changes and evaluation until the transaction ends. */
      const lock = Effect.fn("MonitorRepository.lock")(
        (projectId: ProjectId, ids: ReadonlyArray<MonitorId>, now: EpochMillis) =>
          every(sql`${selectAt(now)} WHERE m.id = ANY(${ids}::text[]) AND m.project_id = ${projectId}
          ORDER BY m.id FOR NO KEY UPDATE OF m, s`)
      )

      /** As `lock`, for monitors that will be deleted, after their states are locked. */
      const lockForRemoval = Effect.fn("MonitorRepository.lockForRemoval")(
        (projectId: ProjectId, ids: ReadonlyArray<MonitorId>, now: EpochMillis) =>
          every(sql`${selectAt(now)} WHERE m.id = ANY(${ids}::text[]) AND m.project_id = ${projectId}
          ORDER BY m.id FOR UPDATE OF m, s`)
      )

      /** The newest monitors of a project that fit, at most `limit`. */
      const select = Effect.fn("MonitorRepository.select")(function* (
        projectId: ProjectId,
        criteria: MonitorFilters.MonitorCriteria,
        limit: number,
        now: EpochMillis
      ) {
        const rows = yield* decodeIds(sql`SELECT m.id FROM monitors m JOIN monitor_states s ON s.monitor_id = m.id
            WHERE ${sql.and(MonitorFilters.conditions(sql, projectId, criteria, now))} ORDER BY m.id DESC LIMIT ${limit}`)
        return rows.map(({ id }) => id)
      })

      return { list, find, lock, lockForRemoval, select }
    })
  }
) {
  static readonly layer = Layer.effect(MonitorRepository, MonitorRepository.make)
}

const decodeIds = Rows.all(Schema.Struct({ id: MonitorId }))

const decodePlaces = Rows.all(
  Schema.Struct({ id: MonitorId, value: Schema.NullOr(Schema.Union([Schema.String, Schema.Finite])) })
)
