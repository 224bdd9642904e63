/** Messages that must reach the bus because a transaction committed. Taken in order, gone when confirmed. */
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

export class Outbox extends Context.Service<
  Outbox,
  {
    /** The oldest messages, in order. */
    readonly peek: (limit: number) => Effect.Effect<ReadonlyArray<OutboxMessage>>
    /** These have reached the bus. */
    readonly confirm: (sequences: ReadonlyArray<number>) => Effect.Effect<void>
    /** Succeeds when a transaction of this process appended something since the last call. A hint: peers' writes need polling. */
    readonly appended: Effect.Effect<void>
    /** Age of the oldest message in milliseconds, 0 when empty. */
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
        sql<Row>`SELECT sequence, kind, monitor_id, event FROM outbox ORDER BY sequence LIMIT ${limit}`.pipe(
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

      const age = Effect.gen(function* () {
        const [row] = yield* sql<{ oldest: Date | null }>`SELECT min(created_at) AS oldest FROM outbox`
        const oldest = row?.oldest ?? null
        return oldest === null ? 0 : Math.max(0, (yield* Clock.currentTimeMillis) - oldest.getTime())
      }).pipe(Effect.orDie)

      return Outbox.of({ peek, confirm, appended: signal.wait, age })
    })
  )
}

interface Row {
  readonly sequence: bigint
  readonly kind: "event" | "spec"
  readonly monitor_id: MonitorId | null
  readonly event: OutboxEvent | null
}

const readMessage =
  ({ messageId }: Secrets["Service"]) =>
  ({ event, kind, monitor_id, sequence }: Row): OutboxMessage =>
    kind === "event"
      ? { _tag: "Event", sequence: Number(sequence), event: { ...event!, id: messageId(event!.id) } }
      : { _tag: "Spec", sequence: Number(sequence), monitorId: monitor_id! }
