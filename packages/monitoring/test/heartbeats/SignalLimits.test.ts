/** Rate limits of heartbeat signals. */
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { SignalLimits } from "../../src/heartbeats/SignalLimits.ts"
import { settings } from "../../../../tests/support/ApiSettingsOf.ts"

const limits = SignalLimits.layer.pipe(
  Layer.provide(settings({ limits: { reads: 1, writes: 1, signIns: 1, signals: 3 } }))
)

const send = (token: string, network: string, known: boolean) =>
  Effect.gen(function* () {
    const { admit, settle } = yield* SignalLimits
    const passed = yield* Effect.result(admit(token, network))
    if (passed._tag === "Failure") return passed.failure.retryAfter
    yield* settle(token, network, Effect.succeed(known))
    return "passed"
  })

it.effect("admits a number of signals per token and minute, from any network", () =>
  Effect.gen(function* () {
    for (const network of ["a", "b", "c"]) assert.strictEqual(yield* send("job", network, true), "passed")
    yield* TestClock.adjust("20 seconds")
    assert.strictEqual(yield* send("job", "d", true), 40)
    assert.strictEqual(yield* send("another", "a", true), "passed")
    yield* TestClock.adjust("40 seconds")
    assert.strictEqual(yield* send("job", "d", true), "passed")
  }).pipe(Effect.provide(limits))
)

it.effect("refuses a network that tries unknown tokens, and still admits known ones from there", () =>
  Effect.gen(function* () {
    assert.strictEqual(yield* send("job", "office", true), "passed")
    for (const token of ["guess 1", "guess 2", "guess 3"])
      assert.strictEqual(yield* send(token, "office", false), "passed")
    assert.strictEqual(yield* send("guess 4", "office", false), 60)
    assert.strictEqual(yield* send("new job", "office", true), 60)
    assert.strictEqual(yield* send("job", "office", true), "passed")
    assert.strictEqual(yield* send("guess 4", "elsewhere", false), "passed")
    yield* TestClock.adjust("1 minute")
    assert.strictEqual(yield* send("new job", "office", true), "passed")
  }).pipe(Effect.provide(limits))
)

it.effect("looks up no more unknown tokens than the limit when signals arrive at the same time", () =>
  Effect.gen(function* () {
    const { admit, settle } = yield* SignalLimits
    let lookedUp = 0
    const one = (token: string, known: boolean) =>
      Effect.gen(function* () {
        yield* admit(token, "office")
        const take = Effect.as(
          Effect.andThen(
            Effect.sync(() => lookedUp++),
            Effect.sleep("1 second")
          ),
          known
        )
        return yield* settle(token, "office", take)
      }).pipe(Effect.result)
    const guesses = yield* Effect.forkChild(
      Effect.forEach(
        Array.from({ length: 40 }, (_, index) => `guess ${index}`),
        (token) => one(token, false),
        {
          concurrency: "unbounded"
        }
      )
    )
    yield* TestClock.adjust("10 seconds")
    const results = yield* Fiber.join(guesses)
    assert.strictEqual(lookedUp, 3)
    assert.lengthOf(
      results.filter(({ _tag }) => _tag === "Failure"),
      37
    )
  }).pipe(Effect.provide(limits))
)

it.effect("loses no signal of jobs that are known, however many arrive at the same time", () =>
  Effect.gen(function* () {
    const { admit, settle } = yield* SignalLimits
    const jobs = Array.from({ length: 40 }, (_, index) => `job ${index}`)
    const one = (token: string) =>
      Effect.andThen(admit(token, "office"), settle(token, "office", Effect.as(Effect.sleep("1 second"), true)))
    const all = yield* Effect.forkChild(Effect.forEach(jobs, one, { concurrency: "unbounded" }))
    yield* TestClock.adjust("20 seconds")
    assert.deepStrictEqual(
      yield* Fiber.join(all),
      jobs.map(() => true)
    )
  }).pipe(Effect.provide(limits))
)

it.effect("counts a signal that is given up no longer", () =>
  Effect.gen(function* () {
    const { settle } = yield* SignalLimits
    for (let index = 0; index < 5; index++) {
      const waiting = yield* Effect.forkChild(settle(`slow ${index}`, "office", Effect.never))
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(waiting)
    }
    assert.isTrue(yield* settle("job", "office", Effect.succeed(true)))
  }).pipe(Effect.provide(limits))
)
