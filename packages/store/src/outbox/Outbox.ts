/**
 * Messages that must reach the bus because a transaction committed. Taken in order, gone when confirmed. Those that the bus
 * refuses wait apart, so that they block nothing.
 */
import type { MonitorId } from "@kanmon/domain/Ids"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Secrets } from "../database/Secrets.ts"
import { OutboxSignal } from "./OutboxSignal.ts"

/** A public event, complete with its CloudEvents headers. */
export interface OutboxEvent {
  /**
   * The same whenever the same thing is told. What is taken from the outbox has a secret one in its place: within two minutes the
   * bus drops a second message with the same id, whoever sent the first, and ids such as these can be guessed.
   */
  readonly id: string
  readonly subject: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload: string
}

export type OutboxMessage =
  | { readonly _tag: "Event"; readonly sequence: number; readonly event: OutboxEvent }
  /** The monitor's spec changed, or the monitor is gone: bring the probes' buckets to what the store says now. */
  | { readonly _tag: "Spec"; readonly sequence: number; readonly monitorId: MonitorId }

/** Messages that wait because the bus refuses them, all for one reason. */
export interface Refused {
  /** For operators: what is refused, and to whom. Names no project and no monitor. */
  readonly reason: string
  /** The one that has waited longest. */
  readonly oldest: OutboxMessage
}

export class Outbox extends Context.Service<
  Outbox,
  {
    /** The oldest messages that are not refused, in order. */
    readonly peek: (limit: number) => Effect.Effect<ReadonlyArray<OutboxMessage>>
    /** These have reached the bus. */
    readonly confirm: (sequences: ReadonlyArray<number>) => Effect.Effect<void>
    /** The bus refuses this message for a reason that trying again does not remove: it waits until `readmit`. */
    readonly refuse: (sequence: number, reason: string) => Effect.Effect<void>
    /** One row for each reason for which messages wait. */
    readonly refused: Effect.Effect<ReadonlyArray<Refused>>
    /** Puts all messages that were refused for this reason back in their places. */
    readonly readmit: (reason: string) => Effect.Effect<void>
    /** Succeeds when a transaction of this process appended something since the last call. A hint: peers' writes need polling. */
    readonly appended: Effect.Effect<void>
    /** Age of the oldest message in milliseconds, refused or not; 0 when empty. */
    readonly age: Effect.Effect<number>
  }
>()("@kanmon/store/outbox/Outbox") {
  static readonly layer = Layer.effect(
    Outbox,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const signal = yield* OutboxSignal
      const read = readMessage(yield* Secrets)

      const peek = Effect.fn("Outbox.peek")((limit: number) =>
        sql<Row>`SELECT sequence, kind, monitor_id, event FROM outbox
          WHERE refusal IS NULL ORDER BY sequence LIMIT ${limit}`.pipe(
          Effect.map((rows) => rows.map(read)),
          Effect.orDie
        )
      )

      const confirm = Effect.fn("Outbox.confirm")((sequences: ReadonlyArray<number>) =>
        sequences.length === 0
          ? Effect.void
          : sql`DELETE FROM outbox WHERE sequence = ANY(${sequences.map(String)}::bigint[])`.pipe(
              Effect.asVoid,
              Effect.orDie
            )
      )

      const refuse = Effect.fn("Outbox.refuse")((sequence: number, reason: string) =>
        sql`UPDATE outbox SET refusal = ${reason} WHERE sequence = ${String(sequence)}::bigint`.pipe(
          Effect.asVoid,
          Effect.orDie
        )
      )

      // From one reason to the next: each may have any number of messages.
      const refused = sql<Row & { readonly refusal: string }>`WITH RECURSIVE oldest AS (
          (SELECT refusal, sequence FROM outbox WHERE refusal IS NOT NULL ORDER BY refusal, sequence LIMIT 1)
          UNION ALL
          SELECT next.refusal, next.sequence FROM oldest, LATERAL (SELECT refusal, sequence FROM outbox
            WHERE refusal > oldest.refusal ORDER BY refusal, sequence LIMIT 1) next)
        SELECT refusal, sequence, kind, monitor_id, event FROM outbox JOIN oldest USING (refusal, sequence)
        ORDER BY refusal`.pipe(
        Effect.map((rows) => rows.map((row): Refused => ({ reason: row.refusal, oldest: read(row) }))),
        Effect.orDie
      )

      const readmit = Effect.fn("Outbox.readmit")((reason: string) =>
        sql`UPDATE outbox SET refusal = NULL WHERE refusal = ${reason}`.pipe(Effect.asVoid, Effect.orDie)
      )

      const age = Effect.gen(function* () {
        const [row] = yield* sql<{ oldest: Date | null }>`SELECT min(created_at) AS oldest FROM outbox`
        const oldest = row?.oldest ?? null
        return oldest === null ? 0 : Math.max(0, (yield* Clock.currentTimeMillis) - oldest.getTime())
      }).pipe(Effect.orDie)

      return Outbox.of({ peek, confirm, refuse, refused, readmit, appended: signal.wait, age })
    })
  )
}

interface Row {
  readonly sequence: bigint
  readonly kind: "event" | "spec"
  readonly monitor_id: MonitorId | null
  readonly event: OutboxEvent | null
}

/** The bus drops a second message with the same id, so an id is one that nobody outside can predict. */
const readMessage =
  ({ digest }: Secrets["Service"]) =>
  ({ event, kind, monitor_id, sequence }: Row): OutboxMessage =>
    kind === "event"
      ? { _tag: "Event", sequence: Number(sequence), event: { ...event!, id: digest(`message ${event!.id}`) } }
      : { _tag: "Spec", sequence: Number(sequence), monitorId: monitor_id! }
