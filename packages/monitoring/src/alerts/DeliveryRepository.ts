/** The table of deliveries, and the outcomes of their entries. */
import type { QueuedDelivery } from "@kanmon/domain/DeliverySharing"
import type { AlertId, ChannelId } from "@kanmon/domain/Ids"
import type { RecipientProgress } from "@kanmon/domain/RecipientProgress"
import { type EpochMillis, toIso } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { Question } from "@kanmon/platform/DueWork"
import { type NewDelivery, storedNotice } from "./AlertRecords.ts"
import {
  type Attempt,
  type DueDelivery,
  type GroupedDelivery,
  type MissedEntry,
  type SharedDelivery,
  storedAttempt,
  storedProgress,
  type Tried
} from "./DeliveryRecords.ts"
import { counted, entries, firstDue, missed, ofOutage, openings, withProgress } from "./DeliveryRows.ts"

/** The first delivery of a channel that is due. */
export interface FirstDue extends Pick<
  DueDelivery,
  "id" | "entryId" | "channelId" | "projectId" | "ruleId" | "monitorId" | "trigger" | "notice" | "purpose" | "trace"
> {
  readonly attempts: ReadonlyArray<Attempt>
  readonly createdAt: EpochMillis
}

/** A delivery of the same outage to the same channel. */
export interface OutageDelivery extends Omit<QueuedDelivery, "entryId">, SharedDelivery {
  readonly progress: ReadonlyArray<RecipientProgress>
  readonly rule: { readonly id: string; readonly name: string } | null
}

/** An opening on a channel, sent or not. */
export interface QueuedOpening extends Omit<GroupedDelivery, "shared"> {
  readonly createdAt: EpochMillis
  readonly isPending: boolean
  readonly progress: ReadonlyArray<RecipientProgress>
}

/** A delivery after its last attempt. */
export interface EndedDelivery {
  /** The first delivery was sent, the others shared its message. */
  readonly ids: readonly [string, ...ReadonlyArray<string>]
  /** Their entries, which get the status unless they have other deliveries pending. */
  readonly entries: ReadonlyArray<AlertId>
  readonly tried: Tried
  readonly status: "delivered" | "failed"
}

/** Whether something waits to be sent now, on whichever channel. */
export const isDue: Question = (sql, now) =>
  sql`EXISTS (SELECT FROM deliveries WHERE status = 'pending' AND next_attempt_at <= ${now})`

export class DeliveryRepository extends Context.Service<
  DeliveryRepository,
  {
    /** `trace` is the W3C trace context of deliveries without their own. */
    readonly insert: (
      deliveries: ReadonlyArray<NewDelivery>,
      at: EpochMillis,
      trace: string | null
    ) => Effect.Effect<void>
    readonly countPending: Effect.Effect<number>
    readonly findDue: (channel: ChannelId, at: EpochMillis) => Effect.Effect<FirstDue | undefined>
    /** The deliveries of the same outage to the same channel, oldest first. */
    readonly findOfOutage: (due: FirstDue) => Effect.Effect<ReadonlyArray<OutageDelivery>>
    /** Openings on a channel, oldest first: those that wait, and those that were queued after an instant. */
    readonly findOpenings: (
      channel: ChannelId,
      after: EpochMillis,
      at: EpochMillis
    ) => Effect.Effect<ReadonlyArray<QueuedOpening>>
    /** Records that the message of another delivery is about to tell of these as well. */
    readonly cover: (ids: ReadonlyArray<string>, by: string) => Effect.Effect<void>
    /** Records what each opening that a sent message lists covers itself. */
    readonly markGrouped: (group: ReadonlyArray<Pick<GroupedDelivery, "id" | "shared">>) => Effect.Effect<void>
    readonly postpone: (id: string, until: EpochMillis) => Effect.Effect<void>
    /** Marks pending deliveries as merged that precede these and have the same entry. */
    readonly mergeEarlier: (ids: ReadonlyArray<string>, at: EpochMillis) => Effect.Effect<void>
    /** Adds an attempt that settled nothing as a whole; the deliveries are due again at `next`. */
    readonly retry: (ids: ReadonlyArray<string>, tried: Tried, next: EpochMillis) => Effect.Effect<void>
    /** Adds an attempt after which another recipient's turn is: the deliveries stay due. */
    readonly proceed: (ids: ReadonlyArray<string>, tried: Tried) => Effect.Effect<void>
    /** Adds the last attempt, and what follows from it for the entries. */
    readonly finish: (ended: EndedDelivery, at: EpochMillis) => Effect.Effect<void>
    /** Marks a delivery as delivered with the message of another one. */
    readonly finishShared: (id: string, by: string | null, at: EpochMillis) => Effect.Effect<void>
    /** Sets the status of entries that have no pending delivery left. */
    readonly settleEntries: (
      entries: ReadonlyArray<AlertId>,
      status: "delivered" | "failed",
      error: string | null
    ) => Effect.Effect<void>
    readonly setEntryError: (entries: ReadonlyArray<AlertId>, error: string) => Effect.Effect<void>
    /** Sets the error of pending deliveries and of their pending entries. */
    readonly setPendingError: (
      deliveries: ReadonlyArray<Pick<SharedDelivery, "id" | "entryId">>,
      error: string
    ) => Effect.Effect<void>
    /** Fails what a channel has pending of alerts that both opened and closed while it waited; returns their entries. */
    readonly failMissed: (
      channel: ChannelId,
      error: string,
      at: EpochMillis
    ) => Effect.Effect<ReadonlyArray<MissedEntry>>
  }
