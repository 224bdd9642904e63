import { assert, describe, it } from "@effect/vitest"
import * as BatchCoalescer from "../../src/evaluation/BatchCoalescer.ts"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"

const options = { limit: 4, wait: "50 millis" } as const

/** Remembers each batch, and ends it as `outcome` says. */
const recorded = Effect.fnUntraced(function* (outcome: () => Effect.Effect<void, string> = () => Effect.void) {
  const batches: Array<ReadonlyArray<number>> = []
  const { submit } = yield* BatchCoalescer.make(options, (items: ReadonlyArray<number>) =>
    Effect.suspend(() => {
      batches.push(items)
      return outcome()
    })
  )
  return { batches, submit: (...items: Array<number>) => Effect.forkChild(submit(items), { startImmediately: true }) }
})

describe("BatchCoalescer", () => {
  it.effect("handles full batches at the same time, and lets a part of one wait for those before it", () =>
    Effect.gen(function* () {
      const ends = new Map<number, Deferred.Deferred<void>>()
      const { submit } = yield* BatchCoalescer.make({ ...options, lanes: 2 }, ([first]: ReadonlyArray<number>) =>
        Effect.suspend(() => {
          const end = Deferred.makeUnsafe<void>()
          ends.set(first!, end)
          return Deferred.await(end)
        })
      )
      const send = (...items: Array<number>) => Effect.forkChild(submit(items), { startImmediately: true })
      yield* send(1, 1, 1, 1)
      yield* TestClock.adjust(0)
      yield* send(2)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual([...ends.keys()], [1])
      yield* send(3, 3, 3)
      yield* TestClock.adjust(0)
      assert.deepStrictEqual([...ends.keys()], [1, 2])
      yield* send(4, 4, 4, 4)
      yield* TestClock.adjust("1 second")
      // Both lanes are taken.
      assert.deepStrictEqual([...ends.keys()], [1, 2])
      yield* Deferred.succeed(ends.get(1)!, undefined)
      yield* TestClock.adjust(0)
      assert.deepStrictEqual([...ends.keys()], [1, 2, 4])
    })
  )

  it.effect("lets what is urgent wait only for what arrives with it", () =>
    Effect.gen(function* () {
      const batches: Array<ReadonlyArray<number>> = []
      const { submit } = yield* BatchCoalescer.make(
        { ...options, isUrgent: (item: number) => item < 0 },
        (items: ReadonlyArray<number>) => Effect.sync(() => void batches.push(items))
      )
      const send = (item: number) => Effect.forkChild(submit([item]), { startImmediately: true })
      yield* send(1)
      yield* TestClock.adjust("20 millis")
      yield* send(-2)
      yield* send(3)
      yield* TestClock.adjust("5 millis")
      assert.deepStrictEqual(batches, [[1, -2, 3]])
      yield* send(4)
      yield* TestClock.adjust("45 millis")
      assert.lengthOf(batches, 1)
      yield* TestClock.adjust("5 millis")
      assert.deepStrictEqual(batches[1], [4])
    })
  )

  it.effect("lets what waits leave when something urgent is announced behind it", () =>
    Effect.gen(function* () {
      const batches: Array<ReadonlyArray<number>> = []
      const { announce, submit } = yield* BatchCoalescer.make(
        { ...options, isUrgent: (item: number) => item < 0 },
        (items: ReadonlyArray<number>) => Effect.sync(() => void batches.push(items))
      )
      const send = (item: number) => Effect.forkChild(submit([item]), { startImmediately: true })
      // Nothing waits, so nothing has to hurry, now or later.
      announce(-1)
      yield* send(1)
      yield* TestClock.adjust("20 millis")
      announce(2)
      yield* TestClock.adjust("10 millis")
      assert.deepStrictEqual(batches, [])
      announce(-2)
      yield* TestClock.adjust("5 millis")
      assert.deepStrictEqual(batches, [[1]])
      yield* send(3)
      yield* TestClock.adjust("45 millis")
      assert.lengthOf(batches, 1)
      yield* TestClock.adjust("5 millis")
      assert.deepStrictEqual(batches[1], [3])
    })
  )

  it.effect("handles together what comes within the wait", () =>
    Effect.gen(function* () {
      const { batches, submit } = yield* recorded()
      const one = yield* submit(1)
      yield* TestClock.adjust("30 millis")
      const two = yield* submit(2)
      assert.deepStrictEqual(batches, [])
      yield* TestClock.adjust("20 millis")
      yield* Fiber.joinAll([one, two])
      assert.deepStrictEqual(batches, [[1, 2]])
    })
  )

  it.effect("does not wait for more when there is enough, and leaves the rest for the next", () =>
    Effect.gen(function* () {
      const first = yield* Deferred.make<void>()
      let calls = 0
      const { batches, submit } = yield* recorded(() => (calls++ === 0 ? Deferred.await(first) : Effect.void))
      yield* submit(0)
      yield* TestClock.adjust("50 millis")
      const rest = yield* Effect.forEach([1, 3, 5], (n) => submit(n, n + 1))
      yield* Deferred.succeed(first, undefined)
      yield* Fiber.join(rest[0]!)
      assert.deepStrictEqual(batches.slice(1), [[1, 2, 3, 4]])
      yield* TestClock.adjust("50 millis")
      yield* Fiber.joinAll(rest)
      assert.deepStrictEqual(batches.slice(2), [[5, 6]])
    })
  )

  it.effect("fails every submission of a failed batch, and continues", () =>
    Effect.gen(function* () {
      let fails = true
      const { submit } = yield* recorded(() => (fails ? Effect.fail("no") : Effect.void))
      const consumers = [yield* submit(1), yield* submit(2)]
      yield* TestClock.adjust("50 millis")
      for (const consumer of consumers) assert.deepStrictEqual(yield* Fiber.await(consumer), Exit.fail("no"))
      fails = false
      const again = yield* submit(1)
      yield* TestClock.adjust("50 millis")
      yield* Fiber.join(again)
    })
  )

  it.effect("leaves out what its consumer has taken back", () =>
    Effect.gen(function* () {
      const { batches, submit } = yield* recorded()
      const gone = yield* submit(1)
      const stays = yield* submit(2)
      yield* Fiber.interrupt(gone)
      yield* TestClock.adjust("50 millis")
      yield* Fiber.join(stays)
      assert.deepStrictEqual(batches, [[2]])
    })
  )
})
