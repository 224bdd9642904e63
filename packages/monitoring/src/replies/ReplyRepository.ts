/** The tables of pages that can be answered from devices, and of the answers that have counted. */
import type { Notice } from "@kanmon/core/Notice"
import { ContactMethodId, ProjectId, UserId } from "@kanmon/domain/Ids"
import { idleMillis, repeatMillis, type ReplyState, validMillis, wrongMillis } from "@kanmon/domain/PageReply"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import * as Rows from "@kanmon/platform/database/Rows"
import type { Question } from "@kanmon/platform/DueWork"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { pageTestKind } from "../alerts/index.ts"
import { type AnswerablePage, storedNotice } from "../delivery/index.ts"
import { drillPageKind, pageKind } from "../escalation/index.ts"

/** A call is not ended any more after this time: no provider rings so long. */
const ringingMillis = 600_000
/** A message is not changed any more after this time: it is far up in the chat. */
const changedMillis = 6 * 3_600_000

/** A page as an answer to it needs it. */
const PageRow = Schema.Struct({
  id: Schema.String,
  userId: UserId,
  type: Schema.String,
  destination: Schema.NullOr(Schema.String),
  notice: Schema.Unknown,
  seen: Schema.Record(Schema.String, Schema.NullOr(Schema.Int)),
  name: Schema.String,
  email: Schema.String,
  locale: Schema.NullOr(Schema.String)
})
export interface RepliedPage extends Omit<typeof PageRow.Type, "notice"> {
  readonly notice: Notice
}

/** A call that is to end, or a page that is to be repeated. */
const DueRow = Schema.Struct({
  id: Schema.String,
  contactMethodId: ContactMethodId,
  userId: UserId,
  reference: Schema.NullOr(Schema.String),
  notice: Schema.Unknown
})
export interface DuePage extends Omit<typeof DueRow.Type, "notice"> {
  readonly notice: Notice
}

const SubjectRow = Schema.Struct({
  entryId: Schema.String,
  subjectId: Schema.String,
  topic: Schema.String,
  projectId: Schema.NullOr(ProjectId),
  notice: Schema.Unknown
})

/** The messages that one carried, itself included. */
const carriedBy = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql`(d.id = r.delivery_id OR coalesce(d.grouped_with, d.shared_with) = r.delivery_id)`

/** People answer the pages of drills as they answer real ones. */
const pageKinds = [pageKind, drillPageKind]

/** Whether the subject of a message `d` to the person of `r` still waits for an answer. */
const waits = (sql: SqlClient.SqlClient, now: Date): Statement.Fragment =>
  sql`(d.subject_kind = ${pageTestKind} AND EXISTS (SELECT FROM page_tests t WHERE t.id = d.subject_id AND t.ended_at IS NULL)
    OR d.subject_kind = ANY(${pageKinds}::text[]) AND EXISTS (SELECT FROM alerts a WHERE a.id = d.subject_id AND a.resolved_at IS NULL
      AND (a.acknowledged_at IS NULL AND (a.snoozed_until IS NULL OR a.snoozed_until <= ${now})
        OR EXISTS (SELECT FROM escalations e JOIN escalation_pages p ON p.alert_id = e.alert_id
          WHERE e.alert_id = a.id AND p.id = d.entry_id AND p.cause = 'asked'
            AND e.state->'lists' @> jsonb_build_array(jsonb_build_object('isAsked', true, 'userId', r.user_id))))))`

const waiting = (sql: SqlClient.SqlClient, now: Date): Statement.Fragment =>
  sql`EXISTS (SELECT FROM deliveries d WHERE ${carriedBy(sql)} AND ${waits(sql, now)})`

/** Calls that ring, or are about to, and messages that ask for an answer, although nothing waits for one any more. */
const needless = (sql: SqlClient.SqlClient, now: Date): Statement.Fragment =>
  sql`r.calls_off AND r.reference IS NOT NULL AND r.ended_at IS NULL AND r.answered_at IS NULL
    AND r.taken_at > ${new Date(now.getTime() - changedMillis)}
    AND (NOT r.rings OR r.taken_at > ${new Date(now.getTime() - ringingMillis)}) AND NOT ${waiting(sql, now)}`

/** Repetitions that wait to be sent, although nothing waits for an answer any more. */
const superfluous = (sql: SqlClient.SqlClient, now: Date): Statement.Fragment =>
  sql`r.is_repetition AND r.taken_at IS NULL AND r.ended_at IS NULL AND NOT ${waiting(sql, now)}`

/** Whether a call is to end, or to be repeated. */
export const isReplyDue: Question = (sql, now) =>
  sql`EXISTS (SELECT FROM page_replies WHERE repeat_at <= ${now})
    OR EXISTS (SELECT FROM page_replies r WHERE ${needless(sql, now)})
    OR EXISTS (SELECT FROM page_replies r WHERE ${superfluous(sql, now)})`

