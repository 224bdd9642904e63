/** The table of deliveries as senders fill it: messages come, are taken back, and are forgotten. */
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { Question } from "@kanmon/platform/DueWork"
import * as Rows from "@kanmon/platform/database/Rows"
import { type Message, storedNotice } from "./Message.ts"

/** Subjects of one kind. */
interface Subjects {
  readonly kind: string
  readonly ids: ReadonlyArray<string>
}

/** An entry of which nothing waits to be sent any more. */
interface IdleEntry {
  readonly entryId: string
  /** Whether any message of it was delivered. */
  readonly isDelivered: boolean
}

/** Whether something waits to be sent now, to whichever target. */
export const isDue: Question = (sql, now) =>
  sql`EXISTS (SELECT FROM deliveries WHERE status = 'pending' AND next_attempt_at <= ${now})`

export class QueueRepository extends Context.Service<QueueRepository>()("@kanmon/monitoring/delivery/QueueRepository", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const run = (statement: Effect.Effect<unknown, unknown>) => Effect.asVoid(Effect.orDie(statement))
    const about = ({ ids, kind }: Subjects): Statement.Fragment =>
      sql`d.subject_kind = ${kind} AND d.subject_id = ANY(${ids}::text[])`

    /** `trace` is the W3C trace context of messages without their own. */
    const insert = (messages: ReadonlyArray<Message>, at: EpochMillis, trace: string | null) => {
      const now = new Date(at)
      const rows = messages.map(({ about: subject, notice, to, ...message }) => ({
        ...message,
        ...to,
        subjectKind: subject.kind,
        subjectId: subject.id,
        notice: storedNotice.encode(notice),
        trace: message.trace ?? trace
      }))
      return run(sql`INSERT INTO deliveries (id, subject_kind, subject_id, entry_id, topic, channel_id, contact_method_id, project_id, purpose,
            resend_every, notice, status, next_attempt_at, created_at, trace)
          SELECT id, "subjectKind", "subjectId", "entryId", topic, "channelId", "contactMethodId", "projectId", purpose,
            "resendEvery", notice, 'pending', ${now}, ${now}, trace
          FROM json_to_recordset(${JSON.stringify(rows)}::json) AS v(id text, "subjectKind" text, "subjectId" text,
            "entryId" text, topic text, "channelId" text, "contactMethodId" text, "projectId" text, purpose text, "resendEvery" integer,
            notice jsonb, trace text)`)
    }

    const cancelRepetitions: (
      subjects: Subjects,
      at: EpochMillis,
      reason: string
    ) => Effect.Effect<ReadonlyArray<IdleEntry>> = (subjects, at, reason) =>
      idle(sql`WITH dropped AS (
            UPDATE deliveries d SET status = 'failed', error = ${reason}, finished_at = ${new Date(at)}
            WHERE ${about(subjects)} AND d.purpose = 'repeat' AND d.status = 'pending' RETURNING d.id, d.entry_id)
          SELECT DISTINCT dropped.entry_id AS "entryId", EXISTS (SELECT FROM deliveries d
              WHERE d.entry_id = dropped.entry_id AND d.status = 'delivered') AS "isDelivered"
          FROM dropped WHERE NOT EXISTS (SELECT FROM deliveries d WHERE d.entry_id = dropped.entry_id
            AND d.status = 'pending' AND d.id NOT IN (SELECT id FROM dropped))`)

    return {
      insert,
      cancel: (subjects: Subjects, at: EpochMillis, reason: string) =>
        run(sql`UPDATE deliveries d SET status = 'failed', error = ${reason}, finished_at = ${new Date(at)}
            WHERE ${about(subjects)} AND d.status = 'pending'`),
      cancelEntries: (entryIds: ReadonlyArray<string>, at: EpochMillis, reason: string) =>
        run(sql`UPDATE deliveries SET status = 'failed', error = ${reason}, finished_at = ${new Date(at)}
            WHERE entry_id = ANY(${entryIds}::text[]) AND status = 'pending'`),
      cancelMessages: (ids: ReadonlyArray<string>, at: EpochMillis, reason: string) =>
        run(sql`UPDATE deliveries SET status = 'failed', error = ${reason}, finished_at = ${new Date(at)}
            WHERE id = ANY(${ids}::text[]) AND status = 'pending'`),
      cancelRepetitions,
      forget: (subjects: Subjects) => run(sql`DELETE FROM deliveries d WHERE ${about(subjects)}`),
      countPending: counted(sql`SELECT count(*) AS count FROM deliveries WHERE status = 'pending'`).pipe(
        Effect.map(({ count }) => count)
      )
    }
  })
}) {
  static readonly layer = Layer.effect(QueueRepository, QueueRepository.make)
}

const counted = Rows.one(Schema.Struct({ count: Rows.Count }))
const idle = Rows.all(Schema.Struct({ entryId: Schema.String, isDelivered: Schema.Boolean }))
