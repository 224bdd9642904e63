/**
 * The outbox: messages that reach the bus because a transaction committed. This is its only writer; the relay reads them
 * through OutboxQueue.
 */
import type { MonitorId } from "@kanmon/domain/Ids"
import type { PublicEvent } from "@kanmon/domain/PublicEvent"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { OutboxSignal } from "./OutboxSignal.ts"

export class Outbox extends Context.Service<Outbox>()("@kanmon/platform/outbox/Outbox", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const relay = yield* OutboxSignal

    const write = Effect.fnUntraced(function* ({ events, specs }: Messages) {
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

    const add = Effect.fnUntraced(function* ({ events, specs }: Messages) {
      const gathered = yield* Gathered
      if (gathered === undefined) return yield* write({ events, specs })
      gathered.events.push(...events)
      gathered.specs.push(...specs)
    })

    /** Writes all that this effect appends in one statement at its end: specs before events. A failure writes nothing. */
    const together = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
      if ((yield* Gathered) !== undefined) return yield* effect
      const gathered = { events: [], specs: [] }
      const result = yield* Effect.provideService(effect, Gathered, gathered)
      yield* write(gathered)
      return result
    })

    return {
      /** Appends public events in this order. Wakes the relay after the commit. */
      append: (events: ReadonlyArray<PublicEvent>) => add({ events, specs: [] }),
      /** Appends updates of these monitors' specs, which are read when they are sent. Called by `SpecUpdates` alone. */
      appendSpecs: (specs: ReadonlyArray<MonitorId>) => add({ events: [], specs }),
      together
    }
  })
}) {
  static readonly layer = Layer.effect(Outbox, Outbox.make)
}

interface Messages {
  readonly events: ReadonlyArray<PublicEvent>
  readonly specs: ReadonlyArray<MonitorId>
}

/** What was appended so far within `together`; undefined outside of it. */
const Gathered = Context.Reference<
  { readonly events: Array<PublicEvent>; readonly specs: Array<MonitorId> } | undefined
>("@kanmon/platform/outbox/Outbox/Gathered", { defaultValue: () => undefined })
