import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { zoneOf } from "../src/LocalTime.ts"
import { first, next } from "../src/Recurrence.ts"
import { parse } from "../src/RecurrenceRule.ts"

const rule = (text: string) => Result.getOrThrowWith(parse(text), (problem) => new Error(`${text}: ${problem}`))
const series = (text: string, timezone: string, start: string) => ({
  rule: rule(text),
  zone: zoneOf(timezone)!,
  start: Date.parse(start)
})
const beginnings = (text: string, timezone: string, start: string, count: number) =>
  first(series(text, timezone, start), count).map((at) => new Date(at).toISOString().slice(0, 16))
const days = (text: string, start: string, count: number) =>
  beginnings(text, "UTC", start, count).map((at) => at.slice(0, 10))

describe("a recurring window", () => {
  it("begins on the days of its rule", () => {
    // Examples of RFC 5545, §3.8.5.3.
    const start = "1997-09-02T09:00:00Z"
    assert.deepStrictEqual(days("FREQ=DAILY;INTERVAL=10;COUNT=3", start, 9), ["1997-09-02", "1997-09-12", "1997-09-22"])
    assert.deepStrictEqual(days("FREQ=WEEKLY;UNTIL=19970914T000000Z", start, 9), ["1997-09-02", "1997-09-09"])
    assert.deepStrictEqual(days("FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "1997-08-05T09:00:00Z", 9), [
      "1997-08-05",
      "1997-08-10",
      "1997-08-19",
      "1997-08-24"
    ])
    assert.deepStrictEqual(days("FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "1997-08-05T09:00:00Z", 9), [
      "1997-08-05",
      "1997-08-17",
      "1997-08-19",
      "1997-08-31"
    ])
    assert.deepStrictEqual(days("FREQ=MONTHLY;COUNT=3;BYDAY=1FR", "1997-09-05T09:00:00Z", 9), [
      "1997-09-05",
      "1997-10-03",
      "1997-11-07"
    ])
    assert.deepStrictEqual(days("FREQ=MONTHLY;BYMONTHDAY=-3", "1997-09-28T09:00:00Z", 3), [
      "1997-09-28",
      "1997-10-29",
      "1997-11-28"
    ])
    assert.deepStrictEqual(days("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", start, 3), [
      "1998-02-13",
      "1998-03-13",
      "1998-11-13"
    ])
    assert.deepStrictEqual(days("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2", "1997-09-29T09:00:00Z", 3), [
      "1997-09-29",
      "1997-10-30",
      "1997-11-27"
    ])
    assert.deepStrictEqual(days("FREQ=YEARLY;INTERVAL=3;COUNT=4;BYYEARDAY=1,100,200", "1997-01-01T09:00:00Z", 9), [
      "1997-01-01",
      "1997-04-10",
      "1997-07-19",
      "2000-01-01"
    ])
    assert.deepStrictEqual(days("FREQ=YEARLY;BYDAY=20MO", "1997-05-19T09:00:00Z", 3), [
      "1997-05-19",
      "1998-05-18",
      "1999-05-17"
    ])
    assert.deepStrictEqual(days("FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", "1997-05-12T09:00:00Z", 3), [
      "1997-05-12",
      "1998-05-11",
      "1999-05-17"
    ])
    assert.deepStrictEqual(
      days("FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8", "1996-11-05T09:00:00Z", 3),
      ["1996-11-05", "2000-11-07", "2004-11-02"]
    )
    assert.deepStrictEqual(days("FREQ=YEARLY", "2024-02-29T09:00:00Z", 3), ["2024-02-29", "2028-02-29", "2032-02-29"])
  })

  it("counts where a change of clocks skips its time, later by as much, and is the first of a repeated one", () => {
    for (const [timezone, start, found] of [
      ["Europe/Berlin", "2026-03-28T01:30:00Z", ["2026-03-28T01:30", "2026-03-29T01:30", "2026-03-30T00:30"]],
      ["America/New_York", "2026-03-07T07:30:00Z", ["2026-03-07T07:30", "2026-03-08T07:30", "2026-03-09T06:30"]],
      ["Australia/Lord_Howe", "2026-10-02T15:45:00Z", ["2026-10-02T15:45", "2026-10-03T15:45", "2026-10-04T15:15"]],
      ["America/Santiago", "2026-09-05T04:30:00Z", ["2026-09-05T04:30", "2026-09-06T04:30", "2026-09-07T03:30"]],
      ["Europe/Berlin", "2026-10-24T00:30:00Z", ["2026-10-24T00:30", "2026-10-25T00:30", "2026-10-26T01:30"]],
      ["America/New_York", "2026-10-31T05:30:00Z", ["2026-10-31T05:30", "2026-11-01T05:30", "2026-11-02T06:30"]],
      ["Australia/Lord_Howe", "2026-04-03T14:45:00Z", ["2026-04-03T14:45", "2026-04-04T14:45", "2026-04-05T15:15"]],
      ["America/Santiago", "2026-04-04T02:30:00Z", ["2026-04-04T02:30", "2026-04-05T02:30", "2026-04-06T03:30"]]
    ] as const)
      assert.deepStrictEqual(beginnings("FREQ=DAILY", timezone, start, 3), [...found], `${timezone} ${start}`)
    const sundays = series("FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU", "Europe/Berlin", "2025-03-30T01:30:00Z")
    assert.strictEqual(next(sundays, sundays.start), Date.parse("2026-03-29T01:30:00Z"))
  })

  it("is found from any instant as it is found from the beginning", () => {
    const text = fc.constantFrom(
      "FREQ=DAILY;INTERVAL=3",
      "FREQ=DAILY;BYHOUR=2,14;BYMINUTE=0,30",
      "FREQ=DAILY;COUNT=17;BYDAY=MO,WE",
      "FREQ=WEEKLY;INTERVAL=3;BYDAY=SU,TH",
      "FREQ=MONTHLY;BYDAY=2TU,-1FR",
      "FREQ=MONTHLY;INTERVAL=5;BYMONTHDAY=31",
      "FREQ=YEARLY;BYMONTH=3,10;BYDAY=-1SU;BYHOUR=2",
      "FREQ=YEARLY;BYWEEKNO=1,53;UNTIL=20350101T000000Z",
      "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1,-1"
    )
    const timezone = fc.constantFrom(
      "Europe/Berlin",
      "America/New_York",
      "Australia/Lord_Howe",
      "America/Santiago",
      "UTC"
    )
    const start = fc.integer({ min: Date.parse("2025-01-01"), max: Date.parse("2027-01-01") })
    fc.assert(
      fc.property(text, timezone, start, fc.nat(400 * 86_400_000), (of, zone, begin, later) => {
        const asked = series(of, zone, new Date(begin).toISOString())
        const all = first(asked, 1000).filter((at) => at < begin + 900 * 86_400_000)
        assert.deepStrictEqual(
          all,
          all.toSorted((one, other) => one - other)
        )
        const expected = all.find((at) => at > begin + later)
        const found = next(asked, begin + later)
        if (expected !== undefined || all.length < 1000) assert.strictEqual(found, expected ?? found)
        if (found !== undefined) assert.isAbove(found, begin + later)
      }),
      { numRuns: 100 }
    )
  })

  it("is looked for in a bounded number of days", () => {
    for (const never of [
      "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
      "FREQ=YEARLY;BYDAY=MO;BYSETPOS=366",
      "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31",
      "FREQ=YEARLY;INTERVAL=366;BYWEEKNO=53;BYMONTH=6",
      "FREQ=MONTHLY;BYDAY=6MO;COUNT=10000",
      `FREQ=DAILY;BYHOUR=${[...Array(24).keys()].join()};BYMINUTE=0,1,2,3,4,5;BYSETPOS=366`
    ]) {
      const asked = series(never, "Europe/Berlin", "2026-11-20T09:00:00Z")
      assert.deepStrictEqual(first(asked, 60), [], never)
      assert.isUndefined(next(asked, asked.start), never)
    }
    // Leap days that are Sundays: rare, and not never.
    const rare = series("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=SU", "UTC", "2032-02-29T09:00:00Z")
    assert.strictEqual(next(rare, Date.parse("2089-01-01T00:00:00Z")), Date.parse("2128-02-29T09:00:00Z"))
  })

  it("reads or refuses any text", () => {
    for (const text of ["", "FREQ=HOURLY", "FREQ=DAILY;BYDAY=1MO", "FREQ=WEEKLY;BYDAY=XX", "FREQ=DAILY;UNTIL=soon"])
      assert.isTrue(Result.isFailure(parse(text)), text)
    fc.assert(fc.property(fc.string({ maxLength: 700 }), (text) => void parse(text)))
    fc.assert(fc.property(fc.stringMatching(/^FREQ=DAILY;[A-Z]{4,8}=[0-9,+-]{1,8}$/), (text) => void parse(text)))
  })
})
