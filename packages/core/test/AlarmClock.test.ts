import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import * as AlarmClock from "../src/AlarmClock.ts"

describe("AlarmClock", () => {
  it.effect("wakes everyone at their instants, in order, and nobody who called off", () =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const alarms = yield* AlarmClock.make
      const plans = fc.sample(fc.record({ in: fc.integer({ min: 0, max: 10_000 }), stays: fc.boolean() }), {
        numRuns: 5000,
        seed: 7
      })
      const rang: Array<readonly [due: number, at: number]> = []
      for (const plan of plans) {
        const callOff = alarms.at(plan.in, () => void rang.push([plan.in, clock.currentTimeMillisUnsafe()]))
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

  it.effect("takes an earlier alarm while it sleeps towards a later one, and one that is set as another rings", () =>
    Effect.gen(function* () {
      const alarms = yield* AlarmClock.make
      const rang: Array<string> = []
      alarms.at(10_000, () => void rang.push("late"))
      yield* TestClock.adjust(1000)
      const callOff = alarms.at(2000, () => {
        rang.push("early")
        callOff()
        alarms.at(2000, () => void rang.push("at once"))
        alarms.at(3000, () => void rang.push("soon"))
      })
      yield* TestClock.adjust(2000)
      assert.deepStrictEqual(rang, ["early", "at once", "soon"])
      yield* TestClock.adjust(7000)
      assert.strictEqual(rang.at(-1), "late")
    })
  )
})
