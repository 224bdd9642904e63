/**
 * The queue of notices. A channel is leased to one engine at a time, which takes its notices in order, one attempt each; the
 * leases of an engine that died are free as soon as the others think it gone. An attempt whose outcome was not written down is
 * made again, with the same notice id. Deliveries of several rules that say the same are one message (`DeliverySharing`).
 */
import type { Trigger } from "@kanmon/domain/AlertRule"
import { type QueuedDelivery, stepOf } from "@kanmon/domain/DeliverySharing"
import type { AlertId, ChannelId, MonitorId, ProjectId, RuleId } from "@kanmon/domain/Ids"
import { type EpochMillis, toIso } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer, type Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type ChannelRow, lastDelivery, readChannel, type StoredChannel } from "./Channels.ts"
import { DeliverySignal } from "./DeliverySignal.ts"
import { mayLease } from "../database/EngineLocks.ts"
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
  /** The alert that the channel knows the outage by: its own, or that of the rule whose message was sent first. */
  readonly alertId: string
  /** The rules that the notice stands for, its own first. */
  readonly rules: ReadonlyArray<{ readonly id: string; readonly name: string }>
  /** Deliveries of other rules that are settled with this one. */
  readonly shared: ReadonlyArray<SharedDelivery>
  /** The delivery that already notified the channel: this one is not sent, `share` settles it. */
  readonly notifiedBy: string | null
  /** The notice that opened the alert has not reached this channel. */
  readonly overtakesOpening: boolean
  /** Attempts so far. */
  readonly attempts: number
  readonly createdAt: EpochMillis
}

/** A delivery of another rule to the same channel. */
export type SharedDelivery = Pick<DueDelivery, "id" | "entryId" | "ruleId">

/** An alert that a channel was not told of any more. */
export type MissedEntry = Pick<DueDelivery, "entryId" | "projectId" | "ruleId" | "monitorId" | "trigger">

