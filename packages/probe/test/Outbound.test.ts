import { EventBus, type Outgoing } from "@kanmon/core/EventBus"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as Outbound from "../src/Outbound.ts"

const message = (id: string): Outgoing => ({ id, subject: "kanmon.checks.0", payload: id })

/** An outbound queue, and the publications that reach the bus. */
const world = Effect.gen(function* () {
  const published: Array<ReadonlyArray<string>> = []
  const bus = Layer.mock(EventBus, {
    description: "recorded",
    publish: (messages) => Effect.sync(() => void published.push(messages.map(({ id }) => id)))
  })
  const outbound = yield* Effect.provide(Outbound.make(1000), bus)
  yield* Effect.yieldNow
  return { outbound, published }
})

describe("Outbound", () => {
  it.effect("lets messages that are not urgent wait for company, for a second at most", () =>
    Effect.gen(function* () {
      const { outbound, published } = yield* world
      outbound.offer(message("a"), false)
      yield* TestClock.adjust("500 millis")
      outbound.offer(message("b"), false)
      yield* TestClock.adjust("490 millis")
      assert.deepStrictEqual(published, [])
      yield* TestClock.adjust("30 millis")
      assert.deepStrictEqual(published, [["a", "b"]])
    })
  )

  it.effect("sends an urgent message at once, with those that waited before it", () =>
    Effect.gen(function* () {
      const { outbound, published } = yield* world
      outbound.offer(message("a"), false)
      yield* TestClock.adjust("500 millis")
      outbound.offer(message("b"), true)
      yield* TestClock.adjust("20 millis")
      assert.deepStrictEqual(published, [["a", "b"]])
    })
  )

  it.effect("lets urgent messages wait five milliseconds for those of the same moment", () =>
    Effect.gen(function* () {
      const { outbound, published } = yield* world
      outbound.offer(message("a"), true)
      yield* TestClock.adjust("4 millis")
      outbound.offer(message("b"), true)
      assert.deepStrictEqual(published, [])
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(published, [["a", "b"]])
    })
  )

  it.effect("lets the messages after an urgent one wait again", () =>
    Effect.gen(function* () {
      const { outbound, published } = yield* world
      outbound.offer(message("a"), true)
      yield* TestClock.adjust("20 millis")
      outbound.offer(message("b"), false)
      yield* TestClock.adjust("500 millis")
      assert.deepStrictEqual(published, [["a"]])
    })
  )

  it.effect("does not wait when many messages have come together", () =>
    Effect.gen(function* () {
      const { outbound, published } = yield* world
      for (let index = 0; index < 64; index++) outbound.offer(message(String(index)), false)
      yield* TestClock.adjust("20 millis")
      assert.strictEqual(published[0]?.length, 64)
    })
  )

  it.effect("does not wait when it is flushed", () =>
    Effect.gen(function* () {
      const { outbound, published } = yield* world
      outbound.offer(message("a"), false)
      const flushed = yield* Effect.forkChild(outbound.flush)
      yield* TestClock.adjust("20 millis")
      yield* Fiber.join(flushed)
      assert.deepStrictEqual(published, [["a"]])
    })
  )
})
