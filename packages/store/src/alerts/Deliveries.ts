/**
 * The queue of notices. A channel is leased to one engine at a time, which takes its notices in order, one attempt each; what
 * an engine that died had leased falls to the next one. An attempt whose outcome was not written down is made again, with
 * the same notice id.
 */
import type { Trigger } from "@kanmon/domain/AlertRule"
import type { AlertId, ChannelId, MonitorId, ProjectId, RuleId } from "@kanmon/domain/Ids"
import { type EpochMillis, toIso } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer, type Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type ChannelRow, lastDelivery, readChannel, type StoredChannel } from "./Channels.ts"
import { DeliverySignal } from "./DeliverySignal.ts"
import type { OutboxEvent } from "../outbox/Outbox.ts"
import { OutboxSignal } from "../outbox/OutboxSignal.ts"
import { Secrets } from "../database/Secrets.ts"

/** One attempt, as the user may read of it. */
export interface Attempt {
  readonly at: string
  readonly outcome: "delivered" | "retrying" | "failed"
  /** What the destination said. */
  readonly detail: string
  /** Milliseconds. */
  readonly duration: number
}

/** A notice that is due. */
export interface DueDelivery {
  readonly id: string
  readonly entryId: AlertId
  readonly projectId: ProjectId
  readonly ruleId: RuleId
  readonly monitorId: MonitorId
  readonly trigger: Trigger
  readonly notice: Schema.JsonObject
  /** The notice that opened the alert has not reached this channel. */
  readonly overtakesOpening: boolean
  /** Attempts so far. */
  readonly attempts: number
  readonly createdAt: EpochMillis
}

/** A channel of which this engine alone takes notices until the lease ends. */
export interface LeasedChannel extends StoredChannel {
  /** Failures in a row. */
  readonly failures: number
}

/** What came of an attempt. */
export type Outcome =
  | { readonly _tag: "Delivered" }
  /** `restUntil`: the whole channel is left alone until then. */
  | { readonly _tag: "Retry"; readonly at: EpochMillis; readonly restUntil: EpochMillis | null }
  /** `disable`: nothing more is to be sent through this channel. */
  | { readonly _tag: "Failed"; readonly disable: boolean }

/** Channels of one account that are worked on at once: half of what an engine works on, so that those that hang leave room. */
export const accountShare = 64

export class Deliveries extends Context.Service<
  Deliveries,
  {
    /** Leases channels for which something is due: of each account so many that others have room, too. */
    readonly lease: (engine: string, millis: number, limit: number) => Effect.Effect<ReadonlyArray<LeasedChannel>>
    /** Gives back what an earlier run of this engine had leased. */
    readonly reclaim: (engine: string) => Effect.Effect<void>
    readonly release: (channel: ChannelId, engine: string) => Effect.Effect<void>
    /** The channel's next due notice. What it makes superfluous (an opening that never got through) is merged into it. */
    readonly next: (channel: ChannelId) => Effect.Effect<DueDelivery | undefined>
    readonly conclude: (
      channel: ChannelId,
      delivery: DueDelivery,
      attempt: Attempt,
      outcome: Outcome,
      event: OutboxEvent | undefined
    ) => Effect.Effect<void>
    /** Succeeds when this process has queued something since the last call. A hint: peers' notices need polling. */
    readonly queued: Effect.Effect<void>
    /** How many notices wait. */
    readonly pending: Effect.Effect<number>
  }