/** Why and until when a channel's deliveries wait. */
export interface Hold {
  readonly until: EpochMillis
  readonly detail: string
  /** With this error, alerts fail that both opened and ended while they waited. */
  readonly missed: string
  /** The public event of such a failure. */
  readonly event: (missed: MissedEntry) => OutboxEvent
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
    /**
     * Leases channels for which something is due: of each account so many that others have room, too. None to an engine that
     * has not joined the others yet.
     */
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
      events: ReadonlyArray<OutboxEvent>
    ) => Effect.Effect<void>
    /** Settles a delivery of which the channel was already notified, without an attempt. */
    readonly share: (delivery: DueDelivery, event: OutboxEvent) => Effect.Effect<void>
    /** Leaves the channel alone for a while. Answers what it is not told of any more. */
    readonly hold: (channel: ChannelId, delivery: DueDelivery, hold: Hold) => Effect.Effect<ReadonlyArray<MissedEntry>>
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
              WHERE c.leased_until > ${now} AND NOT ${mayLease(sql, "c", engine, now)} GROUP BY p.user_id),
            due AS (
              SELECT c.id, row_number() OVER (PARTITION BY p.user_id ORDER BY c.id) + COALESCE(b.channels, 0) AS place
              FROM channels c JOIN projects p ON p.id = c.project_id LEFT JOIN busy b ON b.user_id = p.user_id
              WHERE c.id IN (SELECT DISTINCT channel_id FROM deliveries WHERE status = 'pending' AND next_attempt_at <= ${now})
                AND ${mayLease(sql, "c", engine, now)}
                AND (c.resting_until IS NULL OR c.resting_until <= ${now}))
            UPDATE channels SET leased_until = ${new Date(at + millis)}, leased_by = ${engine}
            WHERE id IN (
              SELECT c.id FROM channels c JOIN due ON due.id = c.id
              WHERE due.place <= ${accountShare} AND ${mayLease(sql, "c", engine, now)}
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

      /** Deliveries of the same outage to the same channel. */
      const ofOutage = Effect.fnUntraced(function* ({ channel_id, entry_id, id, monitor_id, notice, type }: DueRow) {
        const startedAt = String(notice["startedAt"])
        return yield* sql<OutageRow>`SELECT d.id, d.entry_id AS "entryId", h.rule_id AS "ruleId", d.purpose, d.status,
            d.shared_with AS "sharedWith", d.created_at, d.finished_at, d.notice->>'alertId' AS "alertId",
            d.notice->'rule' AS rule, CASE WHEN (d.notice->>'reminder')::boolean THEN coalesce(r.resend_every, 0) ELSE 0
              END AS "resendEvery"
          FROM deliveries d JOIN alert_history h ON h.id = d.entry_id LEFT JOIN alert_rules r ON r.id = h.rule_id
          WHERE h.monitor_id = ${monitor_id} AND h.type = ${type} AND d.id IN (
            SELECT id FROM deliveries WHERE channel_id = ${channel_id} AND status = 'pending'
              AND notice->>'startedAt' = ${startedAt}
            UNION SELECT id FROM deliveries WHERE channel_id = ${channel_id} AND purpose = 'open'
              AND notice->>'startedAt' = ${startedAt}
            UNION SELECT id FROM deliveries WHERE entry_id = ${entry_id} AND (purpose = 'open' OR id = ${id})
            UNION (SELECT id FROM deliveries WHERE channel_id = ${channel_id} AND purpose = 'repeat'
              AND status = 'delivered' AND shared_with IS NULL AND notice->>'startedAt' = ${startedAt}
              ORDER BY finished_at DESC LIMIT ${newestReminders}))
          ORDER BY d.created_at, d.id`
      })

      const next: Deliveries["Service"]["next"] = Effect.fn("Deliveries.next")(function* (channel) {
        const at = yield* Clock.currentTimeMillis
        const now = new Date(at)
        for (;;) {
          const [row] = yield* sql<DueRow>`SELECT d.*, h.rule_id, h.monitor_id, h.type
            FROM deliveries d JOIN alert_history h ON h.id = d.entry_id
            WHERE d.channel_id = ${channel} AND d.status = 'pending' AND d.next_attempt_at <= ${now}
            ORDER BY d.created_at, d.id LIMIT 1`
          if (row === undefined) return undefined
          const others = yield* ofOutage(row)
          const all = others.map(toQueued)
          const step = stepOf(
            all.find(({ id }) => id === row.id)!,
            all,
            at
          )
          if (step._tag === "Wait") {
            yield* sql`UPDATE deliveries SET next_attempt_at = ${new Date(step.until)} WHERE id = ${row.id}`
            continue
          }
          const shared =
            step._tag === "Send" ? step.shared.map(({ id }) => others.find((other) => other.id === id)!) : []
          if (step._tag === "Send" && row.purpose !== "open") {
            yield* sql`UPDATE deliveries d SET status = 'merged', finished_at = ${now} FROM deliveries later
              WHERE later.id = ANY(${[row.id, ...shared.map(({ id }) => id)]}::text[]) AND d.entry_id = later.entry_id
                AND d.status = 'pending' AND (d.created_at, d.id) < (later.created_at, later.id)`
          }
          const own = others.find(({ id }) => id === row.id)!
          return {
            id: row.id,
            entryId: row.entry_id,
            projectId: row.project_id,
            ruleId: row.rule_id,
            monitorId: row.monitor_id,
            trigger: row.type,
            notice: row.notice,
            alertId: step._tag === "Send" ? step.alertId : own.alertId,
            rules: [own, ...shared].flatMap(({ rule }) => rule ?? []),
            shared,
            notifiedBy: step._tag === "Notified" ? step.by : null,
            overtakesOpening: step._tag === "Send" && step.overtakesOpening,
            attempts: row.attempts.length,
            createdAt: row.created_at.getTime()
          }
        }
      }, Effect.orDie)

      const announce = (events: ReadonlyArray<OutboxEvent>, now: Date) =>
        sql`INSERT INTO outbox (kind, event, created_at)
          SELECT 'event', event, ${now} FROM json_array_elements(${JSON.stringify(events)}::json) AS event`

      /** How entries stand of which nothing waits any more. */
      const settle = (entries: ReadonlyArray<AlertId>, status: "delivered" | "failed", error: string | null) =>
        sql`UPDATE alert_history h SET status = ${status}, error = ${error} WHERE id = ANY(${entries}::text[])
          AND NOT EXISTS (SELECT FROM deliveries WHERE entry_id = h.id AND status = 'pending')`

      const share: Deliveries["Service"]["share"] = Effect.fn("Deliveries.share")(function* (delivery, event) {
        const now = new Date(yield* Clock.currentTimeMillis)
        yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`UPDATE deliveries SET status = 'delivered', error = NULL, shared_with = ${delivery.notifiedBy},
              finished_at = ${now} WHERE id = ${delivery.id} AND status = 'pending'`
            yield* settle([delivery.entryId], "delivered", null)
            yield* announce([event], now)
          })
        )
        yield* outbox.raise
      }, Effect.orDie)

      const conclude: Deliveries["Service"]["conclude"] = Effect.fn("Deliveries.conclude")(function* (
        channel,
        delivery,
        attempt,
        outcome,
        events
      ) {
        const now = new Date(yield* Clock.currentTimeMillis)
        const made = JSON.stringify([attempt])
        const last = JSON.stringify(lastDelivery(Date.parse(attempt.at), attempt.outcome, attempt.detail))
        const all = [delivery, ...delivery.shared]
        const ids = all.map(({ id }) => id)
        const entries = all.map(({ entryId }) => entryId)
        yield* sql.withTransaction(
          Effect.gen(function* () {
            if (outcome._tag === "Retry") {
              yield* sql`UPDATE deliveries SET attempts = attempts || ${made}::jsonb, error = ${attempt.detail},
                  next_attempt_at = ${new Date(outcome.at)} WHERE id = ANY(${ids}::text[]) AND status = 'pending'`
              const rest = outcome.restUntil === null ? null : new Date(outcome.restUntil)
              yield* sql`UPDATE channels SET failures = failures + 1, resting_until = ${rest},
                  last_delivery = ${last}::jsonb WHERE id = ${channel}`
              yield* sql`UPDATE alert_history SET error = ${attempt.detail} WHERE id = ANY(${entries}::text[])`
              return
            }
            const done = outcome._tag === "Delivered"
            const status = done ? "delivered" : "failed"
            const error = done ? null : attempt.detail
            yield* sql`UPDATE deliveries SET attempts = attempts || ${made}::jsonb, status = ${status}, error = ${error},
                finished_at = ${now}, shared_with = CASE WHEN id = ${delivery.id} THEN NULL ELSE ${delivery.id} END
              WHERE id = ANY(${ids}::text[]) AND status = 'pending'`
            yield* settle(entries, status, error)
            const disabled = outcome._tag === "Failed" && outcome.disable ? attempt.detail : null
            yield* sql`UPDATE channels SET failures = 0, resting_until = NULL, last_delivery = ${last}::jsonb,
                disabled_reason = COALESCE(${disabled}, disabled_reason) WHERE id = ${channel}`
            if (events.length > 0) yield* announce(events, now)
          })
        )
        if (events.length > 0) yield* outbox.raise
      }, Effect.orDie)

      const hold: Deliveries["Service"]["hold"] = Effect.fn("Deliveries.hold")(function* (
        channel,
        delivery,
        { detail, event, missed, until }
      ) {
        const now = new Date(yield* Clock.currentTimeMillis)
        const last = JSON.stringify(lastDelivery(now.getTime(), "retrying", detail))
        const entries = yield* sql.withTransaction(
          Effect.gen(function* () {
            const over = yield* sql<{ entry_id: AlertId }>`SELECT DISTINCT o.entry_id FROM deliveries o
                JOIN deliveries c ON c.entry_id = o.entry_id AND c.purpose = 'close' AND c.status = 'pending'
                WHERE o.channel_id = ${channel} AND o.purpose = 'open' AND o.status = 'pending'`
            const ids = over.map(({ entry_id }) => entry_id)
            yield* sql`UPDATE deliveries SET status = 'failed', error = ${missed}, finished_at = ${now}
                WHERE entry_id = ANY(${ids}::text[]) AND status = 'pending'`
            const rows = yield* sql<MissedRow>`UPDATE alert_history SET status = 'failed', error = ${missed}
                WHERE id = ANY(${ids}::text[]) RETURNING id, project_id, rule_id, monitor_id, type`
            const waiting = [delivery, ...delivery.shared]
            yield* sql`UPDATE deliveries SET error = ${detail}
                WHERE id = ANY(${waiting.map(({ id }) => id)}::text[]) AND status = 'pending'`
            yield* sql`UPDATE alert_history SET error = ${detail}
                WHERE id = ANY(${waiting.map(({ entryId }) => entryId)}::text[]) AND status = 'pending'`
            yield* sql`UPDATE channels SET resting_until = ${new Date(until)}, last_delivery = ${last}::jsonb
                WHERE id = ${channel}`
            const told = rows.map((row) => ({
              entryId: row.id,
              projectId: row.project_id,
              ruleId: row.rule_id,
              monitorId: row.monitor_id,
              trigger: row.type
            }))
            const events = JSON.stringify(told.map(event))
            yield* sql`INSERT INTO outbox (kind, event, created_at)
                SELECT 'event', event, ${now} FROM json_array_elements(${events}::json) AS event`
            return told
          })
        )
        if (entries.length > 0) yield* outbox.raise
        return entries
      }, Effect.orDie)

      const pending = sql<{
        count: number
      }>`SELECT count(*)::int AS count FROM deliveries WHERE status = 'pending'`.pipe(
        Effect.map(([row]) => row?.count ?? 0),
        Effect.orDie
      )

      return Deliveries.of({ lease, reclaim, release, next, conclude, share, hold, queued: signal.wait, pending })
    })
  )
}

