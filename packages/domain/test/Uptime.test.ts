import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { TimelineStatus } from "../src/Status.ts"
import { dayMillis } from "../src/Timestamp.ts"
import { add, daysBetween, measure, none, outages, overlay, percent } from "../src/Uptime.ts"

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
        const line = overlay(entries, known)
        assert.deepStrictEqual(add(measure(line, 0, middle), measure(line, middle, end)), measure(line, 0, end))
      })
    )
  })

  it("never exceeds the window", () => {
    fc.assert(
      fc.property(timeline, instant, instant, (entries, from, to) => {
        const { down, up } = measure(entries, from, to)
        assert.isAtMost(up + down, Math.max(0, to - from))
        assert.isAtLeast(Math.min(up, down), 0)
      })
    )
  })

  it("leaves out paused, pending, maintenance and unknown time, and counts degraded as up", () => {
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

  it("is unknown after the last vote has become stale", () => {
    assert.deepStrictEqual(measure(overlay([{ at: 0, status: "up" }], 40), 0, 100), { up: 40, down: 0 })
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

const windows = fc.array(
  fc.tuple(instant, instant).map(([one, two]) => ({ from: Math.min(one, two), to: Math.max(one, two) })),
  { maxLength: 8 }
)

/** The status at an instant. */
const statusAt = (entries: ReadonlyArray<{ at: number; status: string }>, at: number): string | undefined =>
  entries.findLast((entry) => entry.at <= at)?.status

describe("overlay", () => {
  it("is maintenance within windows, unknown after the known part, and unchanged elsewhere", () => {
    fc.assert(
      fc.property(timeline, windows, instant, instant, (entries, closed, known, at) => {
        const line = overlay(entries, known, closed)
        const last = entries.at(-1)
        const within =
          last !== undefined && at >= entries[0]!.at && closed.some(({ from, to }) => at >= from && at < to)
        const over = last !== undefined && at >= Math.max(last.at, known)
        assert.strictEqual(statusAt(line, at), within ? "maintenance" : over ? "unknown" : statusAt(entries, at))
      })
    )
  })

  it("keeps the order of time for any order of windows", () => {
    fc.assert(
      fc.property(timeline, windows, (entries, closed) => {
        const line = overlay(entries, undefined, closed)
        assert.deepStrictEqual(
          line,
          line.toSorted((one, other) => one.at - other.at)
        )
        assert.deepStrictEqual(overlay(entries, undefined, closed.toReversed()), line)
      })
    )
  })

  it("excludes a window from up and down", () => {
    const line = overlay(
      [
        { at: 0, status: "up" },
        { at: 40, status: "down" },
        { at: 80, status: "up" }
      ],
      undefined,
      [
        { from: 30, to: 50 },
        { from: 45, to: 70 }
      ]
    )
    assert.deepStrictEqual(measure(line, 0, 100), { up: 50, down: 10 })
  })
})

describe("outages", () => {
  it("add up to the measured down-time", () => {
    fc.assert(
      fc.property(timeline, windows, instant, (entries, closed, known) => {
        const line = overlay(entries, known, closed)
        const long = outages(line, 0, span).reduce(
          (sum, { endedAt, startedAt }) => sum + Math.min(endedAt ?? span, span) - startedAt,
          0
        )
        assert.strictEqual(long, measure(line, 0, span).down)
      })
    )
  })

  it("merges entries that differ only in reason, and does not clip outages", () => {
    const line = [
      { at: 10, status: "down" },
      { at: 20, status: "down" },
      { at: 30, status: "up" },
      { at: 90, status: "down" }
    ] as const
    assert.deepStrictEqual(outages(line, 25, 100), [
      { startedAt: 10, endedAt: 30 },
      { startedAt: 90, endedAt: null }
    ])
  })
})

describe("percent", () => {
  it("is null without data", () => assert.isNull(percent(none)))

  it("never rounds an outage to 100, nor some up-time to 0", () => {
    assert.isBelow(percent({ up: 30 * dayMillis, down: 1 })!, 100)
    assert.isAbove(percent({ up: 1, down: 30 * dayMillis })!, 0)
    assert.strictEqual(percent({ up: 3, down: 1 }), 75)
  })
})
