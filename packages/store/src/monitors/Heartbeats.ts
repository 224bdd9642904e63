/**
 * Passive monitors: their signals come in, and deadlines that pass without one. What either leads to is decided by pure
 * functions under a lock on the monitor's row, and its observation leaves through the outbox in the same transaction: what
 * was acknowledged is neither lost nor judged twice.
 */
import type { HeartbeatState, Signal } from "@kanmon/domain/Heartbeat"
import type { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import type { Observation } from "@kanmon/domain/Observation"
import { message } from "@kanmon/domain/ObservationMessage"
import { type EpochMillis, toIso } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer, type Schema } from "effect"
import { SqlClient } from "effect/sql"
import { MonitorNotFound } from "./Monitors.ts"
import * as SignalRoom from "./SignalRoom.ts"
import { OutboxSignal } from "../outbox/OutboxSignal.ts"
import { hashApiKey } from "../database/Secrets.ts"

/** A passive monitor with what is remembered of it. */
export interface StoredHeartbeat {
  readonly id: MonitorId
  readonly projectId: ProjectId
  readonly type: string
  readonly config: Schema.JsonObject
  /** Seconds. */
  readonly interval: number
  readonly paused: boolean
  readonly createdAt: EpochMillis
  /** When the user last changed it: a resumed one is reckoned from here. */
  readonly changedAt: EpochMillis
  readonly state: HeartbeatState
  readonly overdueAt: EpochMillis | null
}

/** What signals, or a deadline, lead to. */
export interface HeartbeatUpdate {
  readonly id: MonitorId
  readonly state: HeartbeatState
  readonly overdueAt: EpochMillis | null
  readonly observations: ReadonlyArray<Observation>
  /** As they are kept, with the duration of the run that each ended. */
  readonly signals: ReadonlyArray<Signal & { readonly duration: number | null }>
}

export interface SentSignal {
  readonly token: string
  readonly signal: Signal
}

export interface SignalMetrics {
  readonly timestamp: EpochMillis
  readonly metrics: Readonly<Record<string, number>>
}

export class Heartbeats extends Context.Service<
  Heartbeats,
  {
    /** Takes signals, all in one transaction; tells which tokens nobody knows. */
    readonly receive: (
      signals: ReadonlyArray<SentSignal>,
      decide: (heartbeat: StoredHeartbeat, signals: ReadonlyArray<Signal>) => HeartbeatUpdate
    ) => Effect.Effect<ReadonlySet<string>>
    /** Reckons the deadlines anew of those that were made, changed or resumed. */
    readonly reckon: (deadline: (heartbeat: StoredHeartbeat) => EpochMillis | null) => Effect.Effect<number>
    /** Decides about those whose deadline has passed; returns how many there were. */
    readonly overdue: (
      limit: number,
      decide: (heartbeat: StoredHeartbeat, deadline: EpochMillis) => HeartbeatUpdate
    ) => Effect.Effect<number>
    /** Notes that somebody looks, and answers when that was last so; null when never. */
    readonly look: Effect.Effect<EpochMillis | null>
    /** Signals with metrics in `[from, to)`, oldest first. */
    readonly metrics: (
      projectId: ProjectId,
      id: MonitorId,
      from: EpochMillis,
      to: EpochMillis
    ) => Effect.Effect<ReadonlyArray<SignalMetrics>, MonitorNotFound>
  }
