/** The tables of heartbeats: their states and deadlines, their signals, and when deadlines were last looked at. */
import { firstLineOf, HeartbeatState, type Signal } from "@kanmon/domain/Heartbeat"
import { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import type { Observation } from "@kanmon/domain/Observation"
import { type EpochMillis, toIso } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Persisted from "@kanmon/platform/database/Persisted"
import * as Rows from "@kanmon/platform/database/Rows"
import type { Question } from "@kanmon/platform/DueWork"
import * as SignalRoom from "./SignalRoomRepository.ts"

/** The state of a heartbeat as the database stores it. */
export const storedHeartbeat = Persisted.make(HeartbeatState)

/** Whether a deadline has passed, or has to be computed. */
export const isDue: Question = (sql, now) => sql`EXISTS (SELECT FROM heartbeats WHERE stale)
  OR EXISTS (SELECT FROM heartbeats h JOIN monitors m ON m.id = h.monitor_id
    WHERE h.overdue_at <= ${now} AND NOT h.stale AND NOT m.paused)`

/** The result of signals, or of a missed deadline. */
export interface HeartbeatUpdate {
  readonly id: MonitorId
  readonly state: HeartbeatState
  readonly overdueAt: EpochMillis | null
  readonly observations: ReadonlyArray<Observation>
  /** The signals as they are stored, with the duration of the run that each ended. */
  readonly signals: ReadonlyArray<Signal & { readonly duration: number | null }>
}

export interface SignalMetrics {
  readonly timestamp: EpochMillis
  readonly metrics: Readonly<Record<string, number>>
}

export class HeartbeatRepository extends Context.Service<
  HeartbeatRepository,
  {
    /** Locks the heartbeats that have these tokens, in the order of ids. */
    readonly lockByTokens: (hashes: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<StoredHeartbeat>>
    /** Locks heartbeats that were created, changed or resumed since their deadline was computed. */
    readonly lockChanged: (limit: number) => Effect.Effect<ReadonlyArray<StoredHeartbeat>>
    /** Locks heartbeats after their deadline. */
    readonly lockOverdue: (now: EpochMillis, limit: number) => Effect.Effect<ReadonlyArray<OverdueHeartbeat>>
    readonly update: (updates: ReadonlyArray<HeartbeatUpdate>) => Effect.Effect<void>
    readonly updateDeadlines: (
      deadlines: ReadonlyArray<{ readonly id: MonitorId; readonly at: EpochMillis | null }>
    ) => Effect.Effect<void>
    /** Records a look at the deadlines; returns when the one before it was, null when there was none. */
    readonly recordLook: (now: EpochMillis) => Effect.Effect<EpochMillis | null>
    /** Whether there are heartbeats in this installation. */
    readonly exist: Effect.Effect<boolean>
    /** Signals with metrics in `[from, to)`, oldest first. */
    readonly findMetrics: (
      id: MonitorId,
      from: EpochMillis,
      to: EpochMillis,
      limit: number
    ) => Effect.Effect<ReadonlyArray<SignalMetrics>>
  }
>()("@kanmon/monitoring/heartbeats/HeartbeatRepository") {
  static readonly layer = Layer.effect(
    HeartbeatRepository,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const select = sql`SELECT h.monitor_id AS id, h.token_hash AS "tokenHash", h.state, h.overdue_at AS "overdueAt",
          m.project_id AS "projectId", m.type, m.config, m.interval_seconds AS interval, m.paused,
          m.created_at AS "createdAt", COALESCE(m.spec_changed_at, m.updated_at) AS "changedAt"
        FROM heartbeats h JOIN monitors m ON m.id = h.monitor_id`

      const updateStates = Effect.fnUntraced(function* (updates: ReadonlyArray<HeartbeatUpdate>) {
        const rows = updates.map(({ id, overdueAt, signals, state }) => ({
          id,
          state: storedHeartbeat.encode(state),
          bytes: signals.reduce((sum, signal) => sum + SignalRoom.bytesOf(signal), 0),
          overdue: overdueAt === null ? null : toIso(overdueAt)
        }))
        yield* sql`UPDATE heartbeats h SET state = v.state, overdue_at = v.overdue, signal_bytes = signal_bytes + v.bytes
          FROM json_to_recordset(${JSON.stringify(rows)}::json)
            AS v(id text, state jsonb, bytes bigint, overdue timestamptz)
          WHERE h.monitor_id = v.id`
      })

      const insertSignals = Effect.fnUntraced(function* (updates: ReadonlyArray<HeartbeatUpdate>) {
        const rows = updates.flatMap(({ id, signals }) => signals.map((signal) => columns(id, signal)))
        if (rows.length === 0) return
        yield* sql`INSERT INTO heartbeat_signals (monitor_id, at, kind, rid, exit_code, message, metrics, duration,
            body, size, truncated, first_line, address)
          SELECT id, at, kind, rid, exit_code, message, metrics, duration, body, size, truncated, first_line, address
          FROM json_to_recordset(${JSON.stringify(rows)}::json) AS v(id text, at timestamptz, kind text, rid text,
            exit_code integer, message text, metrics jsonb, duration double precision, body text, size bigint, truncated boolean,
            first_line text, address text)`
      })

      const update: HeartbeatRepository["Service"]["update"] = Effect.fnUntraced(function* (updates) {
        if (updates.length === 0) return
        yield* updateStates(updates)
        yield* insertSignals(updates)
      }, Effect.orDie)

      const updateDeadlines: HeartbeatRepository["Service"]["updateDeadlines"] = Effect.fnUntraced(function* (
        deadlines
      ) {
        if (deadlines.length === 0) return
        const rows = deadlines.map(({ at, id }) => ({ id, at: at === null ? null : toIso(at) }))
        yield* sql`UPDATE heartbeats h SET stale = false, overdue_at = v.at
            FROM json_to_recordset(${JSON.stringify(rows)}::json) AS v(id text, at timestamptz) WHERE h.monitor_id = v.id`
      }, Effect.orDie)

      return HeartbeatRepository.of({
        lockByTokens: (hashes) =>
          Effect.map(
            heartbeats(
              sql`${select} WHERE h.token_hash = ANY(${hashes}::text[]) ORDER BY h.monitor_id FOR UPDATE OF h`
            ),
            (rows) => rows.map(withState)
          ),
        lockChanged: (limit) =>
          Effect.map(
            heartbeats(sql`${select} WHERE h.stale ORDER BY h.monitor_id LIMIT ${limit} FOR UPDATE OF h SKIP LOCKED`),
            (rows) => rows.map(withState)
          ),
        lockOverdue: (now, limit) =>
          Effect.map(
            overdue(sql`${select} WHERE h.overdue_at <= ${new Date(now)} AND NOT h.stale AND NOT m.paused
              ORDER BY h.overdue_at LIMIT ${limit} FOR UPDATE OF h SKIP LOCKED`),
            (rows) => rows.map(withState)
          ),
        update,
        updateDeadlines,
        recordLook: (now) =>
          Effect.map(
            looks(sql`WITH before AS (SELECT seen_at FROM heartbeat_watch)
              INSERT INTO heartbeat_watch (seen_at) VALUES (${new Date(now)})
              ON CONFLICT (single) DO UPDATE SET seen_at = greatest(heartbeat_watch.seen_at, EXCLUDED.seen_at)
              RETURNING (SELECT seen_at FROM before) AS before`),
            ({ before }) => before
          ),
        exist: Effect.map(existing(sql`SELECT EXISTS (SELECT FROM heartbeats) AS exist`), ({ exist }) => exist),
        findMetrics: (id, from, to, limit) =>
          metrics(sql`SELECT at AS timestamp, metrics FROM heartbeat_signals
            WHERE monitor_id = ${id} AND at >= ${new Date(from)} AND at < ${new Date(to)} AND metrics IS NOT NULL
            ORDER BY at LIMIT ${limit}`)
      })
    })
  )
}

