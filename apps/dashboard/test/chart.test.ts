/** The values of a chart: on a grid with gaps, cut where a spike would flatten the rest, and out as CSV. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { parseMonitorSearch } from "../src/features/monitor/views.ts"
import { keptSpreadOf, regionsOf, spreadOf } from "../src/features/monitor/responses.ts"
import {
  ceilingOf,
  csvOf,
  gathered,
  gridOf,
  halfOf,
  linesOf,
  nearestOf,
  quantileOf,
  stepOf
} from "../src/ui/chart/series.ts"

const words = { median: "Median", p95: "95th percentile", before: "Median a week before" }
const at = (second: number) => new Date(second * 1000).toISOString()
const result = (second: number, responseTime: number | null, region = "eu-west") => ({
  timestamp: at(second),
  responseTime,
  region
})

describe("the grid of a chart", () => {
  it("covers its span with equal steps, at most so many", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2_000_000_000 }),
        fc.integer({ min: 60, max: 366 * 86_400 }),
        fc.integer({ min: 10, max: 3600 }),
        (from, length, least) => {
          const span = { from, to: from + length }
          const step = stepOf(span, least, 400)
          const grid = gridOf(span, step)
          assert.isAtMost(grid.length, 401)
          assert.isAtMost(grid[0]!, from)
          assert.isAtLeast(grid.at(-1)! + step, span.to)
          assert.isTrue(grid.every((time, index) => time === grid[0]! + index * step))
        }
      )
    )
  })

  it("loses no value that lies in it, and leaves steps without one empty", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 3599 }), { maxLength: 50 }), (seconds) => {
        const grid = gridOf({ from: 0, to: 3600 }, 60)
        const found = gathered(
          seconds.map((second) => ({ at: second, value: second })),
          grid,
          60
        )
        assert.deepStrictEqual(
          found.flat().sort((a, b) => a - b),
          seconds.toSorted((a, b) => a - b)
        )
        for (const [index, values] of found.entries())
          for (const value of values) assert.strictEqual(Math.floor(value / 60), index)
      })
    )
  })

  it("finds the moment that is nearest", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 40 }),
        fc.integer({ min: -10, max: 1010 }),
        (given, wanted) => {
          const times = given.toSorted((a, b) => a - b)
          const distance = Math.abs(times[nearestOf(times, wanted)]! - wanted)
          assert.strictEqual(distance, Math.min(...times.map((time) => Math.abs(time - wanted))))
        }
      )
    )
  })
})

describe("the axis of a chart", () => {
  it("has three round lines, the last of them above the highest value and not far above", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 1e7, noNaN: true }), (highest) => {
        const [one, two, three] = linesOf(highest)
        assert.approximately(two, 2 * one, one * 1e-9)
        assert.isAtLeast(three * (1 + 1e-9), highest)
        assert.isAtMost(three, highest * 1.7)
      })
    )
  })

  it("is cut below a spike, and not where the values only differ", () => {
    const usual = Array.from({ length: 100 }, (_, index) => 80 + (index % 7))
    assert.isUndefined(ceilingOf(usual))
    assert.isUndefined(ceilingOf([...usual, 200]))
    assert.isBelow(ceilingOf([...usual, 9000])!, 200)
    assert.isUndefined(ceilingOf([null, 5, 9000]))
  })

  it("has percentiles by nearest rank", () => {
    assert.strictEqual(quantileOf([5, 1, 3, 2, 4], 0.5), 3)
    assert.strictEqual(quantileOf([5, 1, 3, 2, 4], 0.95), 5)
    assert.isNull(quantileOf([], 0.5))
  })
})

describe("response times", () => {
  const span = { from: 0, to: 3600 }

  it("are gaps where no check answered, also where regions answer at other seconds", () => {
    const points = [10, 70, 130, 1000].flatMap((second) => [
      result(second, 100),
      result(second + 20, 200, "us-east"),
      result(second + 25, null, "us-east")
    ])
    const { lines, times } = spreadOf(points, span, 60, words)
    const median = lines[0]!.values
    assert.lengthOf(median, times.length)
    assert.strictEqual(median.filter((value) => value !== null).length, 3)
    const regions = regionsOf(points, span, 60)
    assert.deepStrictEqual(
      regions.lines.map(({ label, values }) => [label, new Set(values)]),
      [
        ["eu-west", new Set([100, null])],
        ["us-east", new Set([200, null])]
      ]
    )
  })

  it("lie on those of the time before, moved by it", () => {
    const points = [result(600, 100)]
    const earlier = { points: [result(600 - 7 * 86_400, 90)], ago: 7 * 86_400 }
    const [median, , before] = spreadOf(points, span, 60, words, earlier).lines
    assert.strictEqual(before!.values.indexOf(90), median!.values.indexOf(100))
  })

  it("have hours without checks as gaps between kept percentiles", () => {
    const one = (second: number, p50: number) => {
      const responseTime = { checks: 60, p50, p95: p50 * 2 }
      const none = { dns: null, connect: null, tls: null, firstByte: null, download: null }
      return { timestamp: at(second), responseTime, ...none }
    }
    const { timestamp: _, ...overall } = one(0, 1)
    const report = {
      from: at(0),
      to: at(4 * 3600),
      resolution: "hour",
      overall,
      points: [one(0, 10), one(3 * 3600, 30)]
    } as const
    const [median, p95] = keptSpreadOf(report, words).lines
    assert.deepStrictEqual(median!.values, [10, null, null, 30])
    assert.deepStrictEqual(p95!.values, [20, null, null, 60])
  })
})

describe("the values that leave a chart", () => {
  it("are CSV that runs nothing in a spreadsheet", () => {
    const text = csvOf(
      "Time",
      [0, 60],
      [
        { label: '=HYPERLINK("x")', values: [1.5, null] },
        { label: "a,b", values: [0, 2] }
      ]
    )
    assert.strictEqual(
      text,
      'Time,"\'=HYPERLINK(""x"")","a,b"\r\n1970-01-01T00:00:00.000Z,1.5,0\r\n1970-01-01T00:01:00.000Z,,2\r\n'
    )
  })
})

describe("the address of a monitor's page", () => {
  it("holds what the chart shows, and leaves out what it does not know", () => {
    const search = { view: "checks", period: "7d", by: "phase", from: 100.4, to: 200.2, compare: true } as const
    assert.deepStrictEqual(parseMonitorSearch(search), { ...search, from: 100, to: 201 })
    for (const wrong of [{ from: 5, to: 4 }, { from: "1", to: 2 }, { period: "toString" }, { view: "constructor" }])
      assert.deepStrictEqual(parseMonitorSearch(wrong), {})
  })

  it("is what it says when it is read again", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom("view", "period", "by", "from", "to", "compare"), fc.anything()),
        (given) => {
          const once = parseMonitorSearch(given)
          assert.deepStrictEqual(parseMonitorSearch({ ...once }), once)
        }
      )
    )
  })
})

describe("the room beside a chart", () => {
  it("holds half of any label, which stands on the end of the axis", () =>
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 400, noNaN: true })), (widths) => {
        for (const width of widths) assert.isAbove(halfOf(widths), width / 2)
      })
    ))
})
