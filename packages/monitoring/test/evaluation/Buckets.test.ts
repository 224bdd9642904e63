/** Buckets of response times, for monitors that ran all the time or were paused now and then. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { hourMillis, wholeHours, withinHour } from "../../src/evaluation/Buckets.ts"

const limit = 2000
/** With so many in a window of a few months a chart still looks like what it shows. */
const fewest = 500

const count = (points: ReadonlyArray<number>, width: number): number =>
  new Set(points.map((at) => Math.floor(at / width))).size

/** Points of a monitor that runs for some hours, rests, and runs again. */
const history = fc
  .record({
    beginning: fc.integer({ min: 0, max: hourMillis }),
    intervalSeconds: fc.constantFrom(10, 15, 30, 45, 60, 77, 120, 300, 600),
    runs: fc.array(fc.record({ hours: fc.integer({ min: 2, max: 400 }), rest: fc.integer({ min: 0, max: 1000 }) }), {
      minLength: 1,
      maxLength: 5
    })
  })
  .map(({ beginning, intervalSeconds, runs }) => {
    const points: Array<number> = []
    let at = beginning
    for (const { hours, rest } of runs) {
      const end = at + hours * hourMillis
      for (; at < end; at += intervalSeconds * 1000) points.push(at)
      at += rest * hourMillis
    }
    return points
  })

describe("buckets of response times", () => {
  it("are neither more than the limit nor a few, wherever the points lie in the window", () =>
    fc.assert(
      fc.property(history, (points) => {
        fc.pre(points.length > limit)
        const hours = count(points, hourMillis)
        const width = withinHour(hours, limit)
        if (width === undefined) return assert.isAbove(hours, limit)
        assert.strictEqual(hourMillis % width, 0)
        const buckets = count(points, width)
        assert.isAtMost(buckets, limit)
        assert.isAtLeast(buckets, fewest)
      }),
      { numRuns: 60 }
    ))

  it("spanning whole hours are neither more than the limit nor a few, in any window and with any gaps", () =>
    fc.assert(
      fc.property(
        fc.integer({ min: limit + 1, max: 401 * 24 }).chain((window) =>
          fc.record({
            window: fc.constant(window),
            hours: fc.uniqueArray(fc.integer({ min: 0, max: window - 1 }), { minLength: limit + 1, maxLength: window })
          })
        ),
        ({ hours, window }) => {
          const widths = wholeHours(window * hourMillis, limit)
          assert.deepStrictEqual(
            [...widths].sort((one, other) => one - other),
            widths
          )
          const width = widths.find((width) => count(hours, width) <= limit)
          assert.isDefined(width)
          assert.isAtLeast(count(hours, width!), fewest)
        }
      ),
      { numRuns: 20 }
    ))

  it("are within any limit", () =>
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 5000 }), fc.integer({ min: 0, max: 401 * 24 }), (limit, window) => {
        assert.isAtMost(Math.ceil(window / wholeHours(window * hourMillis, limit).at(-1)!) + 1, limit)
        const width = withinHour(window, limit)
        if (width !== undefined) assert.isAtMost((window * hourMillis) / width, limit)
      })
    ))
})
