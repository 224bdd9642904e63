/** A region whose bucket cannot be written delays neither other regions nor events, and catches up. */
import * as InProcessBus from "@kanmon/bus/InProcessBus"
import { BusUnavailable, EventBus } from "@kanmon/core/EventBus"
import { MonitorId } from "@kanmon/domain/Ids"
import { eventsStream, specBucket } from "@kanmon/domain/Subjects"
import * as OutboxRelay from "@kanmon/platform/outbox/OutboxRelay"
import { SpecUpdates } from "@kanmon/monitoring/testing/specs/SpecUpdates.ts"
import { SpecBuckets } from "@kanmon/monitoring/testing/specs/SpecBuckets.ts"
import { SpecRepository } from "@kanmon/monitoring/testing/specs/SpecRepository.ts"
import { OutboxQueue, type OutboxMessage } from "@kanmon/platform/outbox/OutboxQueue"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { spec } from "./probe/Lab.ts"
import * as AlwaysDue from "../support/AlwaysDue.ts"
import * as Regions from "../support/Regions.ts"

const placed = (name: string) => ({ spec: spec(name), regions: [] })
const event = { id: "e1", subject: "kanmon.events.prj_1.monitor.mon_b.created", headers: {}, payload: "{}" }

it.effect("does not delay other regions if one is refused, and catches up later", () =>
  Effect.gen(function* () {
    const bus = Context.get(yield* Layer.build(InProcessBus.layer()), EventBus)
    yield* bus.ensureStream(eventsStream)
    let open = false
    const known = [placed("a")]
    let waiting: ReadonlyArray<OutboxMessage> = []
    const guarded = EventBus.of({
      ...bus,
      bucket: (name, options) =>
        name === specBucket("ap-south") && !open
          ? Effect.fail(new BusUnavailable({ detail: "not yours", refused: true }))
          : bus.bucket(name, options)
    })
    const keysOf = (region: string) => Effect.flatMap(bus.bucket(specBucket(region)), ({ keys }) => keys)
    const soon = Effect.repeat(TestClock.adjust("500 millis"), { times: 10 })

    yield* Layer.build(
      Layer.merge(OutboxRelay.layer.pipe(Layer.provide(SpecUpdates.layerPublisher)), SpecUpdates.layerRegions).pipe(
        Layer.provide([SpecBuckets.layer, AlwaysDue.layer]),
        Layer.provide(Regions.layer(["ap-south", "eu-west"])),
        Layer.provide([
          Layer.succeed(EventBus, guarded),
          Layer.mock(SpecRepository, { find: () => Effect.succeed(known), page: () => Effect.succeed(known) }),
          Layer.mock(OutboxQueue, {
            peek: () => Effect.succeed(waiting),
            confirm: () => Effect.sync(() => void (waiting = [])),
            appended: Effect.never,
            refused: Effect.succeed([]),
            age: Effect.succeed(0)
          })
        ])
      )
    )
    yield* soon
    assert.deepStrictEqual(yield* keysOf("eu-west"), ["mon_a"])

    known.push(placed("b"))
    waiting = [
      { _tag: "Spec", sequence: 1, monitorId: MonitorId.make("mon_b") },
      { _tag: "Event", sequence: 2, event }
    ]
    yield* soon
    assert.sameMembers([...(yield* keysOf("eu-west"))], ["mon_a", "mon_b"])
    assert.strictEqual(yield* bus.position(eventsStream.name), 1)
    assert.deepStrictEqual(waiting, [])

    open = true
    yield* TestClock.adjust("1 minute")
    yield* soon
    assert.sameMembers([...(yield* keysOf("ap-south"))], ["mon_a", "mon_b"])

    open = false
    known.push(placed("c"))
    waiting = [{ _tag: "Spec", sequence: 3, monitorId: MonitorId.make("mon_c") }]
    yield* soon
    assert.sameMembers([...(yield* keysOf("eu-west"))], ["mon_a", "mon_b", "mon_c"])
    open = true
    yield* TestClock.adjust("1 minute")
    yield* soon
    assert.sameMembers([...(yield* keysOf("ap-south"))], ["mon_a", "mon_b", "mon_c"])
  }).pipe(Effect.scoped)
)
