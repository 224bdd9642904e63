/**
 * Monitors. Every write also appends to the outbox, in the same transaction: the spec's change for the probes and the
 * public event. The account's plan is asked under a lock on the account, which is taken before any other.
 */
import { fresh } from "@kanmon/domain/Heartbeat"
import { MonitorId, nextMonitorId, type ProjectId } from "@kanmon/domain/Ids"
import type { Monitor } from "@kanmon/domain/Monitor"
import type { MonitorStatus } from "@kanmon/domain/Status"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, type SqlError } from "effect/sql"
import * as AlertBook from "../alerts/AlertBook.ts"
import * as Cursor from "../database/Cursor.ts"
import { databaseDies } from "../database/Database.ts"
import { type KeyTaken, keyTakenAsAnswer } from "../database/KeyTaken.ts"
import { DefaultPlan } from "../billing/DefaultPlan.ts"
import * as MonitorChanges from "./MonitorChanges.ts"
import {
  type MonitorRow,
  type PlacedSpec,
  readMonitor,
  readSpec,
  selectMonitors,
  selectSpecs,
  type SpecRow
} from "./MonitorRow.ts"
import { OutboxSignal } from "../outbox/OutboxSignal.ts"
import type { KeyedPageOptions, Page } from "../database/Page.ts"
import { hashApiKey, newSignalToken, Secrets } from "../database/Secrets.ts"
import * as Standing from "../billing/Standing.ts"
import type { PlanLimitReached } from "../billing/Standing.ts"
import { shownStatus } from "../history/Timeline.ts"

export class MonitorNotFound extends Schema.TaggedError<MonitorNotFound>()("MonitorNotFound", { id: MonitorId }) {}

/** What a user decides about a monitor. */
export type MonitorDraft = Pick<Monitor, "name" | "type" | "interval" | "timeout" | "regions" | "paused" | "config"> & {
  /** It waits for signals: no probe checks it. */
  readonly passive?: boolean
  /** Left out, it stays as it is; a new monitor has none. */
  readonly key?: Monitor["key"]
}

export class Monitors extends Context.Service<
  Monitors,
  {
    readonly list: (
      projectId: ProjectId,
      options: KeyedPageOptions & {
        readonly status?: MonitorStatus | undefined
        readonly type?: string | undefined
        /** Part of the name, in any case. */
        readonly q?: string | undefined
      }
    ) => Effect.Effect<Page<Monitor>>
    readonly get: (projectId: ProjectId, id: MonitorId) => Effect.Effect<Monitor, MonitorNotFound>
    /** Two at once at the limit of the account's plan: one of them is made. */
    readonly create: (projectId: ProjectId, draft: MonitorDraft) => Effect.Effect<Monitor, KeyTaken | PlanLimitReached>
    /**
     * Reads, changes and writes under a row lock: two changes at once both take effect. Pausing and resuming write the time
     * line. The plan has a say in what is resumed and in another interval.
     */
    readonly update: <E>(
      projectId: ProjectId,
      id: MonitorId,
      change: (current: Monitor) => Effect.Effect<MonitorDraft, E>
    ) => Effect.Effect<Monitor, MonitorNotFound | KeyTaken | PlanLimitReached | E>
    readonly remove: (projectId: ProjectId, id: MonitorId) => Effect.Effect<void, MonitorNotFound>
    /** Gives a passive monitor a new token for its signals; the old one stops at once. */
    readonly rotateToken: (projectId: ProjectId, id: MonitorId) => Effect.Effect<Monitor, MonitorNotFound>
    /** The specs of these monitors that are to be watched now: neither paused nor deleted. */
    readonly specs: (ids: ReadonlyArray<MonitorId>) => Effect.Effect<ReadonlyArray<PlacedSpec>>
    /** All specs that are to be watched now, page by page in the order of ids (`after` is the last id of the page before). */
    readonly allSpecs: (after: MonitorId | undefined, limit: number) => Effect.Effect<ReadonlyArray<PlacedSpec>>
  }
