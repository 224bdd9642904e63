/** A bus without room drops what is oldest, and says how much of that nobody had read. */
import * as BusMetrics from "@kanmon/bus/BusMetrics"
import * as InProcessBus from "@kanmon/bus/InProcessBus"
import * as NatsBus from "@kanmon/bus/NatsBus"
import { type BusUnavailable, EventBus } from "@kanmon/core/EventBus"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Metric, Queue } from "effect"
import * as Nats from "../support/Nats.ts"
import * as NatsServer from "../support/NatsServer.ts"

const sent = 40

const overflows = (stream: string) =>
  Effect.gen(function* () {
    const bus = yield* EventBus
    yield* bus.ensureStream({ name: stream, subjects: [`${stream}.>`], maxAgeMillis: 3_600_000 })
    const publish = (id: number) =>
      bus.publish([{ subject: `${stream}.a`, id: `${id}`, payload: `${id} ${"x".repeat(1000)}` }])
    const taken = yield* Queue.unbounded<number>()
    const take = bus.consume({ stream, durable: "reader", batch: 5, maxWait: 0 }, (batch) =>
      Effect.sync(() => void batch.forEach(({ payload }) => Queue.offerUnsafe(taken, Number.parseInt(payload))))
    )
    // By the time that the second one comes, the first is noted as handled.
    const first = (id: number) => Effect.andThen(publish(id), Queue.take(taken))
    yield* Effect.raceFirst(take, Effect.andThen(first(-1), first(0)))
    for (let id = 1; id <= sent; id++) yield* publish(id)
    const rest: Array<number> = []
    const untilLast = Effect.gen(function* () {
      while (rest.at(-1) !== sent) rest.push(yield* Queue.take(taken))
    })
    yield* Effect.raceFirst(take, untilLast)
    const { count } = yield* Metric.value(Metric.withAttributes(BusMetrics.missed, { stream }))
    return { rest, missed: Number(count) }
  }).pipe(Effect.scoped)

const keeps = (stream: string, layer: Layer.Layer<EventBus, BusUnavailable>) =>
  it.live("delivers the newest messages and counts the dropped ones", () =>
    Effect.gen(function* () {
      const { missed, rest } = yield* overflows(stream)
      assert.deepStrictEqual(
        rest,
        Array.from({ length: rest.length }, (_, index) => sent - rest.length + 1 + index)
      )
      assert.isAbove(missed, 1)
      // The second one may have been on its way to be noted.
      assert.closeTo(missed + rest.length, sent, 1)
    }).pipe(Effect.provide(layer))
  )

describe("a full bus in one process", () => {
  keeps("FULL_HERE", InProcessBus.layer({ keep: 1, keepUntaken: 10 }))
})

describe.skipIf(NatsServer.skipped)(`a full server${NatsServer.note}`, () => {
  const small = Layer.unwrap(
    Effect.map(Nats.Nats, ({ token, url }) =>
      NatsBus.layer({ url, token, description: "NATS for a test", maxBytes: 16 * 1024 })
    )
  ).pipe(Layer.provide(Nats.Nats.layer), Layer.orDie)
  keeps("FULL_SERVER", small)

  it.live("says what to do when its disk has no room for a stream", () => {
    const huge = Layer.unwrap(
      Effect.map(Nats.Nats, ({ token, url }) =>
        NatsBus.layer({ url, token, description: "NATS for a test", maxBytes: 2 ** 50 })
      )
    ).pipe(Layer.provide(Nats.Nats.layer), Layer.orDie)
    return Effect.gen(function* () {
      const { ensureStream } = yield* EventBus
      const refused = yield* Effect.flip(ensureStream({ name: "HUGE", subjects: ["HUGE.>"], maxAgeMillis: 1000 }))
      assert.match(
        refused.detail,
        /^nats-server has no room for the stream HUGE of 1073741824 MB \(.+\): free space on/
      )
      assert.include(refused.detail, "KANMON_STREAM_MEGABYTES")
    }).pipe(Effect.provide(huge))
  })
})
