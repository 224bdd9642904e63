/**
 * The engine's transaction: observations in, verdicts out, all or nothing. Observations that were seen before (same
 * monitor, region and due time) and those of monitors that no longer exist are left out before anything is decided.
 */
import type { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import type { JudgeSettings, JudgeState, StatusChange } from "@kanmon/domain/Judge"
import type { Observation } from "@kanmon/domain/Observation"
import { toIso } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as AlertBook from "../alerts/AlertBook.ts"
import { DeliverySignal } from "../alerts/DeliverySignal.ts"
import type { OutboxEvent } from "../outbox/Outbox.ts"
import { OutboxSignal } from "../outbox/OutboxSignal.ts"
import * as Rollups from "./Rollups.ts"

/** A monitor with what the judge remembers of it. */
export interface JudgedMonitor {
  readonly id: MonitorId
  readonly projectId: ProjectId
  readonly name: string
  readonly type: string
  /** Seconds between results, as far as their votes are concerned. */
  readonly interval: number
  readonly regions: ReadonlyArray<string>
  /** Days before its end from which the certificate counts as expiring, where the monitor says it. */
  readonly sslExpiryThreshold?: number | undefined
  readonly state: JudgeState
}

/** What a monitor's settings say to the judge. */
export const settingsOf = (monitor: JudgedMonitor): JudgeSettings => ({
  intervalMillis: monitor.interval * 1000,
  regions: monitor.regions,
  ...(monitor.sslExpiryThreshold === undefined ? {} : { sslExpiryThreshold: monitor.sslExpiryThreshold })
})

/** What the batch leads to. Only changed states need to be present. */
export interface Verdicts {
  readonly states: ReadonlyMap<MonitorId, JudgeState>
  readonly changes: ReadonlyArray<{ readonly monitorId: MonitorId; readonly change: StatusChange }>
  readonly events: ReadonlyArray<OutboxEvent>
  /** Monitors whose alerts are to be decided about. */
  readonly watched: ReadonlyArray<MonitorId>
}

export class Judging extends Context.Service<
  Judging,
  {
    /**
     * Stores a batch and its verdicts in one transaction. The states of the batch's monitors are locked while `decide`,
     * which must be pure, runs; it sees the fresh observations in the order they were given. `alert` then decides about
     * the alerts of the monitors that the verdicts name.
     */
    readonly judge: <V extends Verdicts>(
      batch: ReadonlyArray<Observation>,
      decide: (monitors: ReadonlyMap<MonitorId, JudgedMonitor>, fresh: ReadonlyArray<Observation>) => V,
      alert?: (verdicts: V, book: AlertBook.Book) => Effect.Effect<AlertBook.AlertChanges>
    ) => Effect.Effect<{ readonly fresh: number; readonly repeated: number; readonly orphaned: number }>
    /**
     * Decides about the alerts of monitors whose maintenance window has ended since, as they stand: at most `limit` windows;
     * returns how many.
     */
    readonly settle: (
      limit: number,
      alert: (monitors: ReadonlyArray<JudgedMonitor>, book: AlertBook.Book) => Effect.Effect<AlertBook.AlertChanges>
    ) => Effect.Effect<number>
  }
>()("@kanmon/store/history/Judging") {
  static readonly layer = Layer.effect(
    Judging,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const signal = yield* OutboxSignal
      const deliveries = yield* DeliverySignal
      const provide = Effect.provideService(SqlClient.SqlClient, sql)

      /** The batch's monitors, their states locked in the order of ids, so that two batches never wait for each other. */
      const lock = (ids: ReadonlyArray<string>) =>
        sql<StateRow>`SELECT m.id, m.project_id, m.name, m.type, m.vote_seconds::double precision AS vote_seconds, m.regions,
            (m.config->>'sslExpiryThreshold')::double precision AS ssl_threshold, s.state
          FROM monitors m JOIN monitor_states s ON s.monitor_id = m.id
          WHERE m.id = ANY(${ids}::text[]) ORDER BY m.id FOR NO KEY UPDATE OF s`

      const insert = (rows: ReadonlyArray<Observation>) =>
        sql<{ key: string }>`INSERT INTO observations
            (monitor_id, region, scheduled_at, slot, checked_at, status, response_time, timing, failure, facts)
          SELECT monitor_id, region, scheduled_at, slot, checked_at, status, response_time, timing, failure, facts
          FROM json_to_recordset(${JSON.stringify(rows.map(columns))}::json) AS batch(
            monitor_id text, region text, scheduled_at timestamptz, slot bigint, checked_at timestamptz, status text,
            response_time double precision, timing jsonb, failure jsonb, facts jsonb)
          ON CONFLICT DO NOTHING
          RETURNING monitor_id || ':' || region || ':' || (extract(epoch FROM scheduled_at) * 1000)::bigint AS key`

      const write = Effect.fnUntraced(function* ({ changes, events, states }: Verdicts, at: number) {
        if (states.size > 0) {
          const rows = [...states].map(([id, state]) => ({
            id,
            status: state.status,
            checked: state.lastCheckedAt === null ? null : toIso(state.lastCheckedAt),
            state
          }))
          yield* sql`UPDATE monitor_states s SET status = v.status, last_checked_at = v.checked, state = v.state
            FROM json_to_recordset(${JSON.stringify(rows)}::json) AS v(id text, status text, checked timestamptz, state jsonb)
            WHERE s.monitor_id = v.id`
        }
        if (changes.length > 0) {
          const rows = changes.map(({ change, monitorId }) => ({
            id: monitorId,
            at: toIso(change.at),
            status: change.status,
            failure: change.failure
          }))
          yield* sql`INSERT INTO status_changes (monitor_id, at, status, failure)
            SELECT id, at, status, failure
            FROM json_to_recordset(${JSON.stringify(rows)}::json) AS v(id text, at timestamptz, status text, failure jsonb)`
          yield* Rollups.markDays(
            changes.map(({ change, monitorId }) => ({ monitorId, at: change.at })),
            at
          ).pipe(provide)
        }
        if (events.length > 0) {
          yield* sql`INSERT INTO outbox (kind, event, created_at)
            SELECT 'event', event, ${new Date(at)} FROM json_array_elements(${JSON.stringify(events)}::json) AS event`
        }
      })

      const judge: Judging["Service"]["judge"] = Effect.fn("Judging.judge")(function* (batch, decide, alert) {
        const outcome = yield* sql
          .withTransaction(
            Effect.gen(function* () {
              const monitors = new Map((yield* lock(monitorIds(batch))).map((row) => [row.id, read(row)]))
              const known = batch.filter((observation) => monitors.has(observation.monitorId))
              if (known.length === 0) return { fresh: 0, repeated: 0, orphaned: batch.length, events: 0, deliveries: 0 }
              const inserted = new Set((yield* insert(known)).map(({ key }) => key))
              // A batch may hold the same observation twice: the first one counts.
              const fresh = known.filter((observation) => inserted.delete(keyOf(observation)))
              const verdicts = decide(monitors, fresh)
              const now = yield* Clock.currentTimeMillis
              yield* write(verdicts, now)
              const alerts =
                alert === undefined || verdicts.watched.length === 0
                  ? undefined
                  : yield* alert(verdicts, yield* AlertBook.load(verdicts.watched).pipe(provide))
              if (alerts !== undefined) yield* AlertBook.write(alerts, now).pipe(provide)
              yield* Rollups.markHours(fresh, now).pipe(provide)
              return {
                fresh: fresh.length,
                repeated: known.length - fresh.length,
                orphaned: batch.length - known.length,
                events: verdicts.events.length + (alerts?.events.length ?? 0),
                deliveries: alerts?.deliveries.length ?? 0
              }
            })
          )
          .pipe(Effect.orDie)
        if (outcome.events > 0) yield* signal.raise
        if (outcome.deliveries > 0) yield* deliveries.raise
        return outcome
      })

      const settle: Judging["Service"]["settle"] = Effect.fn("Judging.settle")(function* (limit, alert) {
        const now = yield* Clock.currentTimeMillis
        const outcome = yield* sql
          .withTransaction(
            Effect.gen(function* () {
              const ended = yield* sql<{ monitor_id: MonitorId }>`UPDATE maintenance_windows SET settled = true
                WHERE id IN (SELECT id FROM maintenance_windows WHERE NOT settled AND ends_at <= ${new Date(now)}
                  ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED)
                RETURNING monitor_id`
              if (ended.length === 0) return { windows: 0, events: 0, deliveries: 0 }
              const ids = [...new Set(ended.map(({ monitor_id }) => monitor_id))]
              const monitors = (yield* lock(ids)).map(read)
              const changes = yield* alert(monitors, yield* AlertBook.load(ids).pipe(provide))
              yield* AlertBook.write(changes, now).pipe(provide)
              return { windows: ended.length, events: changes.events.length, deliveries: changes.deliveries.length }
            })
          )
          .pipe(Effect.orDie)
        if (outcome.events > 0) yield* signal.raise
        if (outcome.deliveries > 0) yield* deliveries.raise
        return outcome.windows
      })

      return Judging.of({ judge, settle })
    })
  )
}

