import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { duration } from "../../src/status-page/Duration.ts"
import { figure, percent } from "../../src/status-page/Percent.ts"
import { milliseconds } from "../../src/status-page/ResponseTimes.ts"
import { levelOf } from "../../src/status-page/UptimeBar.ts"

describe("figures", () => {
  it("say 100 of what is whole, 0 of what is nothing, and of nothing else", () => {
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

  it("keep the better figure better", () => {
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

describe("durations", () => {
  it.each([
    [0, "0 seconds"],
    [0.4, "less than a second"],
    [1, "1 second"],
    [61, "1 minute 1 second"],
    [3600, "1 hour"],
    [90_061, "1 day 1 hour"],
    [86_460, "1 day"]
  ])("say %d seconds as %s", (seconds, words) => assert.strictEqual(duration(seconds), words))
})

describe("response times", () => {
  it.each([
    [4.23, "4.2\u00a0ms"],
    [181.6, "182\u00a0ms"],
    [999.6, "1.00\u00a0s"],
    [1254, "1.25\u00a0s"]
  ])("say %d as %s", (value, words) => assert.strictEqual(milliseconds(value), words))
})

describe("days", () => {
  it("are good only without any downtime", () => {
    assert.strictEqual(levelOf({ uptime: 100, downtime: 0 }), "good")
    assert.strictEqual(levelOf({ uptime: 99.9999, downtime: 1 }), "minor")
    assert.strictEqual(levelOf({ uptime: 97, downtime: 2592 }), "worse")
    assert.strictEqual(levelOf({ uptime: 0, downtime: 86_400 }), "bad")
    assert.strictEqual(levelOf({ uptime: null, downtime: 0 }), "none")
  })
})
