/** A message that the bus refuses delays no other message, and health reports it. */
import { eventually } from "@kanmon/testkit/Eventually"
import * as InProcessBus from "@kanmon/bus/InProcessBus"
import { BusUnavailable, EventBus } from "@kanmon/core/EventBus"
import { checksStream, eventsStream } from "@kanmon/domain/Subjects"
import * as OutboxRelay from "@kanmon/platform/outbox/OutboxRelay"
import { Regions } from "@kanmon/monitoring/testing/regions/Regions.ts"
import { SpecUpdates } from "@kanmon/monitoring/testing/specs/SpecUpdates.ts"
import { SpecBuckets } from "@kanmon/monitoring/testing/specs/SpecBuckets.ts"
import type { PublicEvent } from "@kanmon/domain/PublicEvent"
import { OutboxQueue } from "@kanmon/platform/outbox/OutboxQueue"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as TestDatabase from "../support/TestDatabase.ts"

const heartbeat = (id: string): PublicEvent => ({
  id,
  subject: "kanmon.checks.3.heartbeat-inbox.prj_1.mon_1",
  headers: {},
  payload: "{}"
})
const other: PublicEvent = { ...heartbeat("o1"), subject: "kanmon.checks.3.us-east.prj_1.mon_1" }
const created: PublicEvent = {
  id: "e1",
  subject: "kanmon.events.prj_1.monitor.mon_1.created",
  headers: {},
  payload: "{}"
}

const append = (events: ReadonlyArray<PublicEvent>) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`INSERT INTO outbox (kind, event, created_at)
      SELECT 'event', event, to_timestamp(0) FROM json_array_elements(${JSON.stringify(events)}::json) AS event`
  )

/** Lets simulated time pass until it is so; the database answers in real time. */
const until = <E, R>(condition: Effect.Effect<boolean, E, R>) =>
  eventually(Effect.andThen(TestClock.adjust("1 second"), condition), (met) => met)

layer(TestDatabase.store, { timeout: "60 seconds" })("an outbox message that the bus refuses", (it) => {
  it.effect("does not block others, reports the refused subject, and is sent once the bus accepts it", () =>
    Effect.gen(function* () {
      const bus = Context.get(yield* Layer.build(InProcessBus.layer()), EventBus)
      const outbox = yield* OutboxQueue
      yield* bus.ensureStream(eventsStream)
      yield* bus.ensureStream(checksStream)
      let allowed = false
      yield* append([heartbeat("h1"), other, heartbeat("h2"), created])
      yield* Layer.build(
        Layer.merge(OutboxRelay.layer.pipe(Layer.provide(SpecUpdates.layerPublisher)), SpecUpdates.layerRegions).pipe(
          Layer.provide(SpecBuckets.layer),
          Layer.provide(Regions.layer(["eu-west"])),
          Layer.provide(
            Layer.succeed(
              EventBus,
              EventBus.of({
                ...bus,
                publish: (messages) =>
                  !allowed && messages.some(({ subject }) => subject.startsWith("kanmon.checks."))
                    ? Effect.fail(new BusUnavailable({ detail: "not yours", refused: true }))
                    : bus.publish(messages)
              })
            )
          )
        )
      )
      yield* until(Effect.map(bus.position(eventsStream.name), (count) => count === 1))
      const refused = yield* outbox.refused
      assert.deepStrictEqual(
        refused.map(({ oldest, reason }) => [/ publish to (\S+):/.exec(reason)![1], oldest.sequence]),
        [
          ["kanmon.checks.*.heartbeat-inbox.>", 1],
          ["kanmon.checks.*.us-east.>", 2]
        ]
      )
      assert.isAbove(yield* outbox.age, 0)

      allowed = true
      yield* until(Effect.map(bus.position(checksStream.name), (count) => count === 3))
      yield* until(Effect.map(outbox.peek(10), (left) => left.length === 0))
      assert.deepStrictEqual(yield* outbox.refused, [])
    }).pipe(Effect.scoped)
  )
})
