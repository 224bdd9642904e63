/** The table of deliveries: finds due ones and stores the result of each attempt. */
import type { QueuedDelivery } from "@kanmon/domain/DeliverySharing"
import type { RecipientProgress } from "@kanmon/domain/RecipientProgress"
import { longestHold } from "@kanmon/domain/QuietHours"
import type { Severity } from "@kanmon/domain/Severity"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"
import {
  type Attempt,
  type DueDelivery,
  type GroupedDelivery,
  type SharedDelivery,
  storedAttempt,
  storedProgress,
  type Tried
} from "./DeliveryRecords.ts"
import { entryIds, firstDue, held, ofTopic, openings, refs, targetOf, withProgress } from "./DeliveryRows.ts"
import { storedNotice, type TargetId, targetId } from "./Message.ts"
import { maxAge } from "./Retry.ts"

/** Where messages are counted: a target alone, or all methods that lead to the same place. */
type Place = "method" | "type" | "number"

/** The first delivery of a target that is due. */
export interface FirstDue extends Pick<
  DueDelivery,
  "id" | "about" | "entryId" | "topic" | "to" | "projectId" | "notice" | "purpose" | "trace"
> {
  readonly attempts: ReadonlyArray<Attempt>
  readonly createdAt: EpochMillis
  /** Until when quiet hours hold it, or held it; null: they never did. */
  readonly heldUntil: EpochMillis | null
}

/** A delivery of the same topic to the same target. */
export interface TopicDelivery extends Omit<QueuedDelivery, "entryId">, SharedDelivery {
  readonly progress: ReadonlyArray<RecipientProgress>
  readonly rule: { readonly id: string; readonly name: string } | null
  readonly severity: Severity | null
}

/** An opening to a target, sent or not. */
export interface QueuedOpening extends Omit<GroupedDelivery, "shared"> {
  readonly topic: string
  readonly createdAt: EpochMillis
  readonly heldUntil: EpochMillis | null
  /** Whether it may be sent now. */
  readonly isPending: boolean
  readonly progress: ReadonlyArray<RecipientProgress>
}

/** A delivery after its last attempt. */
interface EndedDelivery {
  /** The first delivery was sent, the others shared its message. */
  readonly ids: readonly [string, ...ReadonlyArray<string>]
  /** Their entries. */
  readonly entries: ReadonlyArray<string>
  readonly tried: Tried
  readonly status: "delivered" | "failed"
}