>()("@kanmon/monitoring/alerts/DeliveryRepository") {
  static readonly layer = Layer.effect(
    DeliveryRepository,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.asVoid(Effect.orDie(statement))
      /** Adds the attempt to those before, of which the oldest of very many are dropped. */
      const added = ({ attempt, progress }: Tried) => {
        const json = JSON.stringify(attempt === undefined ? [] : [storedAttempt.encode(attempt)])
        const before = sql`CASE WHEN jsonb_array_length(attempts) < ${mostAttempts} THEN attempts ELSE attempts - 0 END`
        return sql`attempts = ${before} || ${json}::jsonb,
          progress = ${JSON.stringify(progress.map(storedProgress.encode))}::jsonb`
      }

      const insert: DeliveryRepository["Service"]["insert"] = (deliveries, at, trace) => {
        const now = new Date(at)
        const rows = deliveries.map((delivery) => ({
          ...delivery,
          notice: storedNotice.encode(delivery.notice),
          trace: delivery.trace ?? trace
        }))
        return run(sql`INSERT INTO deliveries
            (id, entry_id, channel_id, project_id, purpose, notice, status, next_attempt_at, created_at, trace)
          SELECT id, "entryId", "channelId", "projectId", purpose, notice, 'pending', ${now}, ${now}, trace
          FROM json_to_recordset(${JSON.stringify(rows)}::json)
            AS v(id text, "entryId" text, "channelId" text, "projectId" text, purpose text, notice jsonb,
              trace text)`)
      }

      const findDue: DeliveryRepository["Service"]["findDue"] = (channel, at) =>
        firstDue(sql`SELECT d.id, d.channel_id AS "channelId", d.entry_id AS "entryId", d.project_id AS "projectId",
            h.rule_id AS "ruleId", h.monitor_id AS "monitorId", h.type AS trigger, d.purpose, d.notice, d.attempts, d.trace,
            d.created_at AS "createdAt"
          FROM deliveries d JOIN alert_history h ON h.id = d.entry_id
          WHERE d.channel_id = ${channel} AND d.status = 'pending' AND d.next_attempt_at <= ${new Date(at)}
          ORDER BY d.created_at, d.id LIMIT 1`).pipe(
          Effect.map((row) =>
            row === undefined
              ? undefined
              : {
                  ...row,
                  notice: storedNotice.decode(row.notice),
                  attempts: row.attempts.map((attempt) => storedAttempt.decode(attempt))
                }
          )
        )

      const findOfOutage: DeliveryRepository["Service"]["findOfOutage"] = ({
        channelId,
        entryId,
        id,
        monitorId,
        notice,
        trigger
      }) => {
        // As text, which is what the indexes hold.
        const startedAt = toIso(notice.startedAt)
        return ofOutage(sql`SELECT d.id, d.entry_id AS "entryId", h.rule_id AS "ruleId", d.purpose, d.status,
            d.shared_with AS "sharedWith", d.created_at AS "createdAt", d.finished_at AS "finishedAt",
            d.notice->>'alertId' AS "alertId", d.notice->'rule' AS rule, d.progress,
            CASE WHEN (d.notice->>'reminder')::boolean THEN coalesce(r.resend_every, 0) ELSE 0 END AS "resendEvery"
          FROM deliveries d JOIN alert_history h ON h.id = d.entry_id LEFT JOIN alert_rules r ON r.id = h.rule_id
          WHERE h.monitor_id = ${monitorId} AND h.type = ${trigger} AND d.id IN (
            SELECT id FROM deliveries WHERE channel_id = ${channelId} AND status = 'pending'
              AND notice->>'startedAt' = ${startedAt}
            UNION SELECT id FROM deliveries WHERE channel_id = ${channelId} AND purpose = 'open'
              AND notice->>'startedAt' = ${startedAt}
            UNION SELECT id FROM deliveries WHERE entry_id = ${entryId} AND (purpose = 'open' OR id = ${id})
            UNION (SELECT id FROM deliveries WHERE channel_id = ${channelId} AND purpose = 'repeat'
              AND status = 'delivered' AND shared_with IS NULL AND notice->>'startedAt' = ${startedAt}
              ORDER BY finished_at DESC LIMIT ${newestReminders}))
          ORDER BY d.created_at, d.id`).pipe(Effect.map((rows) => rows.map(withProgress)))
      }

      const findOpenings: DeliveryRepository["Service"]["findOpenings"] = (channel, after, at) =>
        openings(sql`SELECT d.id, d.entry_id AS "entryId", d.project_id AS "projectId", h.rule_id AS "ruleId",
            h.monitor_id AS "monitorId", h.type AS trigger, d.notice, d.created_at AS "createdAt", d.progress,
            d.status = 'pending' AND (d.next_attempt_at <= ${new Date(at)} OR d.attempts = '[]') AS "isPending"
          FROM deliveries d JOIN alert_history h ON h.id = d.entry_id
          WHERE d.channel_id = ${channel} AND d.purpose = 'open'
            AND (d.status = 'pending' OR d.created_at > ${new Date(after)})
          ORDER BY d.created_at, d.id LIMIT ${mostGrouped}`).pipe(
          Effect.map((rows) => rows.map((row) => ({ ...withProgress(row), notice: storedNotice.decode(row.notice) })))
        )

      const mergeEarlier: DeliveryRepository["Service"]["mergeEarlier"] = (ids, at) =>
        run(sql`UPDATE deliveries d SET status = 'merged', finished_at = ${new Date(at)} FROM deliveries later
          WHERE later.id = ANY(${ids}::text[]) AND d.entry_id = later.entry_id
            AND d.status = 'pending' AND (d.created_at, d.id) < (later.created_at, later.id)`)

      const finish: DeliveryRepository["Service"]["finish"] = ({ entries, ids, status, tried }, at) => {
        const error = status === "delivered" ? null : tried.detail
        // One statement instead of two: when everything is down, there are thousands.
        return run(sql`WITH
            finished AS (UPDATE deliveries SET ${added(tried)}, status = ${status},
                error = ${error}, finished_at = ${new Date(at)},
                shared_with = CASE WHEN id = ${ids[0]} THEN NULL ELSE ${ids[0]} END,
                grouped_with = CASE WHEN id = ${ids[0]} THEN NULL ELSE ${ids[0]} END
              WHERE id = ANY(${ids}::text[]) AND status = 'pending')
          UPDATE alert_history h SET status = ${status}, error = ${error}
          WHERE id = ANY(${entries}::text[]) AND NOT EXISTS (
            SELECT FROM deliveries WHERE entry_id = h.id AND status = 'pending' AND id <> ALL(${ids}::text[]))`)
      }

      const failMissed: DeliveryRepository["Service"]["failMissed"] = Effect.fnUntraced(function* (channel, error, at) {
        const over = yield* entries(sql`SELECT DISTINCT o.entry_id AS id FROM deliveries o
          JOIN deliveries c ON c.entry_id = o.entry_id AND c.purpose = 'close' AND c.status = 'pending'
          WHERE o.channel_id = ${channel} AND o.purpose = 'open' AND o.status = 'pending'`)
        const ids = over.map(({ id }) => id)
        yield* run(sql`UPDATE deliveries SET status = 'failed', error = ${error}, finished_at = ${new Date(at)}
          WHERE entry_id = ANY(${ids}::text[]) AND status = 'pending'`)
        return yield* missed(sql`UPDATE alert_history SET status = 'failed', error = ${error}
          WHERE id = ANY(${ids}::text[]) RETURNING id AS "entryId", project_id AS "projectId", rule_id AS "ruleId",
            monitor_id AS "monitorId", type AS trigger`)
      })

      const setPendingError: DeliveryRepository["Service"]["setPendingError"] = Effect.fnUntraced(
        function* (deliveries, error) {
          yield* run(sql`UPDATE deliveries SET error = ${error}
            WHERE id = ANY(${deliveries.map(({ id }) => id)}::text[]) AND status = 'pending'`)
          yield* run(sql`UPDATE alert_history SET error = ${error}
            WHERE id = ANY(${deliveries.map(({ entryId }) => entryId)}::text[]) AND status = 'pending'`)
        }
      )

      return DeliveryRepository.of({
        insert,
        countPending: counted(sql`SELECT count(*) AS count FROM deliveries WHERE status = 'pending'`).pipe(
          Effect.map(({ count }) => count)
        ),
        findDue,
        findOfOutage,
        findOpenings,
        cover: (ids, by) =>
          ids.length === 0
            ? Effect.void
            : run(sql`UPDATE deliveries SET grouped_with = ${by} WHERE id = ANY(${ids}::text[])`),
        markGrouped: (group) => {
          if (group.length === 0) return Effect.void
          const rows = group.flatMap(({ id, shared }) => [
            { id, carrier: null },
            ...shared.map((other) => ({ id: other.id, carrier: id }))
          ])
          return run(sql`UPDATE deliveries d SET shared_with = v.carrier
            FROM json_to_recordset(${JSON.stringify(rows)}::json) AS v(id text, carrier text) WHERE d.id = v.id`)
        },
        postpone: (id, until) => run(sql`UPDATE deliveries SET next_attempt_at = ${new Date(until)} WHERE id = ${id}`),
        mergeEarlier,
        proceed: (ids, tried) =>
          run(sql`UPDATE deliveries SET ${added(tried)} WHERE id = ANY(${ids}::text[]) AND status = 'pending'`),
        retry: (ids, tried, next) =>
          run(sql`UPDATE deliveries SET ${added(tried)}, error = ${tried.detail},
            next_attempt_at = ${new Date(next)} WHERE id = ANY(${ids}::text[]) AND status = 'pending'`),
        finish,
        finishShared: (id, by, at) =>
          run(sql`UPDATE deliveries SET status = 'delivered', error = NULL, shared_with = ${by},
            finished_at = ${new Date(at)} WHERE id = ${id} AND status = 'pending'`),
        settleEntries: (ids, status, error) =>
          run(sql`UPDATE alert_history h SET status = ${status}, error = ${error} WHERE id = ANY(${ids}::text[])
            AND NOT EXISTS (SELECT FROM deliveries WHERE entry_id = h.id AND status = 'pending')`),
        setEntryError: (ids, error) =>
          run(sql`UPDATE alert_history SET error = ${error} WHERE id = ANY(${ids}::text[])`),
        setPendingError,
        failMissed
      })
    })
  )
}

/** Attempts of a delivery that are kept: more than one recipient gets in a day. */
const mostAttempts = 500

/** Reminders of one outage that are read: the newest of each rule is among them. */
const newestReminders = 100

/** Openings of a burst that one message lists. */
export const mostGrouped = 1000
