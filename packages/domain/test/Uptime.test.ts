import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { TimelineStatus } from "../src/Status.ts"
import { dayMillis } from "../src/Timestamp.ts"
import { add, daysBetween, measure, none, percent } from "../src/Uptime.ts"

const span = 3 * dayMillis
const timeline = fc
  .array(fc.record({ at: fc.integer({ min: 0, max: span }), status: fc.constantFrom(...TimelineStatus.literals) }), {
    maxLength: 30
  })
  .map((entries) => entries.toSorted((left, right) => left.at - right.at))
const instant = fc.integer({ min: 0, max: span })

describe("measure", () => {
  it("adds up over any split of the window", () => {
    fc.assert(
      fc.property(timeline, instant, instant, instant, (entries, one, two, known) => {
        const middle = Math.min(one, two)
        const end = Math.max(one, two)
        assert.deepStrictEqual(
          add(measure(entries, 0, middle, known), measure(entries, middle, end, known)),
          measure(entries, 0, end, known)
        )
      })
    )
  })

  it("never counts more than the window", () => {
    fc.assert(
      fc.property(timeline, instant, instant, (entries, from, to) => {
        const { down, up } = measure(entries, from, to)
        assert.isAtMost(up + down, Math.max(0, to - from))
        assert.isAtLeast(Math.min(up, down), 0)
      })
    )
  })

  it("leaves paused, pending, maintenance and unknown time out, and counts degraded as up", () => {
    const entries = [
      { at: 0, status: "pending" },
      { at: 10, status: "up" },
      { at: 20, status: "degraded" },
      { at: 30, status: "down" },
      { at: 40, status: "unknown" },
      { at: 50, status: "maintenance" },
      { at: 60, status: "paused" }
    ] as const
    assert.deepStrictEqual(measure(entries, 0, 100), { up: 20, down: 10 })
  })

  it("knows nothing after the last vote has become stale", () => {
    assert.deepStrictEqual(measure([{ at: 0, status: "up" }], 0, 100, 40), { up: 40, down: 0 })
  })

  it("splits a window into its days without gap or overlap", () => {
    fc.assert(
      fc.property(instant, instant, (one, two) => {
        const [from, to] = [Math.min(one, two), Math.max(one, two)]
        const days = daysBetween(from, to)
        assert.strictEqual(
          days.reduce((sum, day) => sum + day.to - day.from, 0),
          to - from
        )
        assert.strictEqual(new Set(days.map(({ day }) => day)).size, days.length)
      })
    )
  })
})

describe("percent", () => {
  it("is null where nothing was known", () => assert.isNull(percent(none)))

  it("never rounds an outage away, nor some up-time", () => {
    assert.isBelow(percent({ up: 30 * dayMillis, down: 1 })!, 100)
    assert.isAbove(percent({ up: 1, down: 30 * dayMillis })!, 0)
    assert.strictEqual(percent({ up: 3, down: 1 }), 75)
  })
})