export class ReplyRepository extends Context.Service<ReplyRepository>()("@kanmon/monitoring/replies/ReplyRepository", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const run = (statement: Effect.Effect<unknown, unknown>) => Effect.asVoid(Effect.orDie(statement))
    const columns = sql`r.delivery_id AS id, r.user_id AS "userId", r.type, r.destination, r.notice, r.seen, u.name, u.email, u.locale`
    const read = (which: Statement.Fragment) =>
      Effect.map(
        pages(sql`SELECT ${columns} FROM page_replies r JOIN users u ON u.id = r.user_id WHERE ${which}`),
        (rows) => rows.map((row): RepliedPage => ({ ...row, notice: storedNotice.decode(row.notice) }))
      )
    const since = (at: EpochMillis, millis: number) => new Date(at - millis)

    return {
      /** Notes a page that is about to be sent; again before each attempt. */
      prepare: ({ callsOff, id, isHeard, method, notice, rings }: AnswerablePage, at: EpochMillis) => {
        // The link belongs to the message alone.
        const { acknowledgeUrl: _, ...kept } = notice
        return run(sql`INSERT INTO page_replies AS r (delivery_id, contact_method_id, user_id, type, destination, rings, calls_off,
              is_heard, notice, seen, created_at)
            SELECT d.id, ${method.id}, ${method.userId}, ${method.type}, ${method.destination}, ${rings}, ${callsOff}, ${isHeard},
              ${JSON.stringify(storedNotice.encode(kept))}::jsonb, coalesce((SELECT jsonb_object_agg(e.alert_id, e.next_step)
                FROM escalations e JOIN deliveries o ON o.subject_id = e.alert_id AND o.subject_kind = ANY(${pageKinds}::text[])
                WHERE o.id = d.id OR coalesce(o.grouped_with, o.shared_with) = d.id), '{}'), ${new Date(at)}
            FROM deliveries d WHERE d.id = ${id}
            ON CONFLICT (delivery_id) DO UPDATE SET notice = EXCLUDED.notice, seen = EXCLUDED.seen,
              is_heard = EXCLUDED.is_heard, destination = EXCLUDED.destination`)
      },
      /** The provider took it. A call is repeated if the provider cannot tell how it ends. */
      taken: (id: string, reference: string | undefined, at: EpochMillis) =>
        run(sql`UPDATE page_replies SET reference = ${reference ?? null}, taken_at = ${new Date(at)},
              repeat_at = CASE WHEN rings AND NOT is_heard AND NOT is_repetition THEN ${new Date(at + repeatMillis)}::timestamptz END
            WHERE delivery_id = ${id}`),
      /** A page to this destination, locked. */
      lock: (id: string, destination: string) =>
        Effect.map(
          read(sql`r.delivery_id = ${id} AND r.destination = ${destination} FOR UPDATE OF r`),
          ([page]) => page
        ),
      /** Texts to a destination with codes that count. */
      ofDestination: (destination: string, at: EpochMillis) =>
        read(sql`r.destination = ${destination} AND NOT r.rings AND r.created_at > ${since(at, validMillis)}
            ORDER BY r.created_at DESC LIMIT ${mostCodes}`),
      /** Where a page went. */
      methodOf: (id: string) =>
        method(
          sql`SELECT contact_method_id AS "contactMethodId", user_id AS "userId" FROM page_replies WHERE delivery_id = ${id}`
        ),
      answered: (id: string, state: ReplyState, at: EpochMillis) =>
        run(sql`UPDATE page_replies SET state = ${state}, answered_at = ${new Date(at)}, repeat_at = NULL
            WHERE delivery_id = ${id}`),
      /** The provider's word on how it ended. `state` is null for a text that has arrived. */
      ended: (id: string, state: ReplyState | null, detail: string, at: EpochMillis) =>
        run(sql`UPDATE page_replies SET ended_at = ${new Date(at)}, detail = ${detail},
              state = CASE WHEN answered_at IS NULL THEN ${state} ELSE state END,
              repeat_at = CASE WHEN rings AND answered_at IS NULL AND NOT is_repetition
                THEN greatest(${new Date(at)}::timestamptz, coalesce(taken_at, created_at) + ${repeatMillis} * interval '1 millisecond') END
            WHERE delivery_id = ${id} AND ended_at IS NULL`),
      /** Takes calls that are to end, and messages that are to change: no other process does it. */
      takeNeedless: (at: EpochMillis) =>
        due(sql`UPDATE page_replies SET ended_at = ${new Date(at)}, detail = ${"called off"}, repeat_at = NULL
            WHERE delivery_id IN (SELECT r.delivery_id FROM page_replies r WHERE ${needless(sql, new Date(at))}
              LIMIT ${batch} FOR UPDATE SKIP LOCKED)
            RETURNING delivery_id AS id, contact_method_id AS "contactMethodId", user_id AS "userId", reference, notice`),
      /** Takes repetitions that are not to be sent. */
      takeSuperfluous: (at: EpochMillis) =>
        due(sql`UPDATE page_replies SET ended_at = ${new Date(at)}
            WHERE delivery_id IN (SELECT r.delivery_id FROM page_replies r WHERE ${superfluous(sql, new Date(at))}
              LIMIT ${batch} FOR UPDATE SKIP LOCKED)
            RETURNING delivery_id AS id, contact_method_id AS "contactMethodId", user_id AS "userId", reference, notice`),
      /** Takes a call that is to be repeated, with what it told of and still waits for an answer. */
      takeRepetition: Effect.fn("ReplyRepository.takeRepetition")(function* (at: EpochMillis) {
        const [page] = yield* due(sql`UPDATE page_replies SET repeat_at = NULL WHERE delivery_id = (
              SELECT delivery_id FROM page_replies WHERE repeat_at <= ${new Date(at)} LIMIT 1 FOR UPDATE SKIP LOCKED)
            RETURNING delivery_id AS id, contact_method_id AS "contactMethodId", user_id AS "userId", reference, notice`)
        if (page === undefined) return undefined
        const rows = yield* subjects(sql`SELECT d.entry_id AS "entryId", d.subject_id AS "subjectId", d.topic,
              d.project_id AS "projectId", d.notice
            FROM page_replies r JOIN deliveries d ON ${carriedBy(sql)}
            WHERE r.delivery_id = ${page.id} AND d.subject_kind = ANY(${pageKinds}::text[]) AND ${waits(sql, new Date(at))}
            ORDER BY d.created_at, d.id`)
        return { ...page, subjects: rows.map((row) => ({ ...row, notice: storedNotice.decode(row.notice) })) }
      }),
      /** Notes messages that repeat a call, so that they are not repeated themselves. */
      repeats: (page: DuePage, ids: ReadonlyArray<string>) =>
        run(sql`INSERT INTO page_replies (delivery_id, contact_method_id, user_id, type, destination, rings, calls_off, is_heard,
              is_repetition, notice, seen, created_at)
            SELECT d.id, r.contact_method_id, r.user_id, r.type, r.destination, r.rings, r.calls_off, r.is_heard, true, d.notice, '{}', d.created_at
            FROM page_replies r, deliveries d WHERE r.delivery_id = ${page.id} AND d.id = ANY(${ids}::text[])`),

      /** Notes an answer; returns what was said to the same one before, if it came before. */
      receive: Effect.fn("ReplyRepository.receive")(function* (id: string, destination: string, at: EpochMillis) {
        const isNew = yield* Rows.any(sql`INSERT INTO reply_receipts (id, destination, kind, response, at)
            VALUES (${id}, ${destination}, 'silent', '', ${new Date(at)}) ON CONFLICT DO NOTHING RETURNING id`)
        return isNew
          ? undefined
          : (yield* response(sql`SELECT response FROM reply_receipts WHERE id = ${id}`))?.response
      }),
      concluded: (id: string, kind: "acted" | "wrong" | "idle" | "silent", said: string) =>
        run(sql`UPDATE reply_receipts SET kind = ${kind}, response = ${said} WHERE id = ${id}`),
      /** Lets one text of a number be decided at a time, until the transaction ends. */
      lockNumber: (destination: string) =>
        run(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`reply ${destination}`}, 0))`),
      /** Wrong codes, and answers without an action, of a number. */
      counts: (destination: string, at: EpochMillis) =>
        counted(sql`SELECT count(*) FILTER (WHERE kind = 'wrong' AND at > ${since(at, wrongMillis)}) AS wrong,
              count(*) FILTER (WHERE kind IN ('wrong', 'idle') AND response <> '' AND at > coalesce(
                (SELECT max(at) FROM reply_receipts WHERE destination = ${destination} AND kind = 'acted'), 'epoch')) AS idle
            FROM reply_receipts WHERE destination = ${destination} AND at > ${since(at, idleMillis)}`),
      /** Forgets answers that could do nothing any more if they were repeated. */
      prune: (at: EpochMillis) => run(sql`DELETE FROM reply_receipts WHERE at < ${since(at, 2 * validMillis)}`)
    }
  })
}) {
  static readonly layer = Layer.effect(ReplyRepository, ReplyRepository.make)
}

/** Codes of one number that are compared, the newest. */
const mostCodes = 500
const batch = 100

const pages = Rows.all(PageRow)
const dueRows = Rows.all(DueRow)
const due = (statement: Parameters<typeof dueRows>[0]) =>
  Effect.map(dueRows(statement), (rows) =>
    rows.map((row): DuePage => ({ ...row, notice: storedNotice.decode(row.notice) }))
  )
const subjects = Rows.all(SubjectRow)
const method = Rows.first(Schema.Struct({ contactMethodId: ContactMethodId, userId: UserId }))
const response = Rows.first(Schema.Struct({ response: Schema.String }))
const counted = Rows.one(Schema.Struct({ wrong: Rows.Count, idle: Rows.Count }))