const HeartbeatRow = Schema.Struct({
  id: MonitorId,
  tokenHash: Schema.String,
  state: Schema.Unknown,
  overdueAt: Schema.NullOr(Rows.Time),
  projectId: ProjectId,
  type: Schema.String,
  config: Schema.Record(Schema.String, Schema.Json),
  /** Seconds. */
  interval: Schema.Finite,
  paused: Schema.Boolean,
  createdAt: Rows.Time,
  /** When a user last changed it: the time of a resumed one counts from here. */
  changedAt: Rows.Time
})
const OverdueRow = Schema.Struct({ ...HeartbeatRow.fields, overdueAt: Rows.Time })

/** A passive monitor with its state. */
export interface StoredHeartbeat extends Omit<typeof HeartbeatRow.Type, "state"> {
  readonly state: HeartbeatState
}

/** A passive monitor after its deadline. */
export interface OverdueHeartbeat extends StoredHeartbeat {
  readonly overdueAt: EpochMillis
}

const heartbeats = Rows.all(HeartbeatRow)
const overdue = Rows.all(OverdueRow)
const looks = Rows.one(Schema.Struct({ before: Schema.NullOr(Rows.Time) }))
const existing = Rows.one(Schema.Struct({ exist: Schema.Boolean }))
const metrics = Rows.all(Schema.Struct({ timestamp: Rows.Time, metrics: Schema.Record(Schema.String, Schema.Finite) }))

const withState = <Row extends { readonly state: unknown }>(row: Row) => ({
  ...row,
  state: storedHeartbeat.decode(row.state)
})

const columns = (id: MonitorId, signal: HeartbeatUpdate["signals"][number]) => ({
  id,
  at: toIso(signal.at),
  kind: signal.kind,
  rid: signal.rid,
  exit_code: signal.exitCode,
  message: signal.message,
  metrics: Object.keys(signal.metrics).length === 0 ? null : signal.metrics,
  duration: signal.duration,
  body: signal.body ?? null,
  size: signal.size ?? Buffer.byteLength(signal.message ?? ""),
  truncated: signal.truncated ?? false,
  first_line: firstLineOf(signal.message ?? signal.body ?? null),
  address: signal.address ?? null
})