interface StateRow {
  readonly id: MonitorId
  readonly project_id: ProjectId
  readonly name: string
  readonly type: string
  readonly vote_seconds: number
  readonly regions: ReadonlyArray<string>
  readonly ssl_threshold: number | null
  readonly state: JudgeState
}

const read = (row: StateRow): JudgedMonitor => ({
  id: row.id,
  projectId: row.project_id,
  name: row.name,
  type: row.type,
  interval: row.vote_seconds,
  regions: row.regions,
  sslExpiryThreshold: row.ssl_threshold ?? undefined,
  state: row.state
})

const monitorIds = (batch: ReadonlyArray<Observation>): ReadonlyArray<string> => [
  ...new Set(batch.map((observation) => observation.monitorId))
]

/** What makes an observation itself: monitor, region and due time. */
const keyOf = ({ monitorId, region, scheduledAt }: Observation): string => `${monitorId}:${region}:${scheduledAt}`

/** An observation as a row; empty parts take no room. */
const columns = (observation: Observation) => ({
  monitor_id: observation.monitorId,
  region: observation.region,
  scheduled_at: toIso(observation.scheduledAt),
  slot: observation.slot,
  checked_at: toIso(observation.checkedAt),
  status: observation.status,
  response_time: observation.responseTime,
  timing: isEmpty(observation.timing) ? null : observation.timing,
  failure: observation.failure,
  facts: isEmpty(observation.facts) ? null : observation.facts
})

const isEmpty = (record: object): boolean => {
  for (const _key in record) return false
  return true
}