/** Reminders of one outage that are looked at: the newest of each rule is among them. */
const newestReminders = 100

interface OutageRow extends Omit<QueuedDelivery, "createdAt" | "finishedAt">, SharedDelivery {
  readonly id: string
  readonly entryId: AlertId
  readonly rule: { readonly id: string; readonly name: string } | null
  readonly created_at: Date
  readonly finished_at: Date | null
}

const toQueued = ({ created_at, finished_at, ...row }: OutageRow): QueuedDelivery => ({
  ...row,
  createdAt: created_at.getTime(),
  finishedAt: finished_at?.getTime() ?? null
})

interface DueRow {
  readonly id: string
  readonly channel_id: ChannelId
  readonly entry_id: AlertId
  readonly project_id: ProjectId
  readonly rule_id: RuleId
  readonly monitor_id: MonitorId
  readonly type: Trigger
  readonly purpose: string
  readonly notice: Schema.JsonObject
  readonly attempts: ReadonlyArray<Attempt>
  readonly created_at: Date
}

interface MissedRow {
  readonly id: AlertId
  readonly project_id: ProjectId
  readonly rule_id: RuleId
  readonly monitor_id: MonitorId
  readonly type: Trigger
}

/** An attempt that began then and ended now. */
export const attempt = (
  began: EpochMillis,
  ended: EpochMillis,
  outcome: Attempt["outcome"],
  detail: string
): Attempt => ({ at: toIso(began), outcome, detail, duration: ended - began })
