/** Windows and incidents on the days of a calendar. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  daysOf,
  type Entry,
  movedBy,
  partsOn,
  rangeOf,
  resizedBy,
  snapped,
  turned
} from "../src/features/incidents/calendar.ts"
import { instantOf, wallOf, weekdayOf } from "../src/features/incidents/zone.ts"

const berlin = "Europe/Berlin"
const entry = (start: string, end: string, key = "one"): Entry => ({
  key,
  id: key,
  title: key,
  start: instantOf(start, berlin),
  end: instantOf(end, berlin),
  tone: "maintenance",
  isMovable: true,
  isAhead: false,
  isSeries: false
})
const spans = (entries: ReadonlyArray<Entry>, day: string) =>
  partsOn(entries, day, berlin).map(({ from, lane, lanes, to }) => [from, to, lane, lanes])

describe("the days of a calendar", () => {
  it("are whole weeks from Monday", () => {
    assert.deepStrictEqual(
      [daysOf("2027-03-28", "week").at(0), daysOf("2027-03-28", "week").at(-1)],
      ["2027-03-22", "2027-03-28"]
    )
    fc.assert(
      fc.property(
        fc.date({ min: new Date("2020-01-01"), max: new Date("2040-01-01"), noInvalidDate: true }),
        (date) => {
          const day = date.toISOString().slice(0, 10)
          const month = daysOf(day, "month")
          assert.strictEqual(month.length % 7, 0)
          assert.strictEqual(weekdayOf(month[0]!), 0)
          assert.include(month, day)
          assert.isTrue(new Set(month).size === month.length)
        }
      )
    )
  })

  it("turn by a week or a month", () => {
    assert.strictEqual(turned("2027-03-24", "week", 1), "2027-03-31")
    assert.strictEqual(turned("2027-01-31", "month", -1), "2026-12-01")
    assert.strictEqual(turned("2027-12-31", "month", 1), "2028-01-01")
  })

  it("last 23 and 25 hours when the clocks change", () => {
    const hours = (day: string) => {
      const { from, to } = rangeOf([day], berlin)
      return (to - from) / 3_600_000
    }
    assert.deepStrictEqual([hours("2027-03-28"), hours("2027-10-31"), hours("2027-06-01")], [23, 25, 24])
  })
})

describe("the parts of a day", () => {
  it("split a window at midnight, and leave out the day on which it only ends", () => {
    const night = entry("2027-03-27T22:00", "2027-03-28T06:00")
    assert.deepStrictEqual(spans([night], "2027-03-27"), [[1320, 1440, 0, 1]])
    assert.deepStrictEqual(spans([night], "2027-03-28"), [[0, 360, 0, 1]])
    assert.deepStrictEqual(spans([entry("2027-03-27T22:00", "2027-03-28T00:00")], "2027-03-28"), [])
  })

  it("stand side by side only where they overlap", () => {
    const day = [
      entry("2027-06-01T09:00", "2027-06-01T11:00", "a"),
      entry("2027-06-01T10:00", "2027-06-01T12:00", "b"),
      entry("2027-06-01T13:00", "2027-06-01T14:00", "c")
    ]
    assert.deepStrictEqual(spans(day, "2027-06-01"), [
      [540, 660, 0, 2],
      [600, 720, 1, 2],
      [780, 840, 0, 1]
    ])
  })

  it("are long enough to be hit, also when the clock goes back within them", () => {
    // 02:45 before the clocks are put back, until 02:15 after it: half an hour.
    const start = Date.parse("2027-10-31T00:45Z")
    const short = { ...entry("2027-10-31T02:00", "2027-10-31T02:00"), start, end: start + 1_800_000 }
    assert.deepStrictEqual(spans([short], "2027-10-31"), [[165, 195, 0, 1]])
    assert.deepStrictEqual(spans([entry("2027-06-01T23:55", "2027-06-01T23:59")], "2027-06-01"), [[1410, 1440, 0, 1]])
  })
})

describe("a moved window", () => {
  it("keeps its time on the clock and its length over a change of the clocks", () => {
    const before = entry("2027-03-27T03:00", "2027-03-27T05:00")
    const { end, start } = movedBy(before, 1, 0, berlin)
    assert.deepStrictEqual([wallOf(start, berlin), wallOf(end, berlin)], ["2027-03-28T03:00", "2027-03-28T05:00"])
    const over = movedBy(entry("2027-03-27T01:00", "2027-03-27T04:00"), 1, 0, berlin)
    assert.strictEqual(over.end - over.start, 3 * 3_600_000)
    assert.strictEqual(wallOf(over.end, berlin), "2027-03-28T05:00")
    const autumn = movedBy(entry("2027-10-30T01:00", "2027-10-30T04:00"), 1, 0, berlin)
    assert.strictEqual(wallOf(autumn.end, berlin), "2027-10-31T03:00")
  })

  it("comes back to where it was", () => {
    const window = entry("2027-06-01T03:00", "2027-06-01T05:00")
    const { end, start } = window
    assert.deepStrictEqual(movedBy(movedBy(window, 3, -45, berlin), -3, 45, berlin), { start, end })
  })

  it("stays at least a quarter of an hour long, in steps of one", () => {
    const window = entry("2027-06-01T03:00", "2027-06-01T03:30")
    assert.strictEqual(resizedBy(window, -60).end - window.start, 15 * 60_000)
    assert.strictEqual(resizedBy(window, 15).end - window.start, 45 * 60_000)
    assert.deepStrictEqual([snapped(8), snapped(-8), snapped(22)], [15, -15, 15])
  })
})
