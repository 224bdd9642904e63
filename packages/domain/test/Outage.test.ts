/** The periods of a monitor's past add up to its uptime. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { intervalsOf, outagesOf, sumOf } from "../src/Outage.ts"
import { TimelineStatus } from "../src/Status.ts"
import { measure, overlay, percent, type TimelineEntry } from "../src/Uptime.ts"

const horizon = 1000
const at = fc.integer({ min: 0, max: horizon })
const history = fc
  .array(fc.record({ at, status: fc.constantFrom(...TimelineStatus.literals) }), { maxLength: 12 })
  .map((entries) => entries.toSorted((one, other) => one.at - other.at))
const windows = fc.array(
  fc.tuple(at, at).map(([one, other]) => ({ from: Math.min(one, other), to: Math.max(one, other) })),
  { maxLength: 3 }
)
const timeline: fc.Arbitrary<ReadonlyArray<TimelineEntry>> = fc
  .tuple(history, windows, at)
  .map(([entries, maintenance, knownUntil]) => overlay(entries, knownUntil, maintenance))
const range = fc
  .tuple(at, at)
  .map(([one, other]): readonly [number, number] => [Math.min(one, other), Math.max(one, other)])

describe("the intervals of a window", () => {
  it("cover it without a gap, and add up to its uptime", () => {
    fc.assert(
      fc.property(timeline, range, (entries, [from, to]) => {
        const intervals = intervalsOf(entries, from, to)
        let reached = from
        intervals.forEach((interval, index) => {
          assert.strictEqual(interval.from, reached)
          assert.isAbove(interval.to, interval.from)
          assert.notStrictEqual(interval.status, intervals[index - 1]?.status)
          reached = interval.to
        })
        assert.strictEqual(reached, to)
        assert.deepStrictEqual(sumOf(intervals), measure(entries, from, to))
        assert.strictEqual(percent(sumOf(intervals)), percent(measure(entries, from, to)))
      })
    )
  })

  it("add up however a window is divided", () => {
    fc.assert(
      fc.property(timeline, range, at, (entries, [from, to], middle) => {
        const split = Math.min(Math.max(middle, from), to)
        const halves = [...intervalsOf(entries, from, split), ...intervalsOf(entries, split, to)]
        assert.deepStrictEqual(sumOf(halves), sumOf(intervalsOf(entries, from, to)))
      })
    )
  })
})

describe("the outages of a window", () => {
  it("contain all time that is down or degraded, once, and no other known time", () => {
    fc.assert(
      fc.property(timeline, (entries) => {
        const outages = outagesOf(entries, 0, horizon)
        for (const { from, status, to } of intervalsOf(entries, 0, horizon)) {
          const around = outages.filter(
            ({ endedAt, startedAt }) => startedAt <= from && to <= (endedAt ?? Number.POSITIVE_INFINITY)
          )
          if (status === "down" || status === "degraded")
            assert.deepStrictEqual(
              around.map((outage) => outage.status),
              [status]
            )
          else if (status !== "unknown") assert.deepStrictEqual(around, [])
        }
        outages.forEach(({ startedAt }, index) => {
          const before = outages[index - 1]
          if (before !== undefined) assert.isAtMost(before.endedAt!, startedAt)
        })
      })
    )
  })

  it("begin with the first failing check, and end with the first passing one", () => {
    const entries = [
      { at: 0, status: "up" },
      { at: 10, status: "down" },
      { at: 20, status: "unknown" },
      { at: 25, status: "down" },
      { at: 30, status: "unknown" },
      { at: 40, status: "up" },
      { at: 50, status: "degraded" },
      { at: 60, status: "down" },
      { at: 70, status: "unknown" }
    ] as const
    assert.deepStrictEqual(outagesOf(entries, 0, 100), [
      { startedAt: 10, endedAt: 40, status: "down" },
      { startedAt: 50, endedAt: 60, status: "degraded" },
      { startedAt: 60, endedAt: null, status: "down" }
    ])
    assert.deepStrictEqual(outagesOf(entries, 40, 50), [])
  })
})
