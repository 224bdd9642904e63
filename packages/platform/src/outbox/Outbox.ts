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
    /** Appends public events in this order, after updates of `specs` as in `appendSpecs`. Wakes the relay after the commit. */
    readonly append: (events: ReadonlyArray<PublicEvent>, specs?: ReadonlyArray<MonitorId>) => Effect.Effect<void>
    /** Schedules an update of these monitors' specs on the probes, with the state at the time of sending. */
    readonly appendSpecs: (ids: ReadonlyArray<MonitorId>) => Effect.Effect<void>
  }
>()("@kanmon/platform/outbox/Outbox") {
  static readonly layer = Layer.effect(
    Outbox,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const relay = yield* OutboxSignal

      const append: Outbox["Service"]["append"] = Effect.fnUntraced(function* (events, specs = []) {
        if (events.length === 0 && specs.length === 0) return
        const now = new Date(yield* Clock.currentTimeMillis)
        const [monitors, bodies] = [
          sql`SELECT 'spec', id, NULL::json, ${now} FROM unnest(${specs}::text[]) AS id`,
          sql`SELECT 'event', NULL, event, ${now} FROM json_array_elements(${JSON.stringify(events)}::json) AS event`
        ]
        // Each row of outbox gets its sequence as it is inserted, and so the order is that of the parts.
        const rows = events.length === 0 ? monitors : specs.length === 0 ? bodies : sql`${monitors} UNION ALL ${bodies}`
        yield* sql`INSERT INTO outbox (kind, monitor_id, event, created_at) ${rows}`
        yield* sql.afterCommit(relay.raise)
      }, Effect.orDie)

      const appendSpecs: Outbox["Service"]["appendSpecs"] = (ids) => append([], ids)

      return Outbox.of({ append, appendSpecs })
    })
  )
}
