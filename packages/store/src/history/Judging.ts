/**
 * The engine's transactions: observations in, verdicts out, all or nothing. Observations that were seen before (same
 * monitor, region and due time) and those that are no monitor's are left out before anything is decided.
 */
import { isOf } from "@kanmon/domain/Admission"
import type { Trigger } from "@kanmon/domain/AlertRule"
import type { MonitorId, ProjectId, RuleId } from "@kanmon/domain/Ids"
import type { JudgeSettings, JudgeState, StatusChange } from "@kanmon/domain/Judge"
import { aheadMillis, type Observation } from "@kanmon/domain/Observation"
import { isStale } from "@kanmon/domain/Staleness"
import { type EpochMillis, toIso } from "@kanmon/domain/Timestamp"
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
  /** Seconds. */
  readonly timeout: number
  readonly regions: ReadonlyArray<string>
  /** It waits for signals. */
  readonly passive: boolean
  /** When the user last changed it. */
  readonly changedAt: EpochMillis
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
  /** Monitors whose rows of the future are deleted. */
  readonly healed?: ReadonlyArray<MonitorId>
}

/** Verdicts on monitors that were looked at for being stale. */
export interface SweepVerdicts extends Verdicts {
  /** When to look at each again; null: not before a result or a change. */
  readonly looks: ReadonlyMap<MonitorId, EpochMillis | null>
}

/** Decides about the alerts of monitors as they stand. */
export type Deciding = (
  monitors: ReadonlyArray<JudgedMonitor>,
  book: AlertBook.Book
) => Effect.Effect<AlertBook.AlertChanges>

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
    readonly settle: (limit: number, alert: Deciding) => Effect.Effect<number>
    /**
     * Holds the next rule that was made or changed against its monitors as they stand, a page of at most `limit` of those that
     * something may hold of. Returns the rule, and whether it was its last page; undefined when no rule waits.
     */
    readonly review: (limit: number, alert: Deciding) => Effect.Effect<ReviewedRule | undefined>
    /** Notes that monitors are watched for silence; answers since when they have been without a break. */
    readonly attend: Effect.Effect<EpochMillis>
    /** Looks at the monitors whose turn it is, at most `limit`, and decides whether they are stale; returns how many it were. */
    readonly sweep: <V extends SweepVerdicts>(
      limit: number,
      decide: (monitors: ReadonlyArray<JudgedMonitor>) => V,
      alert: (verdicts: V, book: AlertBook.Book) => Effect.Effect<AlertBook.AlertChanges>
    ) => Effect.Effect<number>
    /** How many monitors are stale. */
    readonly countStale: Effect.Effect<number>
  }
