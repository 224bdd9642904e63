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
    /** Appends updates of these monitors' specs, which are read when they are sent. Called by `SpecUpdates` alone. */
    readonly appendSpecs: (ids: ReadonlyArray<MonitorId>) => Effect.Effect<void>
    /** Writes all that this effect appends in one statement at its end: specs before events. A failure writes nothing. */
    readonly together: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>()("@kanmon/platform/outbox/Outbox") {
  static readonly layer = Layer.effect(
    Outbox,
    Effect.gen(function* () {
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

      const together: Outbox["Service"]["together"] = Effect.fnUntraced(function* (effect) {
        if ((yield* Gathered) !== undefined) return yield* effect
        const gathered = { events: [], specs: [] }
        const result = yield* Effect.provideService(effect, Gathered, gathered)
        yield* write(gathered)
        return result
      })

      return Outbox.of({
        append: (events) => add({ events, specs: [] }),
        appendSpecs: (specs) => add({ events: [], specs }),
        together
      })
    })
  )
}

interface Messages {
  readonly events: ReadonlyArray<PublicEvent>
  readonly specs: ReadonlyArray<MonitorId>
}

/** What was appended so far within `together`; undefined outside of it. */
const Gathered = Context.Reference<
  { readonly events: Array<PublicEvent>; readonly specs: Array<MonitorId> } | undefined
>("@kanmon/platform/outbox/Outbox/Gathered", { defaultValue: () => undefined })
