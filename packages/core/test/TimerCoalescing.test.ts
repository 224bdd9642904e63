import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Schedule } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { coalesced, layer, pause, prolonged } from "../src/TimerCoalescing.ts"

const now = fc.integer({ min: 0, max: 2_000_000_000_000 })

describe("coalesced pauses", () => {
  it("end on a beat, at most half a beat from their end", () => {
    fc.assert(
      fc.property(now, fc.integer({ min: 500, max: 86_400_000 }), (at, millis) => {
        const length = coalesced(at, millis)
        assert.strictEqual((at + length) % 500, 0)
        assert.isAtMost(Math.abs(length - millis), 250)
        assert.isAbove(length, 0)
      })
    )
  })

  it("last as long as they are asked to when they are short", () => {
    fc.assert(
      fc.property(now, fc.integer({ min: 0, max: 499 }), (at, millis) =>
        assert.strictEqual(coalesced(at, millis), millis)
      )
    )
  })

  it("follow each other at whole intervals when the work between them takes a while", () => {
    fc.assert(
      fc.property(now, fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 249 }), (at, beats, work) => {
        const begin = at - (at % 500)
        let clock = begin
        for (let round = 0; round < 100; round++) clock += work + coalesced(clock + work, beats * 500)
        assert.strictEqual(clock, begin + 100 * beats * 500)
      })
    )
  })

  it.effect("end a while after the others where they are asked to", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(40)
      const ends: Array<number> = []
      yield* Effect.forkScoped(
        Effect.andThen(
          Effect.sleep("1 second"),
          Effect.map(Clock.currentTimeMillis, (at) => void ends.push(at))
        ).pipe(Effect.repeat({ times: 1 }), Effect.provide(layer(30)))
      )
      yield* Effect.yieldNow
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(ends, [1030, 2030])
    })
  )

  it("ends on the first beat at its end, at most a little before it, for loops of others", () => {
    fc.assert(
      fc.property(now, fc.integer({ min: 500, max: 86_400_000 }), (at, millis) => {
        const length = prolonged(at, millis)
        assert.strictEqual((at + length) % 500, 0)
        assert.isAtLeast(length - millis, -25)
        assert.isBelow(length - millis, 500)
      })
    )
  })

  it.effect("wake a schedule with fixed times once for each of them, whenever it began", () =>
    Effect.gen(function* () {
      for (const start of [60, 100, 260, 430]) {
        yield* TestClock.setTime(start)
        let runs = 0
        const loop = yield* Effect.sync(() => runs++).pipe(
          Effect.repeat(Schedule.fixed("2 seconds")),
          Effect.provide(layer(30)),
          Effect.forkScoped
        )
        yield* Effect.yieldNow
        yield* TestClock.adjust("20 seconds")
        // The first run and the ten times of the schedule, the last of which may come a beat later.
        assert.isAtLeast(runs, 10)
        assert.isAtMost(runs, 11)
        yield* Fiber.interrupt(loop)
      }
    })
  )

  it.effect("end together, whenever they began", () =>
    Effect.gen(function* () {
      const ends: Array<number> = []
      for (const start of [3, 90, 240]) {
        yield* TestClock.setTime(start)
        yield* Effect.forkScoped(
          Effect.andThen(
            pause("1 second"),
            Effect.map(Clock.currentTimeMillis, (at) => void ends.push(at))
          )
        )
        yield* Effect.yieldNow
      }
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(ends, [1000, 1000, 1000])
    })
  )
})
