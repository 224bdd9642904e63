/**
 * The outbox: messages that reach the bus because a transaction committed. This is its only writer; the relay reads them
 * through OutboxQueue.
 */
import type { MonitorId } from "@kanmon/domain/Ids"
import type { PublicEvent } from "@kanmon/domain/PublicEvent"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { OutboxSignal } from "./OutboxSignal.ts"

export class Outbox extends Context.Service<
  Outbox,
  {
    /** Appends public events in this order. Wakes the relay after the commit. */
    readonly append: (events: ReadonlyArray<PublicEvent>) => Effect.Effect<void>
    /** Schedules an update of these monitors' specs on the probes, with the state at the time of sending. */
    readonly appendSpecs: (ids: ReadonlyArray<MonitorId>) => Effect.Effect<void>
  }
>()("@kanmon/control-plane/platform/outbox/Outbox") {
  static readonly layer = Layer.effect(
    Outbox,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const relay = yield* OutboxSignal

      const append = Effect.fnUntraced(function* (events: ReadonlyArray<PublicEvent>) {
        if (events.length === 0) return
        const now = new Date(yield* Clock.currentTimeMillis)
        yield* sql`INSERT INTO outbox (kind, event, created_at)
          SELECT 'event', event, ${now} FROM json_array_elements(${JSON.stringify(events)}::json) AS event`
        yield* sql.afterCommit(relay.raise)
      }, Effect.orDie)

      const appendSpecs = Effect.fnUntraced(function* (ids: ReadonlyArray<MonitorId>) {
        if (ids.length === 0) return
        const now = new Date(yield* Clock.currentTimeMillis)
        yield* sql`INSERT INTO outbox (kind, monitor_id, created_at)
          SELECT 'spec', id, ${now} FROM unnest(${ids}::text[]) AS id`
        yield* sql.afterCommit(relay.raise)
      }, Effect.orDie)

      return Outbox.of({ append, appendSpecs })
    })
  )
}
