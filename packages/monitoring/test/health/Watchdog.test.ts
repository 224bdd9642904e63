import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { watch } from "../../src/health/Watchdog.ts"

describe("the watchdog", () => {
  it.effect("calls the URL every minute while the installation is healthy, and not otherwise", () =>
    Effect.gen(function* () {
      let well = false
      let told = 0
      let answers = true
      const tell = Effect.suspend(() => (answers ? Effect.succeed(told++) : Effect.fail("away")))
      yield* Effect.forkScoped(
        watch(
          Effect.sync(() => well),
          tell
        )
      )
      yield* TestClock.adjust("3 minutes")
      assert.strictEqual(told, 0)
      well = true
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(told, 1)
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual(told, 11)
      answers = false
      yield* TestClock.adjust("2 minutes")
      answers = true
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(told, 12)
      well = false
      yield* TestClock.adjust("1 minute")
      const before = told
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual(told, before)
    })
  )
})
