/**
 * Monitors. Every write also appends to the outbox, in the same transaction: the spec's change for the probes and the
 * public event.
 */
import { fresh } from "@kanmon/domain/Heartbeat"
import { MonitorId, nextMonitorId, type ProjectId } from "@kanmon/domain/Ids"
import { initial, type JudgeState } from "@kanmon/domain/Judge"
import type { Monitor, MonitorSpec } from "@kanmon/domain/Monitor"
import type { MonitorStatus } from "@kanmon/domain/Status"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import * as AlertBook from "./AlertBook.ts"
import * as Cursor from "./Cursor.ts"
import { databaseDies } from "./Database.ts"
import { monitorEvent } from "./MonitorEvents.ts"
import { OutboxSignal } from "./OutboxSignal.ts"
import type { Page, PageOptions } from "./Page.ts"
import { hashApiKey, newSignalToken, Secrets } from "./Secrets.ts"
import { shownStatus } from "./Timeline.ts"

export class MonitorNotFound extends Schema.TaggedError<MonitorNotFound>()("MonitorNotFound", { id: MonitorId }) {}

/** What a user decides about a monitor. */
export type MonitorDraft = Pick<Monitor, "name" | "type" | "interval" | "timeout" | "regions" | "paused" | "config"> & {
  /** It waits for signals: no probe checks it. */
  readonly passive?: boolean
}

/** A spec and the regions it belongs to (empty: all). */
export interface PlacedSpec {
  readonly spec: MonitorSpec
  readonly regions: ReadonlyArray<string>
}

export class Monitors extends Context.Service<
  Monitors,
  {
    readonly list: (
      projectId: ProjectId,
      options: PageOptions & {
        readonly status?: MonitorStatus | undefined
        readonly type?: string | undefined
        /** Part of the name, in any case. */
        readonly q?: string | undefined
      }
    ) => Effect.Effect<Page<Monitor>>
    readonly get: (projectId: ProjectId, id: MonitorId) => Effect.Effect<Monitor, MonitorNotFound>
    readonly create: (projectId: ProjectId, draft: MonitorDraft) => Effect.Effect<Monitor>
    /** Reads, changes and writes under a row lock: two changes at once both take effect. Pausing and resuming write the time line. */
    readonly update: <E>(
      projectId: ProjectId,
      id: MonitorId,
      change: (current: Monitor) => Effect.Effect<MonitorDraft, E>
    ) => Effect.Effect<Monitor, MonitorNotFound | E>
    readonly remove: (projectId: ProjectId, id: MonitorId) => Effect.Effect<void, MonitorNotFound>
    /** Gives a passive monitor a new token for its signals; the old one stops at once. */
    readonly rotateToken: (projectId: ProjectId, id: MonitorId) => Effect.Effect<Monitor, MonitorNotFound>
    /** The specs of these monitors that are to be watched now: neither paused nor deleted. */
    readonly specs: (ids: ReadonlyArray<MonitorId>) => Effect.Effect<ReadonlyArray<PlacedSpec>>
    /** All specs that are to be watched now, page by page in the order of ids (`after` is the last id of the page before). */
    readonly allSpecs: (after: MonitorId | undefined, limit: number) => Effect.Effect<ReadonlyArray<PlacedSpec>>
  }
