import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { duration } from "../src/Duration.ts"
import { figure, percent } from "../src/Percent.ts"
import { milliseconds } from "../src/ResponseTimes.ts"
import { levelOf } from "../src/DayLevel.ts"

describe("an uptime figure", () => {
  it("shows 100 and 0 only for exactly 100 and 0", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 100, noNaN: true }), (value) => {
        const shown = figure(value)
        assert.strictEqual(shown === "100", value >= 100)
        assert.strictEqual(shown === "0", value <= 0)
        assert.isAtMost(Math.abs(Number(shown) - value), 0.1)
      })
    )
    assert.deepStrictEqual([100, 99.9999, 99.98, 87.56, 0.01, 0].map(percent), [
      "100%",
      "99.999%",
      "99.98%",
      "87.5%",
      "0.1%",
      "0%"
    ])
    assert.strictEqual(percent(null), "–")
  })

  it("keeps the order of values", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.1, max: 100, noNaN: true }),
        fc.double({ min: 0.1, max: 100, noNaN: true }),
        (one, other) => {
          if (one <= other) assert.isAtMost(Number(figure(one)), Number(figure(other)))
        }
      )
    )
  })
})

describe("a duration", () => {
  it.each([
    [0, "0 seconds"],
    [0.4, "less than a second"],
    [1, "1 second"],
    [61, "1 minute 1 second"],
    [3600, "1 hour"],
    [90_061, "1 day 1 hour"],
    [86_460, "1 day"]
  ])("formats %d seconds as %s", (seconds, words) => assert.strictEqual(duration(seconds), words))
})

describe("a response time", () => {
  it.each([
    [4.23, "4.2\u00a0ms"],
    [181.6, "182\u00a0ms"],
    [999.6, "1.00\u00a0s"],
    [1254, "1.25\u00a0s"]
  ])("formats %d as %s", (value, words) => assert.strictEqual(milliseconds(value), words))
})

describe("the level of a day", () => {
  it("is good only without downtime", () => {
    assert.strictEqual(levelOf({ uptime: 100, downtime: 0 }), "good")
    assert.strictEqual(levelOf({ uptime: 99.9999, downtime: 1 }), "minor")
    assert.strictEqual(levelOf({ uptime: 97, downtime: 2592 }), "worse")
    assert.strictEqual(levelOf({ uptime: 0, downtime: 86_400 }), "bad")
    assert.strictEqual(levelOf({ uptime: null, downtime: 0 }), "none")
  })

  it("is minor for seconds of downtime, however little of the day is known", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 100, noNaN: true }),
        fc.integer({ min: 1, max: 86_400 }),
        (uptime, downtime) => {
          const level = levelOf({ uptime, downtime })
          if (downtime < 60) assert.strictEqual(level, "minor")
          else assert.strictEqual(level, uptime >= 99 ? "minor" : uptime >= 95 ? "worse" : "bad")
        }
      )
    )
  })
})
