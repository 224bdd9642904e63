/** Messages as people see them afterwards: each attempt to send them, and the use of the link that they carried. */
import { ProjectId, UserId } from "@kanmon/domain/Ids"
import { type ReplyState, replyStates } from "@kanmon/domain/PageReply"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"
import { type Attempt, MessageStatus, storedAttempt } from "./DeliveryRecords.ts"

/** One message to one target. */
export interface DeliveryRecord {
  readonly id: string
  /** The event of the notice. */
  readonly event: string
  readonly status: MessageStatus
  readonly error: string | null
  /** The delivery with a message that also covered this one; null if this one was sent itself. */
  readonly sharedWith: string | null
  readonly attempts: ReadonlyArray<Omit<Attempt, "recipient"> & { readonly recipient: string | null }>
  readonly createdAt: EpochMillis
  /** Null when no further attempt follows. */
  readonly nextAttemptAt: EpochMillis | null
}

/** The message of an entry, as a page has one. */
export interface SentEntry {
  readonly attempts: ReadonlyArray<Attempt>
  /** When the message was answered, with its link or from the device. */
  readonly answeredAt: EpochMillis | null
  /** The answer from the device to the newest message of the entry. */
  readonly reply: ReplyState | null
  /** The number of subjects that the message told of. */
  readonly subjects: number
}

const SentMessage = Schema.Struct({
  entryId: Schema.String,
  /** The channel or the contact method that it went to. */
  targetId: Schema.String,
  /** Null: the message is about no project. */
  projectId: Schema.NullOr(ProjectId),
  /** The name of the channel, or of the person. */
  targetName: Schema.String,
  /** The person that it was for; null for a channel. */
  userId: Schema.NullOr(UserId),
  isLinkUsed: Schema.Boolean,
  /** The subjects of the message: its own, and those of the messages that it covered. */
  subjects: Schema.Array(Schema.Struct({ kind: Schema.String, id: Schema.String }))
})
export type SentMessage = typeof SentMessage.Type

export class SentMessageRepository extends Context.Service<SentMessageRepository>()(
  "@kanmon/monitoring/delivery/SentMessageRepository",
  {
    make: Effect.map(SqlClient.SqlClient, (sql) => ({
      /** The messages of an entry, oldest first. */
      ofEntry: (entryId: string) =>
        records(sql`SELECT id, notice->>'event' AS event, status, error, COALESCE(grouped_with, shared_with) AS "sharedWith",
              attempts, created_at AS "createdAt", CASE WHEN status = 'pending' THEN next_attempt_at END AS "nextAttemptAt"
            FROM deliveries WHERE entry_id = ${entryId} ORDER BY created_at, id`).pipe(
          Effect.map((rows) =>
            rows.map((row) => ({
              ...row,
              attempts: row.attempts.map((attempt) => ({ recipient: null, ...storedAttempt.decode(attempt) }))
            }))
          )
        ),
      /** How the openings and repetitions of entries were sent and answered. */
      ofEntries: (entryIds: ReadonlyArray<string>) =>
        Effect.map(
          entries(sql`SELECT DISTINCT ON (d.entry_id) d.entry_id AS "entryId", d.attempts,
                coalesce(c.link_used_at, reply.answered_at) AS "answeredAt", reply.state AS reply,
                (SELECT count(DISTINCT o.subject_id)::int FROM deliveries o
                  WHERE o.id = c.id OR COALESCE(o.grouped_with, o.shared_with) = c.id) AS subjects
              FROM deliveries d JOIN deliveries c ON c.id = COALESCE(d.grouped_with, d.shared_with, d.id)
                LEFT JOIN LATERAL (SELECT r.state, r.answered_at FROM deliveries o
                  JOIN page_replies r ON r.delivery_id = COALESCE(o.grouped_with, o.shared_with, o.id)
                  WHERE o.entry_id = d.entry_id AND o.purpose <> 'close' AND r.state IS NOT NULL
                  ORDER BY r.answered_at IS NULL, r.created_at DESC LIMIT 1) reply ON true
              WHERE d.entry_id = ANY(${entryIds}::text[]) AND d.purpose <> 'close' ORDER BY d.entry_id, d.created_at, d.id`),
          (rows) =>
            new Map(
              rows.map(({ attempts, entryId, ...row }) => [
                entryId,
                { ...row, attempts: attempts.map((attempt) => storedAttempt.decode(attempt)) }
              ])
            )
        ),
      find: (id: string) =>
        first(sql`SELECT d.entry_id AS "entryId", d.target_id AS "targetId", d.project_id AS "projectId",
              COALESCE(c.name, u.name) AS "targetName", u.id AS "userId", d.link_used_at IS NOT NULL AS "isLinkUsed",
              (SELECT json_agg(DISTINCT jsonb_build_object('kind', o.subject_kind, 'id', o.subject_id)) FROM deliveries o
                WHERE o.id = d.id OR COALESCE(o.grouped_with, o.shared_with) = d.id) AS subjects
            FROM deliveries d LEFT JOIN channels c ON c.id = d.channel_id
              LEFT JOIN contact_methods m ON m.id = d.contact_method_id LEFT JOIN users u ON u.id = m.user_id WHERE d.id = ${id}`),
      /** Notes that the link of a message was used; returns whether that is the first time. */
      useLink: (id: string, at: EpochMillis) =>
        Rows.any(
          sql`UPDATE deliveries SET link_used_at = ${new Date(at)} WHERE id = ${id} AND link_used_at IS NULL RETURNING id`
        )
    }))
  }
) {
  static readonly layer = Layer.effect(SentMessageRepository, SentMessageRepository.make)
}

const entries = Rows.all(
  Schema.Struct({
    entryId: Schema.String,
    attempts: Schema.Array(Schema.Unknown),
    answeredAt: Schema.NullOr(Rows.Time),
    reply: Schema.NullOr(Schema.Literals(replyStates)),
    subjects: Schema.Int
  })
)
const first = Rows.first(SentMessage)

const records = Rows.all(
  Schema.Struct({
    id: Schema.String,
    event: Schema.String,
    status: MessageStatus,
    error: Schema.NullOr(Schema.String),
    sharedWith: Schema.NullOr(Schema.String),
    attempts: Schema.Array(Schema.Unknown),
    createdAt: Rows.Time,
    nextAttemptAt: Schema.NullOr(Rows.Time)
  })
)
