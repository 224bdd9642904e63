/** The engine that runs the relay reports the age of the outbox, also while the bus is down. */
import * as InProcessBus from "@kanmon/bus/InProcessBus"
import { BusUnavailable, EventBus } from "@kanmon/core/EventBus"
import { eventsStream } from "@kanmon/domain/Subjects"
import * as Metrics from "@kanmon/platform/outbox/OutboxMetrics"
import * as OutboxRelay from "@kanmon/platform/outbox/OutboxRelay"
import { SpecUpdates } from "@kanmon/monitoring/testing/specs/SpecUpdates.ts"
import { SpecBuckets } from "@kanmon/monitoring/testing/specs/SpecBuckets.ts"
import { SpecRepository } from "@kanmon/monitoring/testing/specs/SpecRepository.ts"
import { OutboxQueue, type OutboxMessage } from "@kanmon/platform/outbox/OutboxQueue"
import { assert, it } from "@effect/vitest"
import { Clock, Context, Effect, Exit, Layer, Metric, Scope } from "effect"
import { TestClock } from "effect/testing"
import * as AlwaysDue from "../support/AlwaysDue.ts"
import * as Regions from "../support/Regions.ts"

const event = { id: "e1", subject: "kanmon.events.prj_1.monitor.mon_b.created", headers: {}, payload: "{}" }

it.effect("reports the age of the outbox while the bus is down, only from its current owner", () =>
  Effect.gen(function* () {
    const bus = Context.get(yield* Layer.build(InProcessBus.layer()), EventBus)
    yield* bus.ensureStream(eventsStream)
    let isAway = true
    const waiting: Array<OutboxMessage> = [{ _tag: "Event", sequence: 1, event }]
    const began = yield* Clock.currentTimeMillis
    const scope = yield* Scope.make()
    yield* Layer.merge(
      OutboxRelay.layer.pipe(Layer.provide(SpecUpdates.layerPublisher)),
      SpecUpdates.layerRegions
    ).pipe(
      Layer.provide([SpecBuckets.layer, AlwaysDue.layer]),
      Layer.provide(Regions.layer([])),
      Layer.provide([
        Layer.succeed(
          EventBus,
          EventBus.of({
            ...bus,
            publish: (messages) =>
              Effect.suspend(() =>
                isAway ? Effect.fail(new BusUnavailable({ detail: "no answer" })) : bus.publish(messages)
              )
          })
        ),
        Layer.mock(SpecRepository, { find: () => Effect.succeed([]), page: () => Effect.succeed([]) }),
        Layer.mock(OutboxQueue, {
          peek: () => Effect.succeed([...waiting]),
          confirm: () => Effect.sync(() => void waiting.splice(0)),
          appended: Effect.never,
          refused: Effect.succeed([]),
          age: Effect.map(Clock.currentTimeMillis, (now) => (waiting.length === 0 ? 0 : now - began))
        })
      ]),
      Layer.buildWithScope(scope)
    )
    const told = Effect.map(Metric.value(Metrics.outboxAge), ({ value }) => Number(value))
    yield* Effect.repeat(TestClock.adjust("500 millis"), { times: 240 })
    assert.isAtLeast(yield* told, 115_000)
    isAway = false
    yield* Effect.repeat(TestClock.adjust("500 millis"), { times: 20 })
    assert.strictEqual(yield* told, 0)
    assert.strictEqual(yield* bus.position(eventsStream.name), 1)

    isAway = true
    waiting.push({ _tag: "Event", sequence: 2, event: { ...event, id: "e2" } })
    yield* Effect.repeat(TestClock.adjust("500 millis"), { times: 20 })
    assert.isAbove(yield* told, 0)
    yield* Scope.close(scope, Exit.void)
    assert.strictEqual(yield* told, 0)
  }).pipe(Effect.scoped)
)