>()("@kanmon/store/monitors/Heartbeats") {
  static readonly layer = Layer.effect(
    Heartbeats,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const outbox = yield* OutboxSignal

      const select = sql`SELECT h.monitor_id, h.token_hash, h.state, h.overdue_at, m.project_id, m.type, m.config,
          m.interval_seconds, m.paused, m.created_at, m.updated_at
        FROM heartbeats h JOIN monitors m ON m.id = h.monitor_id`

      const write = Effect.fnUntraced(function* (updates: ReadonlyArray<HeartbeatUpdate>) {
        const now = new Date(yield* Clock.currentTimeMillis)
        const rows = updates.map(({ id, overdueAt, signals, state }) => ({
          id,
          state,
          bytes: signals.reduce((sum, signal) => sum + SignalRoom.bytesOf(signal), 0),
          overdue: overdueAt === null ? null : toIso(overdueAt)
        }))
        yield* sql`UPDATE heartbeats h SET state = v.state, overdue_at = v.overdue, signal_bytes = signal_bytes + v.bytes
          FROM json_to_recordset(${JSON.stringify(rows)}::json)
            AS v(id text, state jsonb, bytes bigint, overdue timestamptz)
          WHERE h.monitor_id = v.id`
        const signals = updates.flatMap(({ id, signals: own }) =>
          own.map((signal) => ({
            id,
            at: toIso(signal.at),
            kind: signal.kind,
            rid: signal.rid,
            exit_code: signal.exitCode,
            message: signal.message,
            metrics: Object.keys(signal.metrics).length === 0 ? null : signal.metrics,
            duration: signal.duration
          }))
        )
        if (signals.length > 0) {
          yield* sql`INSERT INTO heartbeat_signals (monitor_id, at, kind, rid, exit_code, message, metrics, duration)
            SELECT id, at, kind, rid, exit_code, message, metrics, duration
            FROM json_to_recordset(${JSON.stringify(signals)}::json) AS v(id text, at timestamptz, kind text, rid text,
              exit_code integer, message text, metrics jsonb, duration double precision)`
        }
        const events = updates.flatMap(({ observations }) => observations.map((observation) => message(observation, 1)))
        if (events.length > 0) {
          yield* sql`INSERT INTO outbox (kind, event, created_at)
            SELECT 'event', event, ${now} FROM json_array_elements(${JSON.stringify(events)}::json) AS event`
        }
        return events.length
      })

      const receive: Heartbeats["Service"]["receive"] = Effect.fn("Heartbeats.receive")(function* (signals, decide) {
        const byHash = Map.groupBy(signals, ({ token }) => hashApiKey(token))
        const outcome = yield* sql.withTransaction(
          Effect.gen(function* () {
            const rows = yield* sql<Row>`${select} WHERE h.token_hash = ANY(${[...byHash.keys()]}::text[])
              ORDER BY h.monitor_id FOR UPDATE OF h`
            const updates = rows.map((row) =>
              decide(
                read(row),
                byHash.get(row.token_hash)!.map(({ signal }) => signal)
              )
            )
            const events = updates.length === 0 ? 0 : yield* write(updates)
            return { events, known: new Set(rows.map((row) => row.token_hash)) }
          })
        )
        if (outcome.events > 0) yield* outbox.raise
        return new Set(signals.flatMap(({ token }) => (outcome.known.has(hashApiKey(token)) ? [] : [token])))
      }, Effect.orDie)

      const reckon: Heartbeats["Service"]["reckon"] = Effect.fn("Heartbeats.reckon")(function* (deadline) {
        return yield* sql.withTransaction(
          Effect.gen(function* () {
            const rows =
              yield* sql<Row>`${select} WHERE h.stale ORDER BY h.monitor_id LIMIT 1000 FOR UPDATE OF h SKIP LOCKED`
            if (rows.length === 0) return 0
            const values = rows.map((row) => {
              const at = row.paused ? null : deadline(read(row))
              return { id: row.monitor_id, at: at === null ? null : toIso(at) }
            })
            yield* sql`UPDATE heartbeats h SET stale = false, overdue_at = v.at
              FROM json_to_recordset(${JSON.stringify(values)}::json) AS v(id text, at timestamptz) WHERE h.monitor_id = v.id`
            return rows.length
          })
        )
      }, Effect.orDie)

      const overdue: Heartbeats["Service"]["overdue"] = Effect.fn("Heartbeats.overdue")(function* (limit, decide) {
        const now = new Date(yield* Clock.currentTimeMillis)
        const outcome = yield* sql.withTransaction(
          Effect.gen(function* () {
            const rows = yield* sql<Row>`${select} WHERE h.overdue_at <= ${now} AND NOT h.stale AND NOT m.paused
              ORDER BY h.overdue_at LIMIT ${limit} FOR UPDATE OF h SKIP LOCKED`
            if (rows.length === 0) return { count: 0, events: 0 }
            const updates = rows.map((row) => decide(read(row), row.overdue_at!.getTime()))
            return { count: rows.length, events: yield* write(updates) }
          })
        )
        if (outcome.events > 0) yield* outbox.raise
        return outcome.count
      }, Effect.orDie)

      const look = Effect.gen(function* () {
        const now = new Date(yield* Clock.currentTimeMillis)
        const [row] = yield* sql<{ before: Date | null }>`WITH before AS (SELECT seen_at FROM heartbeat_watch)
          INSERT INTO heartbeat_watch (seen_at) VALUES (${now})
          ON CONFLICT (single) DO UPDATE SET seen_at = greatest(heartbeat_watch.seen_at, EXCLUDED.seen_at)
          RETURNING (SELECT seen_at FROM before) AS before`
        return row?.before?.getTime() ?? null
      }).pipe(Effect.orDie)

      const metrics: Heartbeats["Service"]["metrics"] = Effect.fn("Heartbeats.metrics")(
        function* (projectId, id, from, to) {
          const [monitor] = yield* Effect.orDie(
            sql`SELECT 1 FROM monitors WHERE id = ${id} AND project_id = ${projectId}`
          )
          if (monitor === undefined) return yield* new MonitorNotFound({ id })
          const rows = yield* Effect.orDie(
            sql<{ at: Date; metrics: SignalMetrics["metrics"] }>`SELECT at, metrics FROM heartbeat_signals
              WHERE monitor_id = ${id} AND at >= ${new Date(from)} AND at < ${new Date(to)} AND metrics IS NOT NULL
              ORDER BY at LIMIT ${mostSignals}`
          )
          return rows.map((row) => ({ timestamp: row.at.getTime(), metrics: row.metrics }))
        }
      )

      return Heartbeats.of({ receive, reckon, overdue, look, metrics })
    })
  )
}

/** As many as an answer holds. */
const mostSignals = 100_000

interface Row {
  readonly monitor_id: MonitorId
  readonly token_hash: string
  readonly state: HeartbeatState
  readonly overdue_at: Date | null
  readonly project_id: ProjectId
  readonly type: string
  readonly config: Schema.JsonObject
  readonly interval_seconds: number
  readonly paused: boolean
  readonly created_at: Date
  readonly updated_at: Date
}

const read = (row: Row): StoredHeartbeat => ({
  id: row.monitor_id,
  projectId: row.project_id,
  type: row.type,
  config: row.config,
  interval: row.interval_seconds,
  paused: row.paused,
  createdAt: row.created_at.getTime(),
  changedAt: row.updated_at.getTime(),
  state: row.state,
  overdueAt: row.overdue_at?.getTime() ?? null
})