>()("@kanmon/store/history/Judging") {
  static readonly layer = Layer.effect(
    Judging,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const signal = yield* OutboxSignal
      const deliveries = yield* DeliverySignal
      const provide = Effect.provideService(SqlClient.SqlClient, sql)

      const select = sql`SELECT m.id, m.project_id, m.name, m.type, m.vote_seconds::double precision AS vote_seconds,
          m.timeout_seconds, m.regions, m.passive, m.updated_at,
          CASE WHEN jsonb_typeof(m.config->'sslExpiryThreshold') = 'number'
            THEN (m.config->>'sslExpiryThreshold')::double precision END AS ssl_threshold, s.state
        FROM monitors m JOIN monitor_states s ON s.monitor_id = m.id`

      /** The batch's monitors, their states locked in the order of ids, so that two batches never wait for each other. */
      const lock = (ids: ReadonlyArray<string>) =>
        sql<StateRow>`${select} WHERE m.id = ANY(${ids}::text[]) ORDER BY m.id FOR NO KEY UPDATE OF s`

      const insert = (rows: ReadonlyArray<Observation>) =>
        sql<{ key: string }>`INSERT INTO observations
            (monitor_id, region, scheduled_at, slot, checked_at, status, response_time, timing, failure, facts)
          SELECT monitor_id, region, scheduled_at, slot, checked_at, status, response_time, timing, failure, facts
          FROM json_to_recordset(${JSON.stringify(rows.map(columns))}::json) AS batch(
            monitor_id text, region text, scheduled_at timestamptz, slot bigint, checked_at timestamptz, status text,
            response_time double precision, timing jsonb, failure jsonb, facts jsonb)
          ON CONFLICT DO NOTHING
          RETURNING monitor_id || ':' || region || ':' || (extract(epoch FROM scheduled_at) * 1000)::bigint AS key`

      const write = Effect.fnUntraced(function* ({ changes, events, healed = [], states }: Verdicts, at: number) {
        if (healed.length > 0) {
          const latest = new Date(at + aheadMillis)
          yield* sql`DELETE FROM status_changes WHERE monitor_id = ANY(${healed}::text[]) AND at > ${latest}`
          yield* sql`DELETE FROM observations WHERE monitor_id = ANY(${healed}::text[]) AND scheduled_at > ${latest}`
        }
        if (states.size > 0) {
          const rows = [...states].map(([id, state]) => ({
            id,
            status: state.status,
            checked: state.lastCheckedAt === null ? null : toIso(state.lastCheckedAt),
            stale: isStale(state),
            state
          }))
          // One that is heard of again is looked after again.
          yield* sql`UPDATE monitor_states s SET status = v.status, last_checked_at = v.checked, state = v.state,
              stale = v.stale, look_at = CASE WHEN s.stale AND NOT v.stale THEN ${new Date(at)} ELSE s.look_at END
            FROM json_to_recordset(${JSON.stringify(rows)}::json)
              AS v(id text, status text, checked timestamptz, stale boolean, state jsonb)
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

      /** Runs a transaction that may leave events and deliveries, and tells those who carry them. */
      const announced = <A extends Left, E>(transaction: Effect.Effect<A, E>) =>
        Effect.gen(function* () {
          const outcome = yield* Effect.orDie(sql.withTransaction(transaction))
          if (outcome.events > 0) yield* signal.raise
          if (outcome.deliveries > 0) yield* deliveries.raise
          return outcome
        })

      /** Decides about the alerts of monitors whose states are locked. */
      const decided = Effect.fnUntraced(function* (
        ids: ReadonlyArray<MonitorId>,
        now: EpochMillis,
        alert: (book: AlertBook.Book) => Effect.Effect<AlertBook.AlertChanges>
      ) {
        if (ids.length === 0) return { events: 0, deliveries: 0 }
        const changes = yield* alert(yield* AlertBook.load(ids).pipe(provide))
        yield* AlertBook.write(changes, now).pipe(provide)
        return { events: changes.events.length, deliveries: changes.deliveries.length }
      })

      /** Decides about the alerts of monitors as they stand. */
      const settled = Effect.fnUntraced(function* (ids: ReadonlyArray<MonitorId>, now: EpochMillis, alert: Deciding) {
        const monitors = (yield* lock(ids)).map(read)
        return yield* decided(
          monitors.map(({ id }) => id),
          now,
          (book) => alert(monitors, book)
        )
      })

      const judge: Judging["Service"]["judge"] = Effect.fn("Judging.judge")((batch, decide, alert) =>
        announced(
          Effect.gen(function* () {
            const monitors = new Map((yield* lock(monitorIds(batch))).map((row) => [row.id, read(row)]))
            const known = batch.filter((observation) => {
              const monitor = monitors.get(observation.monitorId)
              return monitor !== undefined && isOf(monitor, observation)
            })
            if (known.length === 0) return { fresh: 0, repeated: 0, orphaned: batch.length, events: 0, deliveries: 0 }
            const inserted = new Set((yield* insert(known)).map(({ key }) => key))
            // A batch may hold the same observation twice: the first one counts.
            const fresh = known.filter((observation) => inserted.delete(keyOf(observation)))
            const verdicts = decide(monitors, fresh)
            const now = yield* Clock.currentTimeMillis
            yield* write(verdicts, now)
            const alerts =
              alert === undefined ? nothing : yield* decided(verdicts.watched, now, (book) => alert(verdicts, book))
            yield* Rollups.markHours(fresh, now).pipe(provide)
            return {
              fresh: fresh.length,
              repeated: known.length - fresh.length,
              orphaned: batch.length - known.length,
              events: verdicts.events.length + alerts.events,
              deliveries: alerts.deliveries
            }
          })
        )
      )

      const settle: Judging["Service"]["settle"] = Effect.fn("Judging.settle")(function* (limit, alert) {
        const now = yield* Clock.currentTimeMillis
        const { windows } = yield* announced(
          Effect.gen(function* () {
            const ended = yield* sql<{ monitor_id: MonitorId }>`UPDATE maintenance_windows SET settled = true
              WHERE id IN (SELECT id FROM maintenance_windows WHERE NOT settled AND ends_at <= ${new Date(now)}
                ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED)
              RETURNING monitor_id`
            const ids = [...new Set(ended.map(({ monitor_id }) => monitor_id))]
            return { windows: ended.length, ...(yield* settled(ids, now, alert)) }
          })
        )
        return windows
      })

      const review: Judging["Service"]["review"] = Effect.fn("Judging.review")(function* (limit, alert) {
        const now = yield* Clock.currentTimeMillis
        const { rule } = yield* announced(
          Effect.gen(function* () {
            const [row] = yield* sql<ReviewRow>`SELECT id, project_id, monitor_ids, triggers, review_after
              FROM alert_rules WHERE review_after IS NOT NULL ORDER BY id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`
            if (row === undefined) return { rule: undefined, ...nothing }
            const { id, monitor_ids: own, project_id, review_after, triggers } = row
            // Of a quiet monitor nothing holds that an alert could be about.
            const page = yield* sql<{ id: MonitorId }>`SELECT m.id FROM monitors m
              JOIN monitor_states s ON s.monitor_id = m.id
              WHERE m.project_id = ${project_id} AND m.id > ${review_after} AND NOT m.paused
                AND (${own.length === 0} OR m.id = ANY(${own}::text[]))
                AND (s.status <> 'up' OR s.stale
                  OR jsonb_path_exists(s.state, '$.regions.*.certificate.stage ? (@ <> "good")'))
              ORDER BY m.id LIMIT ${limit}`
            const ids = page.map((monitor) => monitor.id)
            const after = page.length < limit ? null : ids.at(-1)!
            yield* sql`UPDATE alert_rules SET review_after = ${after} WHERE id = ${id}`
            return { rule: { id, triggers, done: after === null }, ...(yield* settled(ids, now, alert)) }
          })
        )
        return rule
      })

      const attend = Effect.gen(function* () {
        const now = new Date(yield* Clock.currentTimeMillis)
        const [row] = yield* sql<{
          since: Date
        }>`INSERT INTO staleness_watch AS w (seen_at, since) VALUES (${now}, ${now})
          ON CONFLICT (single) DO UPDATE SET seen_at = EXCLUDED.seen_at,
            since = CASE WHEN EXCLUDED.seen_at - w.seen_at > ${`${absentSeconds} seconds`}::interval
              THEN EXCLUDED.seen_at ELSE w.since END
          RETURNING since`
        return row!.since.getTime()
      }).pipe(Effect.orDie)

      const sweep: Judging["Service"]["sweep"] = Effect.fn("Judging.sweep")(function* (limit, decide, alert) {
        const now = yield* Clock.currentTimeMillis
        const { looked } = yield* announced(
          Effect.gen(function* () {
            const rows = yield* sql<StateRow>`${select} WHERE s.look_at <= ${new Date(now)}
              ORDER BY s.look_at LIMIT ${limit} FOR NO KEY UPDATE OF s SKIP LOCKED`
            if (rows.length === 0) return { looked: 0, ...nothing }
            const verdicts = decide(rows.map(read))
            yield* write(verdicts, now)
            const looks = [...verdicts.looks].map(([id, at]) => ({ id, at: at === null ? null : toIso(at) }))
            yield* sql`UPDATE monitor_states s SET look_at = v.at
              FROM json_to_recordset(${JSON.stringify(looks)}::json) AS v(id text, at timestamptz)
              WHERE s.monitor_id = v.id`
            const alerts = yield* decided(verdicts.watched, now, (book) => alert(verdicts, book))
            return {
              looked: rows.length,
              events: verdicts.events.length + alerts.events,
              deliveries: alerts.deliveries
            }
          })
        )
        return looked
      })

      const countStale = sql<{ count: number }>`SELECT count(*)::integer AS count FROM monitor_states WHERE stale`.pipe(
        Effect.map(([row]) => row!.count),
        Effect.orDie
      )

      return Judging.of({ judge, settle, review, attend, sweep, countStale })
    })
  )
}

/** What a transaction leaves for others to carry. */
interface Left {
  readonly events: number
  readonly deliveries: number
}

const nothing: Left = { events: 0, deliveries: 0 }

/** Another engine takes over sooner: a longer break was Kanmon's own. */
const absentSeconds = 60

/** A rule that was held against a page of its monitors. */
export interface ReviewedRule {
  readonly id: RuleId
  readonly triggers: ReadonlyArray<Trigger>
  /** There is no further page. */
  readonly done: boolean
}

interface ReviewRow {
  readonly id: RuleId
  readonly project_id: ProjectId
  readonly monitor_ids: ReadonlyArray<MonitorId>
  readonly triggers: ReadonlyArray<Trigger>
  readonly review_after: string
}

interface StateRow {
  readonly id: MonitorId
  readonly project_id: ProjectId
  readonly name: string
  readonly type: string
  readonly vote_seconds: number
  readonly timeout_seconds: number
  readonly regions: ReadonlyArray<string>
  readonly passive: boolean
  readonly updated_at: Date
  readonly ssl_threshold: number | null
  readonly state: JudgeState
}

const read = (row: StateRow): JudgedMonitor => ({
  id: row.id,
  projectId: row.project_id,
  name: row.name,
  type: row.type,
  interval: row.vote_seconds,
  timeout: row.timeout_seconds,
  regions: row.regions,
  passive: row.passive,
  changedAt: row.updated_at.getTime(),
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
