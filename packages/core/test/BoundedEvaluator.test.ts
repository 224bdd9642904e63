import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import { BoundedEvaluator, EvaluationOwner, EvaluationWait, limitMillis, waitMillis } from "../src/BoundedEvaluator.ts"
import * as Evaluated from "./support/Evaluated.ts"

const evaluate = (
  named: (settings: never, input: never) => unknown,
  settings: object = {},
  input: unknown = new Uint8Array(3)
) =>
  Effect.flatMap(BoundedEvaluator, (evaluator) =>
    evaluator.evaluate({ module: Evaluated.url, function: named as () => unknown, settings, input })
  )

const of = (owner: string) => Effect.provideService(EvaluationOwner, owner)

const reason = <A, E extends { readonly reason: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.result(effect), (result) => (Result.isFailure(result) ? result.failure.reason : "succeeded"))

// The test clock stands still: only CPU time counts, even on a busy machine.
describe("BoundedEvaluator", () => {
  it.effect("calls a module's function with settings and input in another process", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* evaluate(Evaluated.work, {}, new Uint8Array(1 << 20)), 1 << 20)
      const { env, pid } = (yield* evaluate(Evaluated.surroundings)) as { readonly env: object; readonly pid: number }
      assert.notStrictEqual(pid, process.pid)
      // The process gets no environment, which holds secrets; the test run adds its guard (tests/support/loopbackOnly.js).
      const given = Object.keys(env).filter((name) => name !== "NODE_OPTIONS" && !name.startsWith("LOOPBACK_ONLY_"))
      assert.deepStrictEqual(given, [])
    }).pipe(Effect.provide(BoundedEvaluator.layer))
  )

  it.effect("reports an exception as a defect and continues", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(evaluate(Evaluated.throws))
      assert.include(Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "", "It is broken")
      assert.isTrue(Exit.hasDies(yield* Effect.exit(evaluate(function absent() {}))))
      assert.isTrue(Exit.hasDies(yield* Effect.exit(evaluate(Evaluated.work, { cannot: () => "be sent" }))))
      assert.strictEqual(yield* evaluate(Evaluated.work), 3)
    }).pipe(Effect.provide(BoundedEvaluator.layer))
  )

  it.effect.each([Evaluated.never, Evaluated.native, Evaluated.hoard])(
    "ends what uses too much, and continues: %o",
    (hostile) =>
      Effect.gen(function* () {
        const settings = {}
        assert.strictEqual(yield* reason(evaluate(hostile, settings)), "too_expensive")
        assert.strictEqual(yield* reason(evaluate(hostile, settings)), "too_expensive")
        assert.strictEqual(yield* evaluate(Evaluated.work), 3)
      }).pipe(Effect.provide(BoundedEvaluator.layer))
  )

  it.effect("reports unavailable when the process dies, and continues", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* reason(evaluate(Evaluated.exit)), "unavailable")
      assert.strictEqual(yield* evaluate(Evaluated.work), 3)
    }).pipe(Effect.provide(BoundedEvaluator.layer))
  )

  it.effect("gives settings that need longer more time, up to the limit", () =>
    Effect.gen(function* () {
      const settings = { cpu: limitMillis / 2 }
      for (const _turn of [1, 2]) assert.strictEqual(yield* evaluate(Evaluated.work, settings), 3)
    }).pipe(Effect.provide(BoundedEvaluator.layer))
  )

  it.effect("does not block the event loop", () =>
    Effect.gen(function* () {
      const hostile = yield* Effect.forkChild(reason(evaluate(Evaluated.never)))
      let turns = 0
      const turning = setInterval(() => turns++, 5)
      assert.strictEqual(yield* Fiber.join(hostile), "too_expensive")
      clearInterval(turning)
      assert.isAbove(turns, 10)
    }).pipe(Effect.provide(BoundedEvaluator.layer))
  )

  it.effect("keeps a process while there is work, and ends it after an idle minute", () =>
    Effect.gen(function* () {
      const pid = Effect.map(evaluate(Evaluated.surroundings), (found) => (found as { readonly pid: number }).pid)
      const first = yield* pid
      yield* TestClock.adjust(59_000)
      assert.strictEqual(yield* pid, first)
      yield* TestClock.adjust(60_000)
      assert.notStrictEqual(yield* pid, first)
    }).pipe(Effect.provide(BoundedEvaluator.layer))
  )

  it.effect("reports unavailable after too long in the queue", () =>
    Effect.gen(function* () {
      const waiting = yield* Effect.forkChild(
        Effect.forEach(
          Array.from({ length: 20 }, () => ({})),
          (settings) => reason(evaluate(Evaluated.never, settings)),
          { concurrency: "unbounded" }
        )
      )
      yield* Effect.yieldNow
      yield* TestClock.adjust(waitMillis)
      assert.deepStrictEqual(new Set(yield* Fiber.join(waiting)), new Set(["unavailable"]))
      assert.strictEqual(yield* evaluate(Evaluated.work), 3)
    }).pipe(Effect.provide(BoundedEvaluator.layer))
  )

  it.effect("waits longer where it is told to", () =>
    Effect.gen(function* () {
      const waiting = yield* Effect.forkChild(reason(evaluate(Evaluated.never)))
      yield* Effect.yieldNow
      yield* TestClock.adjust(waitMillis)
      assert.strictEqual(yield* Fiber.join(waiting), "too_expensive")
    }).pipe(Effect.provide(BoundedEvaluator.layer), Effect.provideService(EvaluationWait, 2 * waitMillis))
  )

  it.effect("isolates owners from hostile settings of many others", () =>
    Effect.gen(function* () {
      const known = { cpu: 1 }
      const honest = (settings: object) => of("honest")(evaluate(Evaluated.work, settings))
      assert.strictEqual(yield* honest(known), 3)

      let verdicts = 0
      const attack = (index: number) =>
        Effect.gen(function* () {
          const same = {}
          for (;;) {
            // Half of them use new settings each time, as with a PATCH or a trial.
            const said = yield* reason(evaluate(Evaluated.never, index % 2 === 0 ? same : {}))
            if (said === "too_expensive") verdicts++
          }
        }).pipe(of(`hostile ${index % 5}`))
      for (let index = 0; index < 50; index++) yield* Effect.forkChild(attack(index))
      yield* Effect.yieldNow

      for (let turn = 0; turn < 60; turn++) {
        const before = verdicts
        assert.strictEqual(yield* honest(turn % 2 === 0 ? known : { cpu: 1 }), 3)
        // Behind all of them it would be fifty.
        assert.isAtMost(verdicts - before, 2)
      }
    }).pipe(Effect.scoped, Effect.provide(BoundedEvaluator.layer))
  )
})
