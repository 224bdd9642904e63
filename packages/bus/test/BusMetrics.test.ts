/** Messages for operators about dropped bus messages. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger, Metric, References } from "effect"
import { TestClock } from "effect/testing"
import * as BusMetrics from "../src/BusMetrics.ts"

describe("dropped messages", () => {
  it.effect("are logged at once, then once a minute with all of that minute, and are always counted", () => {
    const lines: Array<unknown> = []
    const logger = Logger.make(({ fiber }) => void lines.push(fiber.getRef(References.CurrentLogAnnotations)))
    return Effect.gen(function* () {
      const tell = BusMetrics.teller()
      yield* tell("DROPS", 1, "Advice.")
      for (let second = 0; second < 59; second++) {
        yield* TestClock.adjust("1 second")
        yield* tell("DROPS", 2, "Advice.")
      }
      // Another stream has a line of its own.
      yield* tell("OTHERS", 7, "Advice.")
      yield* TestClock.adjust("1 second")
      yield* tell("DROPS", 3, "Advice.")
      assert.deepStrictEqual(lines, [
        { stream: "DROPS", count: 1 },
        { stream: "OTHERS", count: 7 },
        { stream: "DROPS", count: 59 * 2 + 3 }
      ])
      const { count } = yield* Metric.value(Metric.withAttributes(BusMetrics.missed, { stream: "DROPS" }))
      assert.strictEqual(Number(count), 1 + 59 * 2 + 3)
    }).pipe(Effect.provide(Logger.layer([logger])))
  })
})
