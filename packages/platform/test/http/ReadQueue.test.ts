import { ReadQueue } from "@kanmon/platform/http/ReadQueue"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"

layer(ReadQueue.layer)("reading requests", (it) => {
  /** Work of an account that runs until it is told to end. */
  const work = Effect.fnUntraced(function* (account: string) {
    const { within } = yield* ReadQueue
    const begun = yield* Deferred.make<void>()
    const end = yield* Deferred.make<void>()
    const answer = Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(end)).pipe(Effect.as("answered"))
    const fiber = yield* Effect.forkChild(
      within(account, answer, ({ code }) => Effect.succeed(code)),
      {
        startImmediately: true
      }
    )
    return { fiber, begun, end: Deferred.succeed(end, undefined) }
  })

  it.effect("wait for those of their own account alone, and begin when one ends", () =>
    Effect.gen(function* () {
      const own = yield* Effect.replicateEffect(work("own"), 4)
      const other = yield* work("other")
      yield* Deferred.await(other.begun)
      assert.isFalse(yield* Deferred.isDone(own[3]!.begun))
      yield* own[0]!.end
      yield* Deferred.await(own[3]!.begun)
      for (const { end, fiber } of [...own, other]) {
        yield* end
        assert.strictEqual(yield* Fiber.join(fiber), "answered")
      }
    })
  )

  it.effect("are refused after ten seconds, and leave no place taken", () =>
    Effect.gen(function* () {
      const first = yield* Effect.replicateEffect(work("slow"), 3)
      const late = yield* work("slow")
      yield* TestClock.adjust("9 seconds")
      assert.isUndefined(late.fiber.pollUnsafe())
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* Fiber.join(late.fiber), "unavailable")
      for (const { end, fiber } of first) yield* Effect.andThen(end, Fiber.join(fiber))
      const next = yield* work("slow")
      yield* Deferred.await(next.begun)
      yield* next.end
    })
  )

  it.effect("are refused at once when a hundred of the account wait", () =>
    Effect.gen(function* () {
      const all = yield* Effect.replicateEffect(work("many"), 103)
      const over = yield* work("many")
      assert.strictEqual(yield* Fiber.join(over.fiber), "rate_limited")
      for (const { end, fiber } of all) yield* Effect.andThen(end, Fiber.join(fiber))
    })
  )

  it.effect("leave their place when the client has gone, waiting or running", () =>
    Effect.gen(function* () {
      const running = yield* Effect.replicateEffect(work("gone"), 3)
      const waiting = yield* work("gone")
      yield* Fiber.interrupt(waiting.fiber)
      for (const { fiber } of running) yield* Fiber.interrupt(fiber)
      const next = yield* Effect.replicateEffect(work("gone"), 3)
      for (const { begun, end } of next) yield* Effect.andThen(Deferred.await(begun), end)
    })
  )
})
