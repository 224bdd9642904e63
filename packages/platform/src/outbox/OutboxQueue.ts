/** The relay's side of the outbox. Messages are read in order and deleted when the bus has confirmed them. */
import { MonitorId } from "@kanmon/domain/Ids"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { PublicEvent } from "@kanmon/domain/PublicEvent"
import * as Rows from "../database/Rows.ts"
import { Secrets } from "../database/Secrets.ts"
import type { Question } from "../DueWork.ts"
import { OutboxSignal } from "./OutboxSignal.ts"

const eventFields = {
  sequence: Rows.Count,
  kind: Schema.Literal("event"),
  event: Schema.Struct({
    id: Schema.String,
    subject: Schema.String,
    headers: Schema.Record(Schema.String, Schema.String),
    payload: Schema.String
  })
}
const specFields = { sequence: Rows.Count, kind: Schema.Literal("spec"), monitor_id: MonitorId }
const MessageRow = Schema.Union([Schema.Struct(eventFields), Schema.Struct(specFields)])

const refusal = Schema.String
const RefusedRow = Schema.Union([Schema.Struct({ ...eventFields, refusal }), Schema.Struct({ ...specFields, refusal })])

const AgeRow = Schema.Struct({ oldest: Schema.NullOr(Rows.Time) })

export type OutboxMessage =
  | { readonly _tag: "Event"; readonly sequence: number; readonly event: PublicEvent }
  /** The monitor changed or was deleted, so the regions' buckets need an update. */
  | { readonly _tag: "Spec"; readonly sequence: number; readonly monitorId: MonitorId }

/** Messages that the bus refused for the same reason. */
interface Refused {
  /** The refused subjects, for operators; without IDs of projects or monitors. */
  readonly reason: string
  /** The oldest of these messages. */
  readonly oldest: OutboxMessage
}

/** Whether there is a message that is not refused. */
export const isDue: Question = (sql) => sql`EXISTS (SELECT FROM outbox WHERE refusal IS NULL)`

export class OutboxQueue extends Context.Service<OutboxQueue>()("@kanmon/platform/outbox/OutboxQueue", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const signal = yield* OutboxSignal
    const read = readMessage(yield* Secrets)

    /** The oldest messages that are not refused, in order. */
    const peek = Effect.fn("OutboxQueue.peek")((limit: number) =>
      sql`SELECT sequence, kind, monitor_id, event FROM outbox
          WHERE refusal IS NULL ORDER BY sequence LIMIT ${limit}`.pipe(
        Rows.all(MessageRow),
        Effect.map((rows): ReadonlyArray<OutboxMessage> => rows.map(read))
      )
    )

    /** Deletes messages that the bus has stored. */
    const confirm = Effect.fn("OutboxQueue.confirm")((sequences: ReadonlyArray<number>) =>
      sequences.length === 0
        ? Effect.void
        : sql`DELETE FROM outbox WHERE sequence = ANY(${sequences.map(String)}::bigint[])`.pipe(
            Effect.asVoid,
            Effect.orDie
          )
    )

    /** Sets a refused message aside until `readmit`. */
    const refuse = Effect.fn("OutboxQueue.refuse")((sequence: number, reason: string) =>
      sql`UPDATE outbox SET refusal = ${reason} WHERE sequence = ${String(sequence)}::bigint`.pipe(
        Effect.asVoid,
        Effect.orDie
      )
    )

    // Skips from one reason to the next, since each may have any number of messages.
    /** The refused messages, one entry per reason. */
    const refused = sql`WITH RECURSIVE oldest AS (
          (SELECT refusal, sequence FROM outbox WHERE refusal IS NOT NULL ORDER BY refusal, sequence LIMIT 1)
          UNION ALL
          SELECT next.refusal, next.sequence FROM oldest, LATERAL (SELECT refusal, sequence FROM outbox
            WHERE refusal > oldest.refusal ORDER BY refusal, sequence LIMIT 1) next)
        SELECT refusal, sequence, kind, monitor_id, event FROM outbox JOIN oldest USING (refusal, sequence)
        ORDER BY refusal`.pipe(
      Rows.all(RefusedRow),
      Effect.map((rows) => rows.map((row): Refused => ({ reason: row.refusal, oldest: read(row) })))
    )

    /** Puts the messages refused for this reason back into the queue, in order. */
    const readmit = Effect.fn("OutboxQueue.readmit")((reason: string) =>
      sql`UPDATE outbox SET refusal = NULL WHERE refusal = ${reason}`.pipe(Effect.asVoid, Effect.orDie)
    )

    /** Age of the oldest message in milliseconds, refused or not; 0 when empty. */
    const age = Effect.gen(function* () {
      const { oldest } = yield* sql`SELECT min(created_at) AS oldest FROM outbox`.pipe(Rows.one(AgeRow))
      return oldest === null ? 0 : Math.max(0, (yield* Clock.currentTimeMillis) - oldest)
    })

    return {
      peek,
      confirm,
      refuse,
      refused,
      readmit,
      /** Succeeds when a transaction of this process has appended since the last call. Writes of others make `isDue` true. */
      appended: signal.wait,
      age
    }
  })
}) {
  static readonly layer = Layer.effect(OutboxQueue, OutboxQueue.make)
}

/** Replaces event IDs by secret digests: the bus drops duplicate IDs, so a predictable ID could block an event. */
const readMessage =
  ({ digest }: Secrets["Service"]) =>
  (row: typeof MessageRow.Type): OutboxMessage =>
    row.kind === "event"
      ? { _tag: "Event", sequence: row.sequence, event: { ...row.event, id: digest(`message ${row.event.id}`) } }
      : { _tag: "Spec", sequence: row.sequence, monitorId: row.monitor_id }