>()("@kanmon/store/Monitors") {
  static readonly layer = Layer.effect(
    Monitors,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const signal = yield* OutboxSignal
      const random = yield* SecureRandom.SecureRandom

      const secrets = yield* Secrets
      const read = readWith(secrets)

      const selectAt = (
        now: number
      ) => sql`SELECT m.*, ${shownStatus(sql, now)} AS status, s.last_checked_at, h.token_encrypted
        FROM monitors m JOIN monitor_states s ON s.monitor_id = m.id LEFT JOIN heartbeats h ON h.monitor_id = m.id`

      const list: Monitors["Service"]["list"] = Effect.fn("Monitors.list")(function* (projectId, options) {
        const before = Cursor.decode(options.cursor)
        const now = yield* Clock.currentTimeMillis
        const conditions = [
          sql`m.project_id = ${projectId}`,
          ...(before === undefined ? [] : [sql`m.id < ${before}`]),
          ...(options.status === undefined ? [] : [sql`${shownStatus(sql, now)} = ${options.status}`]),
          ...(options.type === undefined ? [] : [sql`m.type = ${options.type}`]),
          ...(options.q === undefined ? [] : [sql`m.name ILIKE ${`%${options.q.replaceAll(/[%_\\]/g, "\\$&")}%`}`])
        ]
        const rows = yield* Effect.orDie(
          sql<Row>`${selectAt(now)} WHERE ${sql.and(conditions)} ORDER BY m.id DESC LIMIT ${options.limit + 1}`
        )
        return Cursor.page(rows.map(read), options.limit)
      })

      const get: Monitors["Service"]["get"] = Effect.fn("Monitors.get")(function* (projectId, id) {
        const select = selectAt(yield* Clock.currentTimeMillis)
        const [row] = yield* Effect.orDie(sql<Row>`${select} WHERE m.id = ${id} AND m.project_id = ${projectId}`)
        if (row === undefined) return yield* new MonitorNotFound({ id })
        return read(row)
      })

      /** The outbox's part of every write. */
      const announce = Effect.fnUntraced(function* (
        monitor: Monitor,
        names: ReadonlyArray<Parameters<typeof monitorEvent>[1]>,
        at: number
      ) {
        const created = new Date(at)
        yield* sql`INSERT INTO outbox (kind, monitor_id, created_at) VALUES ('spec', ${monitor.id}, ${created})`
        for (const name of names) {
          const event = JSON.stringify(monitorEvent(monitor, name, at, yield* random.ulid))
          yield* sql`INSERT INTO outbox (kind, event, created_at) VALUES ('event', ${event}::jsonb, ${created})`
        }
      })

      /** Begins the monitor's time line anew, with this status. */
      const restart = (id: MonitorId, state: JudgeState) =>
        Effect.all([
          sql`INSERT INTO monitor_states (monitor_id, status, state) VALUES (${id}, ${state.status}, ${JSON.stringify(state)}::jsonb)
            ON CONFLICT (monitor_id) DO UPDATE SET status = EXCLUDED.status, state = EXCLUDED.state`,
          sql`INSERT INTO status_changes (monitor_id, at, status) VALUES (${id}, ${new Date(state.since)}, ${state.status})`
        ])

      const dropAlerts = (id: MonitorId, at: number, reason: string) =>
        Effect.provideService(AlertBook.dropWhere(sql`monitor_id = ${id}`, at, reason), SqlClient.SqlClient, sql)

      const create: Monitors["Service"]["create"] = Effect.fn("Monitors.create")(function* (projectId, draft) {
        const id = yield* Effect.provideService(nextMonitorId, SecureRandom.SecureRandom, random)
        const at = yield* Clock.currentTimeMillis
        const now = new Date(at)
        const status: MonitorStatus = draft.paused ? "paused" : "pending"
        const { passive = false, ...fields } = draft
        const signalToken = passive ? newSignalToken() : null
        const known = { lastCheckedAt: null, createdAt: at, updatedAt: at, signalToken }
        const monitor: Monitor = { ...fields, id, projectId, status, ...known }
        yield* sql
          .withTransaction(
            Effect.gen(function* () {
              yield* sql`INSERT INTO monitors
                (id, project_id, name, type, interval_seconds, timeout_seconds, regions, paused, config, passive, created_at, updated_at)
                VALUES (${id}, ${projectId}, ${draft.name}, ${draft.type}, ${draft.interval}, ${draft.timeout},
                  ${draft.regions}::text[], ${draft.paused}, ${JSON.stringify(draft.config)}::jsonb, ${passive}, ${now}, ${now})`
              if (signalToken !== null) {
                yield* sql`INSERT INTO heartbeats (monitor_id, token_hash, token_encrypted, state)
                  VALUES (${id}, ${hashApiKey(signalToken)}, ${secrets.encrypt(signalToken, id)},
                    ${JSON.stringify(fresh)}::jsonb)`
              }
              yield* restart(id, initial(at, status))
              yield* announce(monitor, ["created"], at)
            })
          )
          .pipe(Effect.orDie)
        yield* signal.raise
        return monitor
      })

      const update: Monitors["Service"]["update"] = (projectId, id, change) =>
        Effect.gen(function* () {
          const at = yield* Clock.currentTimeMillis
          const updated = yield* sql.withTransaction(
            Effect.gen(function* () {
              const [row] =
                yield* sql<Row>`${selectAt(at)} WHERE m.id = ${id} AND m.project_id = ${projectId} FOR NO KEY UPDATE OF m, s`
              if (row === undefined) return yield* new MonitorNotFound({ id })
              const current = read(row)
              const draft = yield* change(current)
              yield* sql`UPDATE monitors SET name = ${draft.name}, type = ${draft.type}, interval_seconds = ${draft.interval},
                timeout_seconds = ${draft.timeout}, regions = ${draft.regions}::text[], paused = ${draft.paused},
                config = ${JSON.stringify(draft.config)}::jsonb, revision = revision + 1, updated_at = ${new Date(at)}
                WHERE id = ${id}`
              const turned = draft.paused !== current.paused
              const status: MonitorStatus = turned ? (draft.paused ? "paused" : "pending") : current.status
              if (current.signalToken !== null) yield* sql`UPDATE heartbeats SET stale = true WHERE monitor_id = ${id}`
              if (turned) yield* restart(id, initial(at, status))
              if (turned && draft.paused) yield* dropAlerts(id, at, "The monitor was paused")
              const { passive: _passive, ...fields } = draft
              const monitor: Monitor = { ...current, ...fields, status, updatedAt: at }
              yield* announce(
                monitor,
                ["updated", ...(turned ? [draft.paused ? ("paused" as const) : ("resumed" as const)] : [])],
                at
              )
              return monitor
            })
          )
          yield* signal.raise
          return updated
        }).pipe(databaseDies, Effect.withSpan("Monitors.update"))

      const remove: Monitors["Service"]["remove"] = Effect.fn("Monitors.remove")(function* (projectId, id) {
        const at = yield* Clock.currentTimeMillis
        const found = yield* sql
          .withTransaction(
            Effect.gen(function* () {
              // Its state first, as who judges it does, and the rest when that is ours.
              yield* sql`SELECT 1 FROM monitor_states WHERE monitor_id = ${id} FOR UPDATE`
              const [row] =
                yield* sql<Row>`${selectAt(at)} WHERE m.id = ${id} AND m.project_id = ${projectId} FOR UPDATE OF m, s`
              if (row === undefined) return false
              yield* announce(read(row), ["deleted"], at)
              yield* dropAlerts(id, at, "The monitor was deleted")
              yield* sql`DELETE FROM observations WHERE monitor_id = ${id}`
              yield* sql`DELETE FROM monitors WHERE id = ${id}`
              return true
            })
          )
          .pipe(Effect.orDie)
        if (!found) return yield* new MonitorNotFound({ id })
        yield* signal.raise
      })

      const rotateToken: Monitors["Service"]["rotateToken"] = Effect.fn("Monitors.rotateToken")(
        function* (projectId, id) {
          const token = newSignalToken()
          const rows = yield* Effect.orDie(
            sql`UPDATE heartbeats h SET token_hash = ${hashApiKey(token)}, token_encrypted = ${secrets.encrypt(token, id)}
              FROM monitors m WHERE m.id = h.monitor_id AND m.id = ${id} AND m.project_id = ${projectId} RETURNING m.id`
          )
          if (rows.length === 0) return yield* new MonitorNotFound({ id })
          return yield* get(projectId, id)
        }
      )

      const specs: Monitors["Service"]["specs"] = Effect.fn("Monitors.specs")((ids) =>
        sql<SpecRow>`SELECT ${specColumns(sql)} FROM monitors WHERE NOT paused AND NOT passive AND id = ANY(${ids}::text[])`.pipe(
          Effect.map((rows) => rows.map(readSpec)),
          Effect.orDie
        )
      )

      const allSpecs: Monitors["Service"]["allSpecs"] = Effect.fn("Monitors.allSpecs")((after, limit) =>
        sql<SpecRow>`SELECT ${specColumns(sql)} FROM monitors WHERE NOT paused AND NOT passive AND id > ${after ?? ""} ORDER BY id LIMIT ${limit}`.pipe(
          Effect.map((rows) => rows.map(readSpec)),
          Effect.orDie
        )
      )

      return Monitors.of({ list, get, create, update, remove, rotateToken, specs, allSpecs })
    })
  )
}

