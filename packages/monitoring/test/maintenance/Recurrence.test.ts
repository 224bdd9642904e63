import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as Recurrence from "../../src/maintenance/Recurrence.ts"

const hour = 3_600_000
/** A Sunday, 02:00 in Berlin, a week before clocks go back. */
const start = Date.UTC(2026, 9, 18, 0)

const objection = (rule: string, millis = hour, timezone = "Europe/Berlin") =>
  Recurrence.objection({ rule, timezone, start }, millis) ?? "accepted"

const next = (recurrence: Recurrence.Recurrence, after: number) =>
  Result.getOrElse(Recurrence.next(recurrence, after), (why) => why)

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index).join()

describe("Recurrence", () => {
  it("keeps the hour of its time zone over a change of clocks", () => {
    const rule = { rule: "RRULE:FREQ=DAILY", timezone: "Europe/Berlin", start }
    assert.strictEqual(next(rule, Date.UTC(2026, 9, 23, 12)), Date.UTC(2026, 9, 24, 0))
    assert.strictEqual(next(rule, Date.UTC(2026, 9, 25, 12)), Date.UTC(2026, 9, 26, 1))
    assert.strictEqual(next({ ...rule, timezone: "UTC" }, Date.UTC(2026, 9, 25, 12)), Date.UTC(2026, 9, 26, 0))
  })

  it("comes to an end", () => {
    const rule = { rule: "FREQ=WEEKLY;UNTIL=20261101T000000Z", timezone: "UTC", start }
    assert.strictEqual(next(rule, start), start + 7 * 24 * hour)
    assert.isUndefined(next(rule, Date.UTC(2026, 10, 2)))
  })

  it("takes usual rules", () => {
    for (const rule of [
      "FREQ=WEEKLY;BYDAY=SU",
      "RRULE:FREQ=MONTHLY;BYDAY=4SU",
      "FREQ=MONTHLY;BYMONTHDAY=-1;INTERVAL=3",
      "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
      "FREQ=DAILY;BYHOUR=2,14",
      "FREQ=DAILY;COUNT=10",
      "FREQ=DAILY;UNTIL=20271101T000000Z;WKST=MO",
      "freq=yearly",
      "FREQ=YEARLY;INTERVAL=2;BYMONTH=2;BYMONTHDAY=29",
      "FREQ=YEARLY;BYYEARDAY=-1,100;BYDAY=SU",
      "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO",
      "FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;BYMONTH=12"
    ])
      assert.strictEqual(objection(rule), "accepted", rule)
  })

  it("says what is wrong with a rule's text, without evaluating it", () => {
    for (const [rule, words] of [
      ["", "Expected an RRULE"],
      ["every sunday", "Expected an RRULE"],
      ["COUNT=4", "Expected an RRULE"],
      ["FREQ=WEEKLY;BYDAY", "Expected an RRULE"],
      ["FREQ=WEEKLY\nDTSTART:20200101T000000Z", "Expected an RRULE"],
      ["FREQ=SECONDLY", "list their hours in BYHOUR"],
      ["FREQ=MINUTELY;INTERVAL=5", "Expected FREQ to be one of DAILY"],
      ["FREQ=HOURLY", "Expected FREQ to be one of DAILY"],
      ["FREQ=DAILY;BYSECOND=1", "BYSECOND cannot be used"],
      ["FREQ=DAILY;FREQ=WEEKLY", "FREQ occurs twice"],
      ["FREQ=DAILY;INTERVAL=1000000", "INTERVAL is at most 366"],
      ["FREQ=DAILY;COUNT=1000000", "COUNT is at most 10000"],
      [`FREQ=DAILY;BYHOUR=${numbers(24)};BYMINUTE=0,1,2,3,4,5;BYSETPOS=366`, "more than 24 windows a day"],
      [`FREQ=YEARLY;BYMONTHDAY=${numbers(31)};BYMONTH=1,2,3,4;BYDAY=MO,TU,WE,TH`, "more than 400 combinations"]
    ] as const)
      assert.include(Recurrence.textObjection(rule) ?? "accepted", words, rule)
  })

  it("says what is wrong with the windows of a rule, however long it would take to find them", () => {
    for (const [rule, words, millis] of [
      ["FREQ=WEEKLY;BYDAY=XX", "The rule cannot be used"],
      ["FREQ=DAILY;COUNT=1", "no window after"],
      ["FREQ=DAILY;UNTIL=20200101T000000Z", "no window after"],
      // A day that never comes must not be looked for for ever.
      ["FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "no window after"],
      ["FREQ=YEARLY;BYDAY=MO;BYSETPOS=366", "no window after"],
      ["FREQ=DAILY;BYHOUR=1,2", "overlap", 2 * hour],
      ["FREQ=WEEKLY;BYDAY=SA,SU", "overlap", 30 * hour]
    ] as const)
      assert.include(objection(rule, millis), words, rule)
  })

  it("knows time zones", () => {
    assert.isTrue(Recurrence.isTimezone("Europe/Berlin"))
    assert.isFalse(Recurrence.isTimezone("Mars/Olympus"))
    assert.isFalse(Recurrence.isTimezone(""))
  })
})
