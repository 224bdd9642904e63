import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { nextDay, parse } from "../src/CronExpression.ts"
import { next } from "../src/CronSchedule.ts"
import { zoneOf } from "../src/LocalTime.ts"
import * as Crond from "./Crond.ts"

const expression = (text: string) => Result.getOrThrowWith(parse(text), (problem) => new Error(`${text}: ${problem}`))
const refusal = (text: string) =>
  Result.match(parse(text), { onFailure: (problem) => problem, onSuccess: () => undefined })
const minute = (text: string): number => Date.parse(text) / 60_000

/** The minutes of `[from, to)` in which a job runs. */
const runs = (text: string, timezone: string, from: number, to: number): ReadonlyArray<number> => {
  const parsed = expression(text)
  const zone = zoneOf(timezone)!
  const found: Array<number> = []
  let at = from * 60_000 - 1
  for (;;) {
    const run = next(parsed, zone, at)
    if (run === null || run >= to * 60_000) return found
    // As `isAbove` does, which builds more than it compares: there are millions of runs.
    if (run <= at) assert.fail(`${text} runs at ${run} after ${at}`)
    found.push(run / 60_000)
    at = run
  }
}
const times = (text: string, timezone: string, from: string, to: string) =>
  runs(text, timezone, minute(from), minute(to)).map((each) => new Date(each * 60_000).toISOString().slice(5, 16))

const fiveZones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "UTC"]

const expressions = [
  "* * */2 * 4",
  "*/100 3 * * 1",
  "30 1-3 * * *",
  "*/30 1-3 * * *",
  "30 * * * *",
  "*/7 * * * *",
  "0 0 * * *",
  "15 0 1 * *",
  "59 23 * * sun",
  "0 2 13 * 5",
  "0 2 */13 * 5",
  "5,35 2 1-7 * */7",
  "45 2 29-31 feb-apr,OCT *",
  "10 1,2,3 * 3,4,9,10,11 0,7",
  "0 12 1 1 *",
  "0 0 29 2 *",
  "0-59/20 0-3 *,1 * 1-5"
]

/** A field as people write it. */
const field = (low: number, high: number): fc.Arbitrary<string> => {
  const value = fc.integer({ min: low, max: high })
  const range = fc.tuple(value, value).map(([one, other]) => `${Math.min(one, other)}-${Math.max(one, other)}`)
  const step = fc.integer({ min: 1, max: high + 5 })
  const stepped = fc.tuple(fc.oneof(fc.constant("*"), range), step).map(([of, by]) => `${of}/${by}`)
  const part = fc.oneof(fc.constant("*"), value.map(String), range, stepped)
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant("*") },
    { weight: 3, arbitrary: part },
    fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(","))
  )
}
const anyExpression = fc
  .tuple(field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 7))
  .map((all) => all.join(" "))

