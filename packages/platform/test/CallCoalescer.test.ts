import { assert, describe, it } from "@effect/vitest"
import { type Call, make } from "../src/CallCoalescer.ts"
import { Deferred, Effect, Exit, Fiber, Scope } from "effect"

/** Doubles numbers and refuses negative ones, and remembers the batches. Each of them waits until `open`. */
const doubling = Effect.gen(function* () {
  const batches: Array<ReadonlyArray<number>> = []
  const awaited: Array<ReadonlyArray<boolean>> = []
  let gate = Deferred.makeUnsafe<void>()
  const submit = yield* make({
    limit: 3,
    handle: (_: string, calls: ReadonlyArray<Call<number>>) =>
      Effect.gen(function* () {
        batches.push(calls.map(({ input }) => input))
        yield* Deferred.await(gate)
        awaited.push(calls.map(({ isAwaited }) => isAwaited()))
        if (calls.some(({ input }) => input === 0)) return yield* Effect.die("zero")
        return calls.map(({ input }) => (input < 0 ? Exit.fail(`${input} refused`) : Exit.succeed(2 * input)))
      })
  })
  const open = Effect.suspend(() => {
    const opened = gate
    gate = Deferred.makeUnsafe<void>()
    return Effect.andThen(Deferred.succeed(opened, undefined), settled)
  })
  return {
    batches,
    awaited,
    open,
    call: (input: number, key = "one") => Effect.tap(Effect.forkChild(submit(key, input)), () => settled)
  }
})

const settled = Effect.forEach(Array.from({ length: 10 }), () => Effect.yieldNow, { discard: true })

describe("CallCoalescer", () => {
  it.effect("answers a lone call at once, and those that arrive meanwhile together, up to the limit", () =>
    Effect.gen(function* () {
      const { batches, call, open } = yield* doubling
      const calls = yield* Effect.forEach([1, 2, 3, 4, 5], (input) => call(input))
      assert.deepStrictEqual(batches, [[1]])
      yield* open
      assert.deepStrictEqual(batches, [[1], [2, 3, 4]])
      yield* open
      yield* open
      assert.deepStrictEqual(batches, [[1], [2, 3, 4], [5]])
      assert.deepStrictEqual(yield* Effect.forEach(calls, Fiber.join), [2, 4, 6, 8, 10])
    })
  )

  it.effect("gives each call its own answer, and does not let keys wait for each other", () =>
    Effect.gen(function* () {
      const { batches, call, open } = yield* doubling
      const [first, refused, other] = [yield* call(1), yield* call(-2), yield* call(3, "two")]
      assert.deepStrictEqual(batches, [[1], [3]])
      yield* open
      yield* open
      assert.deepStrictEqual(yield* Fiber.await(first), Exit.succeed(2))
      assert.deepStrictEqual(yield* Fiber.await(refused), Exit.fail("-2 refused"))
      assert.deepStrictEqual(yield* Fiber.await(other), Exit.succeed(6))
    })
  )

  it.effect("takes an interrupted call out of the queue, and tells a batch that has begun", () =>
    Effect.gen(function* () {
      const { awaited, batches, call, open } = yield* doubling
      const [first, queued, last] = [yield* call(1), yield* call(2), yield* call(3)]
      yield* Fiber.interrupt(first)
      yield* Fiber.interrupt(queued)
      yield* open
      yield* open
      assert.deepStrictEqual(batches, [[1], [3]])
      assert.deepStrictEqual(awaited, [[false], [true]])
      assert.strictEqual(yield* Fiber.join(last), 6)
    })
  )

  it.effect("continues after a defect, which all calls of the batch get", () =>
    Effect.gen(function* () {
      const { call, open } = yield* doubling
      const [crashed, next] = [yield* call(0), yield* call(1)]
      yield* open
      yield* open
      assert.deepStrictEqual(yield* Fiber.await(crashed), Exit.die("zero"))
      assert.strictEqual(yield* Fiber.join(next), 2)
    })
  )

  it.effect("interrupts all calls at the end of the scope", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { call } = yield* Scope.provide(doubling, scope)
      const calls = [yield* call(1), yield* call(2)]
      yield* Scope.close(scope, Exit.void)
      for (const fiber of calls) assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(fiber)))
    })
  )
})