>()("@kanmon/store/alerts/Deliveries") {
  static readonly layer = Layer.effect(
    Deliveries,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets
      const signal = yield* DeliverySignal
      const outbox = yield* OutboxSignal
      const read = readChannel(secrets)

      const lease: Deliveries["Service"]["lease"] = Effect.fn("Deliveries.lease")(function* (engine, millis, limit) {
        const at = yield* Clock.currentTimeMillis
        const now = new Date(at)
        const rows = yield* Effect.orDie(
          sql<ChannelRow & { readonly failures: number }>`WITH busy AS (
              SELECT p.user_id, count(*) AS channels FROM channels c JOIN projects p ON p.id = c.project_id
              WHERE c.leased_until > ${now} GROUP BY p.user_id),
            due AS (
              SELECT c.id, row_number() OVER (PARTITION BY p.user_id ORDER BY c.id) + COALESCE(b.channels, 0) AS place
              FROM channels c JOIN projects p ON p.id = c.project_id LEFT JOIN busy b ON b.user_id = p.user_id
              WHERE c.id IN (SELECT DISTINCT channel_id FROM deliveries WHERE status = 'pending' AND next_attempt_at <= ${now})
                AND (c.leased_until IS NULL OR c.leased_until <= ${now})
                AND (c.resting_until IS NULL OR c.resting_until <= ${now}))
            UPDATE channels SET leased_until = ${new Date(at + millis)}, leased_by = ${engine}
            WHERE id IN (
              SELECT c.id FROM channels c JOIN due ON due.id = c.id
              WHERE due.place <= ${accountShare} AND (c.leased_until IS NULL OR c.leased_until <= ${now})
              ORDER BY due.place, c.id LIMIT ${limit} FOR UPDATE OF c SKIP LOCKED)
            RETURNING *`
        )
        return rows.map((row) => ({ ...read(row), failures: row.failures }))
      })

      const reclaim: Deliveries["Service"]["reclaim"] = Effect.fn("Deliveries.reclaim")((engine) =>
        sql`UPDATE channels SET leased_until = NULL, leased_by = NULL WHERE leased_by = ${engine}`.pipe(
          Effect.asVoid,
          Effect.orDie
        )
      )

      const release: Deliveries["Service"]["release"] = Effect.fn("Deliveries.release")((channel, engine) =>
        sql`UPDATE channels SET leased_until = NULL, leased_by = NULL
          WHERE id = ${channel} AND leased_by = ${engine}`.pipe(Effect.asVoid, Effect.orDie)
      )

      const next: Deliveries["Service"]["next"] = Effect.fn("Deliveries.next")(function* (channel) {
        const now = new Date(yield* Clock.currentTimeMillis)
        const [row] = yield* sql<DueRow>`SELECT d.*, h.rule_id, h.monitor_id, h.type, COALESCE((
            SELECT o.status <> 'delivered' FROM deliveries o
            WHERE o.entry_id = d.entry_id AND o.purpose = 'open' AND o.id <> d.id), false) AS overtakes
          FROM deliveries d JOIN alert_history h ON h.id = d.entry_id
          WHERE d.channel_id = ${channel} AND d.status = 'pending' AND d.next_attempt_at <= ${now}
          ORDER BY d.created_at, d.id LIMIT 1`
        if (row === undefined) return undefined
        if (row.purpose !== "open") {
          yield* sql`UPDATE deliveries SET status = 'merged', finished_at = ${now}
            WHERE entry_id = ${row.entry_id} AND status = 'pending' AND id <> ${row.id}
              AND (created_at, id) < (${row.created_at}, ${row.id})`
        }
        return {
          id: row.id,
          entryId: row.entry_id,
          projectId: row.project_id,
          ruleId: row.rule_id,
          monitorId: row.monitor_id,
          trigger: row.type,
          notice: row.notice,
          overtakesOpening: row.overtakes,
          attempts: row.attempts.length,
          createdAt: row.created_at.getTime()
        }
      }, Effect.orDie)

      const conclude: Deliveries["Service"]["conclude"] = Effect.fn("Deliveries.conclude")(function* (
        channel,
        delivery,
        attempt,
        outcome,
        event
      ) {
        const now = new Date(yield* Clock.currentTimeMillis)
        const made = JSON.stringify([attempt])
        const last = JSON.stringify(lastDelivery(Date.parse(attempt.at), attempt.outcome, attempt.detail))
        yield* sql.withTransaction(
          Effect.gen(function* () {
            if (outcome._tag === "Retry") {
              yield* sql`UPDATE deliveries SET attempts = attempts || ${made}::jsonb, error = ${attempt.detail},
                  next_attempt_at = ${new Date(outcome.at)} WHERE id = ${delivery.id} AND status = 'pending'`
              const rest = outcome.restUntil === null ? null : new Date(outcome.restUntil)
              yield* sql`UPDATE channels SET failures = failures + 1, resting_until = ${rest},
                  last_delivery = ${last}::jsonb WHERE id = ${channel}`
              yield* sql`UPDATE alert_history SET error = ${attempt.detail} WHERE id = ${delivery.entryId}`
              return
            }
            const done = outcome._tag === "Delivered"
            const status = done ? "delivered" : "failed"
            const error = done ? null : attempt.detail
            yield* sql`UPDATE deliveries SET attempts = attempts || ${made}::jsonb, status = ${status}, error = ${error},
                finished_at = ${now} WHERE id = ${delivery.id} AND status = 'pending'`
            yield* sql`UPDATE alert_history SET status = ${status}, error = ${error} WHERE id = ${delivery.entryId}
                AND NOT EXISTS (SELECT FROM deliveries WHERE entry_id = ${delivery.entryId} AND status = 'pending')`
            const disabled = outcome._tag === "Failed" && outcome.disable ? attempt.detail : null
            yield* sql`UPDATE channels SET failures = 0, resting_until = NULL, last_delivery = ${last}::jsonb,
                disabled_reason = COALESCE(${disabled}, disabled_reason) WHERE id = ${channel}`
            if (event !== undefined) {
              yield* sql`INSERT INTO outbox (kind, event, created_at)
                  VALUES ('event', ${JSON.stringify(event)}::jsonb, ${now})`
            }
          })
        )
        if (event !== undefined) yield* outbox.raise
      }, Effect.orDie)

      const pending = sql<{
        count: number
      }>`SELECT count(*)::int AS count FROM deliveries WHERE status = 'pending'`.pipe(
        Effect.map(([row]) => row?.count ?? 0),
        Effect.orDie
      )

      return Deliveries.of({ lease, reclaim, release, next, conclude, queued: signal.wait, pending })
    })
  )
}

interface DueRow {
  readonly id: string
  readonly entry_id: AlertId
  readonly project_id: ProjectId
  readonly rule_id: RuleId
  readonly monitor_id: MonitorId
  readonly type: Trigger
  readonly purpose: string
  readonly notice: Schema.JsonObject
  readonly overtakes: boolean
  readonly attempts: ReadonlyArray<Attempt>
  readonly created_at: Date
}

/** An attempt that began then and ended now. */
export const attempt = (
  began: EpochMillis,
  ended: EpochMillis,
  outcome: Attempt["outcome"],
  detail: string
): Attempt => ({ at: toIso(began), outcome, detail, duration: ended - began })