describe("a cron expression", () => {
  for (const timezone of fiveZones) {
    const from = minute("2026-01-01T00:00:00Z")
    const to = minute("2027-01-01T00:00:00Z")
    // These zones change their clocks at a half or a full hour.
    const clocks = Crond.offsets(timezone, from, to, 30)

    it(`runs in the minutes of a year in which crond runs it, in ${timezone}`, () => {
      for (const text of expressions)
        assert.deepStrictEqual(runs(text, timezone, from + 1, to), Crond.runs(text, clocks, from), text)
    })

    it(`runs exactly when crond runs it, for any fields, in ${timezone}`, () => {
      const changes = clocks.flatMap((offset, index) => (index > 0 && offset !== clocks[index - 1] ? [index] : []))
      const middle = fc.oneof(
        fc.constantFrom(...(changes.length === 0 ? [200_000] : changes)),
        fc.integer({ min: 4000, max: clocks.length - 4000 })
      )
      fc.assert(
        fc.property(anyExpression, middle, (text, index) => {
          const [first, last] = [index - 2200, index + 2200]
          assert.deepStrictEqual(
            runs(text, timezone, from + first + 1, from + last),
            Crond.runs(text, clocks.slice(first, last), from + first)
          )
        }),
        { numRuns: 60 }
      )
    })
  }

  it("agrees with crond in zones that change their clocks at midnight, across it, by a whole day, or more than once a season", () => {
    const days: ReadonlyArray<readonly [string, string]> = [
      ["America/Havana", "2026-03-08"],
      ["Asia/Beirut", "2026-03-29"],
      ["Asia/Beirut", "2026-10-25"],
      ["America/Scoresbysund", "2026-10-25"],
      ["America/St_Johns", "2010-11-07"],
      ["America/St_Johns", "2010-03-14"],
      ["Pacific/Apia", "2011-12-30"],
      ["Pacific/Apia", "2011-12-31"],
      ["Africa/Casablanca", "2026-03-22"],
      ["Antarctica/Troll", "2026-03-29"],
      ["Antarctica/Troll", "2026-10-25"],
      ["Africa/Cairo", "2026-10-29"]
    ]
    for (const [timezone, day] of days) {
      const from = minute(`${day}T00:00:00Z`) - 2 * 1440
      const to = from + 5 * 1440
      const clocks = Crond.offsets(timezone, from, to)
      for (const text of [...expressions, "30 23 * * *", "30 0 * * *", "0 * * * sat", "1 0 * * 0", "0 0-23 * * *"])
        assert.deepStrictEqual(
          runs(text, timezone, from + 1, to),
          Crond.runs(text, clocks, from),
          `${text} ${timezone}`
        )
    }
  })

  it("joins day of month and weekday with AND when either begins with *, and with OR otherwise", () => {
    // November 2026: Thursdays are 5, 12, 19 and 26; the odd ones among them are 5 and 19.
    const of = (text: string) =>
      times(text, "UTC", "2026-11-01T00:00:00Z", "2026-12-01T00:00:00Z").map((at) => at.slice(3, 5))
    assert.deepStrictEqual(of("0 0 */2 * 4"), ["05", "19"])
    assert.deepStrictEqual(of("0 0 */14 * 4,0"), ["01", "15", "29"])
    assert.deepStrictEqual(of("0 0 6 * 4"), ["05", "06", "12", "19", "26"])
    assert.deepStrictEqual(of("0 0 6 * */4"), [])
    assert.deepStrictEqual(of("0 0 1-31/10 * 4"), ["01", "05", "11", "12", "19", "21", "26"])
  })

  it("takes a step larger than the field for its first value", () => {
    assert.deepStrictEqual(times("*/100 3 * * 1", "UTC", "2026-11-01T00:00:00Z", "2026-11-12T00:00:00Z"), [
      "11-02T03:00",
      "11-09T03:00"
    ])
  })

  it("runs a fixed time once where it is repeated, and at the end of the gap where it is skipped", () => {
    const autumn = ["2026-10-24T22:00:00Z", "2026-10-25T03:00:00Z"] as const
    const spring = ["2026-03-28T23:00:00Z", "2026-03-29T03:00:00Z"] as const
    assert.deepStrictEqual(times("30 1-3 * * *", "Europe/Berlin", ...autumn), [
      "10-24T23:30",
      "10-25T00:30",
      "10-25T02:30"
    ])
    assert.deepStrictEqual(times("30 1-3 * * *", "Europe/Berlin", ...spring), [
      "03-29T00:30",
      "03-29T01:00",
      "03-29T01:30"
    ])
    // By the clock on the wall, which shows 02:30 twice in autumn and not at all in spring.
    assert.deepStrictEqual(times("30 * * * *", "Europe/Berlin", ...autumn).length, 5)
    assert.deepStrictEqual(times("30 * * * *", "Europe/Berlin", ...spring).length, 4)
  })

  it("finds rare days, and that there is none, in few steps", () => {
    const rare = expression("0 0 29 2 */7")
    assert.strictEqual(
      next(rare, zoneOf("UTC")!, Date.parse("2073-01-01T00:00:00Z")),
      Date.parse("2088-02-29T00:00:00Z")
    )
    for (const never of ["0 0 30 2 *", "0 0 31 2,4,6,9,11 *", "0 0 31 4 */2"])
      assert.isUndefined(nextDay(expression(never), 20_000), never)
  })

  it("reads names, lists, steps and nicknames, in any case", () => {
    assert.deepStrictEqual(expression("0 0 * JAN-mar Sun,wed"), expression("0 0 * 1,2,3 7,3"))
    assert.deepStrictEqual(expression(" 00\t7  * * 0-7/7 "), expression("0 7 * * 7"))
    assert.deepStrictEqual(expression("@weekly"), expression("0 0 * * 0"))
  })

  it("refuses what cron refuses, and what cron skips without a word, naming the field", () => {
    assert.include(refusal("5/15 * * * *"), "write 5-59/15")
    assert.include(refusal("0 0 * * MON#2"), "weekday")
    assert.include(refusal("0 0 L * *"), "day of month")
    assert.include(refusal("0 0 15W * *"), "day of month")
    assert.include(refusal("0 0 * * fri-mon"), "backwards")
    assert.include(refusal("61 * * * *"), "between 0 and 59")
    assert.include(refusal("0 0 0 * *"), "between 1 and 31")
    assert.include(refusal("*/0 * * * *"), "step")
    assert.include(refusal("* * * *"), "and not 4")
    assert.include(refusal("0 0 0 * * *"), "and not 6")
    assert.include(refusal("@reboot"), "@daily")
    for (const text of [
      "",
      "whenever",
      "1-2-3 * * * *",
      "1,,2 * * * *",
      "-1 * * * *",
      "* * * * +1",
      "*5 * * * *",
      "? * * * *"
    ])
      assert.isString(refusal(text), text)
    assert.isString(refusal(`${"1,".repeat(150)}1 * * * *`))
  })

  it("reads or refuses any text", () => {
    fc.assert(fc.property(fc.string({ maxLength: 250 }), (text) => void parse(text)))
    fc.assert(fc.property(fc.stringMatching(/^[0-9*/,a-z -]{1,60}$/), (text) => void parse(text)))
  })
})
