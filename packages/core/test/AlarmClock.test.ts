import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import * as AlarmClock from "../src/AlarmClock.ts"

describe("AlarmClock", () => {
  it.effect("wakes callers at their instants, in order, and skips cancelled alarms", () =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const alarms = yield* AlarmClock.make
      const plans = fc.sample(fc.record({ in: fc.integer({ min: 0, max: 10_000 }), stays: fc.boolean() }), {
        numRuns: 5000,
        seed: 7
      })
      const rang: Array<readonly [due: number, at: number]> = []
      for (const plan of plans) {
        const callOff = alarms.after(plan.in, () => void rang.push([plan.in, clock.currentTimeMillisUnsafe()]))
        if (!plan.stays) callOff()
      }
      yield* TestClock.adjust(20_000)
      assert.strictEqual(rang.length, plans.filter(({ stays }) => stays).length)
      rang.forEach(([due, at], index) => {
        assert.strictEqual(at, due)
        assert.isAtLeast(due, rang[index - 1]?.[0] ?? 0)
      })
    })
  )

  it.effect("accepts an earlier alarm while it sleeps, and one that is set while another fires", () =>
    Effect.gen(function* () {
      const alarms = yield* AlarmClock.make
      const rang: Array<string> = []
      alarms.after(10_000, () => void rang.push("late"))
      yield* TestClock.adjust(1000)
      const callOff = alarms.after(1000, () => {
        rang.push("early")
        callOff()
        alarms.after(0, () => void rang.push("at once"))
        alarms.after(1000, () => void rang.push("soon"))
      })
      yield* TestClock.adjust(2000)
      assert.deepStrictEqual(rang, ["early", "at once", "soon"])
      yield* TestClock.adjust(7000)
      assert.strictEqual(rang.at(-1), "late")
    })
  )

  it.effect("wakes the others when one throws", () =>
    Effect.gen(function* () {
      const alarms = yield* AlarmClock.make
      const rang: Array<string> = []
      alarms.after(1000, () => assert.fail("thrown while waking"))
      alarms.after(1000, () => void rang.push("at the same time"))
      alarms.after(2000, () => void rang.push("later"))
      yield* TestClock.adjust(3000)
      assert.deepStrictEqual(rang, ["at the same time", "later"])
    })
  )

  it.effect("measures delays by a clock that cannot be set", () =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      let ahead = 0
      const settable: Clock.Clock = Object.assign(Object.create(clock) as Clock.Clock, {
        currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + ahead
      })
      const rang: Array<number> = []
      const alarms = yield* Effect.provideService(AlarmClock.make, Clock.Clock, settable)
      for (const jump of [-3_600_000, 3_600_000]) {
        alarms.after(1000, () => void rang.push(jump))
        ahead = jump
        yield* TestClock.adjust(999)
        assert.notInclude(rang, jump)
        yield* TestClock.adjust(1)
        assert.include(rang, jump)
      }
    })
  )
})