interface SpecRow {
  readonly id: MonitorId
  readonly project_id: ProjectId
  readonly type: string
  readonly interval_seconds: number
  readonly timeout_seconds: number
  readonly regions: ReadonlyArray<string>
  readonly config: Monitor["config"]
  readonly revision: number
  readonly updated_at: Date
}

interface Row extends SpecRow {
  readonly name: string
  readonly paused: boolean
  readonly status: MonitorStatus
  readonly last_checked_at: Date | null
  readonly created_at: Date
  readonly token_encrypted: string | null
}

const specColumns = (sql: SqlClient.SqlClient) =>
  sql.literal("id, project_id, type, interval_seconds, timeout_seconds, regions, config, revision, updated_at")

const readWith =
  (secrets: Secrets["Service"]) =>
  (row: Row): Monitor => ({
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    type: row.type,
    interval: row.interval_seconds,
    timeout: row.timeout_seconds,
    regions: row.regions,
    paused: row.paused,
    status: row.status,
    lastCheckedAt: row.last_checked_at?.getTime() ?? null,
    createdAt: row.created_at.getTime(),
    updatedAt: row.updated_at.getTime(),
    config: row.config,
    signalToken: row.token_encrypted === null ? null : secrets.decrypt(row.token_encrypted, row.id)
  })

const readSpec = (row: SpecRow): PlacedSpec => ({
  spec: {
    id: row.id,
    projectId: row.project_id,
    type: row.type,
    interval: row.interval_seconds,
    timeout: row.timeout_seconds,
    config: row.config,
    revision: row.revision,
    changedAt: row.updated_at.getTime()
  },
  regions: row.regions
})