export class DeliveryRepository extends Context.Service<DeliveryRepository>()(
  "@kanmon/monitoring/delivery/DeliveryRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.asVoid(Effect.orDie(statement))
      /** Adds the attempt to those before, of which the oldest of very many are dropped. */
      const added = ({ attempt, progress }: Tried) => {
        const json = JSON.stringify(attempt === undefined ? [] : [storedAttempt.encode(attempt)])
        const before = sql`CASE WHEN jsonb_array_length(attempts) < ${mostAttempts} THEN attempts ELSE attempts - 0 END`
        return sql`attempts = ${before} || ${json}::jsonb,
          progress = ${JSON.stringify(progress.map(storedProgress.encode))}::jsonb`
      }

      const about = sql`json_build_object('kind', d.subject_kind, 'id', d.subject_id) AS about`

      /** The entries that nothing waits for besides these deliveries. */
      const idle = (entries: ReadonlyArray<string>, ids: ReadonlyArray<string>) =>
        sql`SELECT e.id AS "entryId" FROM unnest(${entries}::text[]) AS e(id) WHERE NOT EXISTS (
          SELECT FROM deliveries WHERE entry_id = e.id AND status = 'pending' AND id <> ALL(${ids}::text[]))`

      const findDue = (target: TargetId, at: EpochMillis) =>
        firstDue(sql`SELECT d.id, d.channel_id AS "channelId", d.contact_method_id AS "contactMethodId", ${about}, d.entry_id AS "entryId", d.topic,
            d.project_id AS "projectId", d.purpose, d.notice, d.attempts, d.trace, d.created_at AS "createdAt", d.held_until AS "heldUntil"
          FROM deliveries d
          WHERE d.target_id = ${target} AND d.status = 'pending' AND d.next_attempt_at <= ${new Date(at)}
          ORDER BY d.created_at, d.id LIMIT 1`).pipe(
          Effect.map((row) =>
            row === undefined
              ? undefined
              : {
                  ...row,
                  to: targetOf(row),
                  notice: storedNotice.decode(row.notice),
                  attempts: row.attempts.map((attempt) => storedAttempt.decode(attempt))
                }
          )
        )

      /** The deliveries of the same topic to the same target, oldest first. */
      const findOfTopic = ({ entryId, id, to, topic }: FirstDue) =>
        ofTopic(sql`SELECT d.id, ${about}, d.entry_id AS "entryId", d.purpose, d.status,
            d.shared_with AS "sharedWith", d.created_at AS "createdAt", d.finished_at AS "finishedAt",
            d.notice->>'alertId' AS "alertId", d.notice->'rule' AS rule, d.progress, d.resend_every AS "resendEvery",
            d.notice->>'severity' AS severity
          FROM deliveries d WHERE d.id IN (
            SELECT id FROM deliveries WHERE target_id = ${targetId(to)} AND status = 'pending' AND topic = ${topic}
            UNION SELECT id FROM deliveries WHERE target_id = ${targetId(to)} AND purpose = 'open' AND topic = ${topic}
            UNION SELECT id FROM deliveries WHERE entry_id = ${entryId} AND (purpose = 'open' OR id = ${id})
            UNION (SELECT id FROM deliveries WHERE target_id = ${targetId(to)} AND purpose = 'repeat'
              AND status = 'delivered' AND shared_with IS NULL AND topic = ${topic}
              ORDER BY finished_at DESC LIMIT ${newestReminders}))
          ORDER BY d.created_at, d.id`).pipe(Effect.map((rows) => rows.map(withProgress)))

      const read = (where: Statement.Fragment, at: EpochMillis) =>
        openings(sql`SELECT d.id, ${about}, d.entry_id AS "entryId", d.topic, d.notice, d.created_at AS "createdAt", d.progress,
            d.held_until AS "heldUntil", d.status = 'pending' AND (d.next_attempt_at <= ${new Date(at)}
              OR d.attempts = '[]' AND d.held_until IS NULL) AS "isPending"
          FROM deliveries d WHERE ${where} ORDER BY d.created_at, d.id LIMIT ${mostGrouped}`).pipe(
          Effect.map((rows) => rows.map((row) => ({ ...withProgress(row), notice: storedNotice.decode(row.notice) })))
        )

      /** Openings to a target, oldest first: waiting ones, and those that were queued after an instant. A drill is in no group. */
      const findOpenings = (target: TargetId, after: EpochMillis, at: EpochMillis) =>
        read(
          sql`d.target_id = ${target} AND d.purpose = 'open' AND NOT d.notice ? 'drill'
            AND (d.status = 'pending' OR d.created_at > ${new Date(after)})`,
          at
        )

      /** The pages of one sender to a target: a test of pages is in no message with real ones, and makes none wait. */
      const pagesOf = (target: TargetId, kind: string) =>
        sql`d.target_id = ${target} AND d.subject_kind = ${kind} AND d.purpose <> 'close'`

      const toPlaceOf = (target: TargetId, place: Place) =>
        place === "method"
          ? sql`d.target_id = ${target}`
          : sql`d.contact_method_id IN (SELECT other.id FROM contact_methods own JOIN contact_methods other
              ON other.id = own.id OR other.destination = own.destination ${place === "type" ? sql`AND other.type = own.type` : sql``}
              WHERE own.id = ${target})`

      /** Pages of one sender to a person by one method that wait, oldest first: openings and repetitions. */
      const findPages = (target: TargetId, kind: string, at: EpochMillis) =>
        read(sql`${pagesOf(target, kind)} AND d.status = 'pending'`, at)

      /** Marks pending deliveries as merged that precede these and have the same entry. */
      const mergeEarlier = (ids: ReadonlyArray<string>, at: EpochMillis) =>
        run(sql`UPDATE deliveries d SET status = 'merged', finished_at = ${new Date(at)} FROM deliveries later
          WHERE later.id = ANY(${ids}::text[]) AND d.entry_id = later.entry_id
            AND d.status = 'pending' AND (d.created_at, d.id) < (later.created_at, later.id)`)

      /** Adds the last attempt; returns those of the entries of which nothing waits any more. */
      const finish = ({ entries, ids, status, tried }: EndedDelivery, at: EpochMillis) => {
        const error = status === "delivered" ? null : tried.detail
        // One statement instead of two: when everything is down, there are thousands.
        return entryIds(sql`WITH finished AS (UPDATE deliveries SET ${added(tried)}, status = ${status},
              error = ${error}, finished_at = ${new Date(at)},
              shared_with = CASE WHEN id = ${ids[0]} THEN NULL ELSE ${ids[0]} END,
              grouped_with = CASE WHEN id = ${ids[0]} THEN NULL ELSE ${ids[0]} END
            WHERE id = ANY(${ids}::text[]) AND status = 'pending')
          ${idle(entries, ids)}`).pipe(Effect.map((rows) => new Set(rows.map(({ entryId }) => entryId))))
      }

      /** Marks a delivery as delivered with the message of another one; returns whether nothing else of its entry waits. */
      const finishShared = (
        { entryId, id, notifiedBy }: Pick<DueDelivery, "id" | "entryId" | "notifiedBy">,
        at: EpochMillis
      ) =>
        Rows.any(sql`WITH finished AS (UPDATE deliveries SET status = 'delivered', error = NULL,
              shared_with = ${notifiedBy}, finished_at = ${new Date(at)} WHERE id = ${id} AND status = 'pending')
          ${idle([entryId], [id])}`)

      /**
       * Fails what a target has pending of entries that both opened and closed while it waited; returns them. `quiet`: only what
       * quiet hours held.
       */
      const failMissed = Effect.fnUntraced(function* (target: TargetId, error: string, at: EpochMillis, quiet = false) {
        const over = yield* refs(sql`SELECT DISTINCT ON (d.entry_id) ${about}, d.entry_id AS "entryId" FROM deliveries d
          JOIN deliveries c ON c.entry_id = d.entry_id AND c.purpose = 'close' AND c.status = 'pending'
          WHERE d.target_id = ${target} AND d.purpose = 'open' AND d.status = 'pending'
            ${quiet ? sql`AND d.held_until IS NOT NULL` : sql``}`)
        yield* run(sql`UPDATE deliveries SET status = 'failed', error = ${error}, finished_at = ${new Date(at)}
          WHERE entry_id = ANY(${over.map(({ entryId }) => entryId)}::text[]) AND status = 'pending'`)
        return over
      })

      /** Holds a due message, with all others to the target that are due, of these severities and not of these kinds. */
      const holdQuietly = (
        { id, to }: Pick<FirstDue, "id" | "to">,
        like: { readonly severities: ReadonlyArray<Severity>; readonly exceptKinds: ReadonlyArray<string> },
        { error, lookAt, until }: { readonly until: EpochMillis; readonly lookAt: EpochMillis; readonly error: string },
        at: EpochMillis
      ) =>
        held(sql`UPDATE deliveries d SET next_attempt_at = ${new Date(lookAt)}, held_until = ${new Date(until)}, error = ${error}
          FROM deliveries before WHERE before.id = d.id AND d.target_id = ${targetId(to)} AND d.status = 'pending'
            AND d.next_attempt_at <= ${new Date(at)} AND (d.id = ${id}
              OR d.notice->>'severity' = ANY(${like.severities}::text[]) AND d.subject_kind <> ALL(${like.exceptKinds}::text[]))
          RETURNING ${about}, d.entry_id AS "entryId", before.held_until IS DISTINCT FROM ${new Date(until)} AS "isNew"`)

      return {
        findDue,
        findOfTopic,
        findOpenings,
        findPages,
        /** Makes the pages of one sender to a target that are due wait. */
        postponePages: (target: TargetId, kind: string, until: EpochMillis, at: EpochMillis) =>
          run(sql`UPDATE deliveries d SET next_attempt_at = ${new Date(until)}
            WHERE ${pagesOf(target, kind)} AND d.status = 'pending' AND d.next_attempt_at <= ${new Date(at)}`),
        /**
         * When messages with openings and repetitions of one sender were sent to a target after an instant, or to every method that
         * leads to the same phone number, of its type or of any.
         */
        sentAt: (target: TargetId, kind: string, place: Place, after: EpochMillis) =>
          Effect.map(
            sentAt(sql`SELECT d.finished_at AS at FROM deliveries d
              WHERE d.subject_kind = ${kind} AND d.purpose <> 'close' AND d.status = 'delivered'
                AND d.grouped_with IS NULL AND d.shared_with IS NULL AND ${toPlaceOf(target, place)}
                AND d.created_at > ${new Date(after - maxAge - longestHold)} AND d.finished_at > ${new Date(after)}`),
            (rows) => rows.map(({ at }) => at)
          ),
        /** Records that the message of another delivery is about to tell of these as well. */
        cover: (ids: ReadonlyArray<string>, by: string) =>
          ids.length === 0
            ? Effect.void
            : run(sql`UPDATE deliveries SET grouped_with = ${by} WHERE id = ANY(${ids}::text[])`),
        /** Records what each opening that a sent message lists covers itself. */
        markGrouped: (group: ReadonlyArray<Pick<GroupedDelivery, "id" | "shared">>) => {
          if (group.length === 0) return Effect.void
          const rows = group.flatMap(({ id, shared }) => [
            { id, carrier: null },
            ...shared.map((other) => ({ id: other.id, carrier: id }))
          ])
          return run(sql`UPDATE deliveries d SET shared_with = v.carrier
            FROM json_to_recordset(${JSON.stringify(rows)}::json) AS v(id text, carrier text) WHERE d.id = v.id`)
        },
        postpone: (id: string, until: EpochMillis) =>
          run(sql`UPDATE deliveries SET next_attempt_at = ${new Date(until)} WHERE id = ${id}`),
        mergeEarlier,
        /** Adds an attempt after which another recipient's turn is: the deliveries stay due. */
        proceed: (ids: ReadonlyArray<string>, tried: Tried) =>
          run(sql`UPDATE deliveries SET ${added(tried)} WHERE id = ANY(${ids}::text[]) AND status = 'pending'`),
        /** Adds an attempt that settled nothing as a whole; the deliveries are due again at `next`. */
        retry: (ids: ReadonlyArray<string>, tried: Tried, next: EpochMillis) =>
          run(sql`UPDATE deliveries SET ${added(tried)}, error = ${tried.detail},
            next_attempt_at = ${new Date(next)} WHERE id = ANY(${ids}::text[]) AND status = 'pending'`),
        finish,
        finishShared,
        /** Sets the error of pending deliveries. */
        setPendingError: (ids: ReadonlyArray<string>, error: string) =>
          run(sql`UPDATE deliveries SET error = ${error} WHERE id = ANY(${ids}::text[]) AND status = 'pending'`),
        failMissed,
        holdQuietly
      }
    })
  }
) {
  static readonly layer = Layer.effect(DeliveryRepository, DeliveryRepository.make)
}

/** Attempts of a delivery that are kept: more than one recipient gets in a day. */
const mostAttempts = 500

const sentAt = Rows.all(Schema.Struct({ at: Rows.Time }))

/** Repetitions of one topic that are read. */
const newestReminders = 100

/** Openings of a burst that one message lists. */
export const mostGrouped = 1000