>()("@kanmon/store/monitors/Monitors") {
  static readonly layer = Layer.effect(
    Monitors,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const signal = yield* OutboxSignal
      const random = yield* SecureRandom.SecureRandom

      const secrets = yield* Secrets
      const defaultPlan = yield* DefaultPlan
      const read = readMonitor(secrets)
      const selectAt = (now: number) => selectMonitors(sql, now)
      const inTransaction = <A, E>(
        effect: Effect.Effect<A, E, SqlClient.SqlClient | SecureRandom.SecureRandom>
      ): Effect.Effect<A, E | SqlError.SqlError> =>
        sql
          .withTransaction(effect)
          .pipe(
            Effect.provideService(SqlClient.SqlClient, sql),
            Effect.provideService(SecureRandom.SecureRandom, random),
            Effect.provideService(DefaultPlan, defaultPlan)
          )

      const list: Monitors["Service"]["list"] = Effect.fn("Monitors.list")(function* (projectId, options) {
        const before = Cursor.decode(options.cursor)
        const now = yield* Clock.currentTimeMillis
        const conditions = [
          sql`m.project_id = ${projectId}`,
          ...(before === undefined ? [] : [sql`m.id < ${before}`]),
          ...(options.status === undefined ? [] : [sql`${shownStatus(sql, now)} = ${options.status}`]),
          ...(options.type === undefined ? [] : [sql`m.type = ${options.type}`]),
          ...(options.key === undefined ? [] : [sql`m.key = ${options.key}`]),
          ...(options.q === undefined ? [] : [sql`m.name ILIKE ${`%${options.q.replaceAll(/[%_\\]/g, "\\$&")}%`}`])
        ]
        const rows = yield* Effect.orDie(
          sql<MonitorRow>`${selectAt(now)} WHERE ${sql.and(conditions)} ORDER BY m.id DESC LIMIT ${options.limit + 1}`
        )
        return Cursor.page(rows.map(read), options.limit)
      })

      const get: Monitors["Service"]["get"] = Effect.fn("Monitors.get")(function* (projectId, id) {
        const select = selectAt(yield* Clock.currentTimeMillis)
        const [row] = yield* Effect.orDie(sql<MonitorRow>`${select} WHERE m.id = ${id} AND m.project_id = ${projectId}`)
        if (row === undefined) return yield* new MonitorNotFound({ id })
        return read(row)
      })

      const create: Monitors["Service"]["create"] = Effect.fn("Monitors.create")(function* (projectId, draft) {
        const id = yield* Effect.provideService(nextMonitorId, SecureRandom.SecureRandom, random)
        const at = yield* Clock.currentTimeMillis
        const now = new Date(at)
        const status = draft.paused ? "paused" : "pending"
        const { key = null, passive = false, ...fields } = draft
        const signalToken = passive ? newSignalToken() : null
        const known = { stale: false, lastCheckedAt: null, createdAt: at, updatedAt: at, signalToken }
        const unchanged = { pausedReason: null, wantedInterval: null }
        const monitor: Monitor = { ...fields, id, projectId, key, status, ...known, ...unchanged }
        yield* inTransaction(
          Effect.gen(function* () {
            const owner = yield* Standing.holdOwner(projectId)
            if (owner !== undefined) {
              const plan = yield* Standing.planOf(owner, at)
              yield* Standing.admitInterval(plan, draft.interval)
              yield* Standing.admitMonitor(owner, plan)
            }
            yield* sql`INSERT INTO monitors
              (id, project_id, key, name, type, interval_seconds, timeout_seconds, regions, paused, config, passive,
                created_at, updated_at)
              VALUES (${id}, ${projectId}, ${key}, ${draft.name}, ${draft.type}, ${draft.interval}, ${draft.timeout},
                ${draft.regions}::text[], ${draft.paused}, ${JSON.stringify(draft.config)}::jsonb, ${passive}, ${now}, ${now})`
            if (signalToken !== null) {
              yield* sql`INSERT INTO heartbeats (monitor_id, token_hash, token_encrypted, state)
                VALUES (${id}, ${hashApiKey(signalToken)}, ${secrets.encrypt(signalToken, id)},
                  ${JSON.stringify(fresh)}::jsonb)`
            }
            yield* MonitorChanges.restart([id], status, at)
            yield* MonitorChanges.announce([{ monitor, names: ["created"] }], at)
          })
        ).pipe(keyTakenAsAnswer, databaseDies)
        yield* signal.raise
        return monitor
      })

      const update: Monitors["Service"]["update"] = (projectId, id, change) =>
        Effect.gen(function* () {
          const at = yield* Clock.currentTimeMillis
          const updated = yield* inTransaction(
            Effect.gen(function* () {
              const owner = yield* Standing.holdOwner(projectId)
              const [row] =
                yield* sql<MonitorRow>`${selectAt(at)} WHERE m.id = ${id} AND m.project_id = ${projectId} FOR NO KEY UPDATE OF m, s`
              if (row === undefined || owner === undefined) return yield* new MonitorNotFound({ id })
              const current = read(row)
              const { passive: _passive, ...changed } = yield* change(current)
              const draft = { ...changed, key: changed.key === undefined ? current.key : changed.key }
              const paced = draft.interval !== current.interval
              const turn = draft.paused === current.paused ? undefined : draft.paused ? "paused" : "resumed"
              if (paced || turn === "resumed") {
                const plan = yield* Standing.planOf(owner, at)
                if (paced) yield* Standing.admitInterval(plan, draft.interval)
                if (turn === "resumed") yield* Standing.admitRunning(owner, plan)
              }
              const wantedInterval = paced ? null : current.wantedInterval
              const pausedReason = turn === undefined ? current.pausedReason : null
              yield* sql`UPDATE monitors SET key = ${draft.key}, name = ${draft.name}, type = ${draft.type}, interval_seconds = ${draft.interval},
                wanted_interval = ${wantedInterval}, timeout_seconds = ${draft.timeout}, regions = ${draft.regions}::text[],
                paused = ${draft.paused}, paused_by_plan = ${pausedReason !== null},
                config = ${JSON.stringify(draft.config)}::jsonb, revision = revision + 1, updated_at = ${new Date(at)}
                WHERE id = ${id}`
              if (current.signalToken !== null) yield* sql`UPDATE heartbeats SET stale = true WHERE monitor_id = ${id}`
              if (turn === "paused") yield* MonitorChanges.pause([id], at, "The monitor was paused")
              if (turn === "resumed") yield* MonitorChanges.restart([id], "pending", at)
              else if (hasNewRegion(current.regions, draft.regions)) yield* MonitorChanges.awaitQuorum(id, at)
              const status = turn === undefined ? current.status : turn === "paused" ? "paused" : "pending"
              const stale = current.stale && turn === undefined
              const monitor: Monitor = {
                ...current,
                ...draft,
                status,
                stale,
                pausedReason,
                wantedInterval,
                updatedAt: at
              }
              yield* MonitorChanges.announce(
                [{ monitor, names: turn === undefined ? ["updated"] : ["updated", turn] }],
                at
              )
              return monitor
            })
          )
          yield* signal.raise
          return updated
        }).pipe(keyTakenAsAnswer, databaseDies, Effect.withSpan("Monitors.update"))

      const remove: Monitors["Service"]["remove"] = Effect.fn("Monitors.remove")(function* (projectId, id) {
        const at = yield* Clock.currentTimeMillis
        const found = yield* inTransaction(
          Effect.gen(function* () {
            // Its state first, as who judges it does, and the rest when that is ours.
            yield* sql`SELECT 1 FROM monitor_states WHERE monitor_id = ${id} FOR UPDATE`
            const [row] =
              yield* sql<MonitorRow>`${selectAt(at)} WHERE m.id = ${id} AND m.project_id = ${projectId} FOR UPDATE OF m, s`
            if (row === undefined) return false
            yield* MonitorChanges.announce([{ monitor: read(row), names: ["deleted"] }], at)
            yield* AlertBook.dropWhere(sql`monitor_id = ${id}`, at, "The monitor was deleted")
            yield* sql`DELETE FROM observations WHERE monitor_id = ${id}`
            yield* sql`DELETE FROM monitors WHERE id = ${id}`
            return true
          })
        ).pipe(Effect.orDie)
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
        sql<SpecRow>`${selectSpecs(sql)} AND m.id = ANY(${ids}::text[])`.pipe(
          Effect.map((rows) => rows.map(readSpec)),
          Effect.orDie
        )
      )

      const allSpecs: Monitors["Service"]["allSpecs"] = Effect.fn("Monitors.allSpecs")((after, limit) =>
        sql<SpecRow>`${selectSpecs(sql)} AND m.id > ${after ?? ""} ORDER BY m.id LIMIT ${limit}`.pipe(
          Effect.map((rows) => rows.map(readSpec)),
          Effect.orDie
        )
      )

      return Monitors.of({ list, get, create, update, remove, rotateToken, specs, allSpecs })
    })
  )
}

/** Whether a region checks the monitor that did not before; none means all. */
const hasNewRegion = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): boolean =>
  before.length > 0 && (after.length === 0 || after.some((region) => !before.includes(region)))
