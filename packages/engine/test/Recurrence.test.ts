import { assert, describe, it } from "@effect/vitest"
import * as Recurrence from "../src/maintenance/Recurrence.ts"

const hour = 3_600_000
/** A Sunday, 02:00 in Berlin, a week before clocks go back. */
const start = Date.UTC(2026, 9, 18, 0)

const objection = (rule: string, millis = hour, timezone = "Europe/Berlin") =>
  Recurrence.objection({ rule, timezone, start }, millis)

describe("Recurrence", () => {
  it("keeps the hour of its time zone over a change of clocks", () => {
    const rule = { rule: "RRULE:FREQ=DAILY", timezone: "Europe/Berlin", start }
    assert.strictEqual(Recurrence.next(rule, Date.UTC(2026, 9, 23, 12)), Date.UTC(2026, 9, 24, 0))
    assert.strictEqual(Recurrence.next(rule, Date.UTC(2026, 9, 25, 12)), Date.UTC(2026, 9, 26, 1))
    assert.strictEqual(
      Recurrence.next({ ...rule, timezone: "UTC" }, Date.UTC(2026, 9, 25, 12)),
      Date.UTC(2026, 9, 26, 0)
    )
  })

  it("comes to an end", () => {
    const rule = { rule: "FREQ=WEEKLY;UNTIL=20261101T000000Z", timezone: "UTC", start }
    assert.strictEqual(Recurrence.next(rule, start), start + 7 * 24 * hour)
    assert.isUndefined(Recurrence.next(rule, Date.UTC(2026, 10, 2)))
  })

  it("takes usual rules", () => {
    for (const rule of [
      "FREQ=WEEKLY;BYDAY=SU",
      "RRULE:FREQ=MONTHLY;BYDAY=4SU",
      "FREQ=MONTHLY;BYMONTHDAY=-1;INTERVAL=3",
      "FREQ=DAILY;COUNT=10",
      "freq=yearly"
    ])
      assert.isUndefined(objection(rule), rule)
  })

  it("says what is wrong with others, soon", () => {
    for (const [rule, words] of [
      ["", "Expected an RRULE"],
      ["every sunday", "Expected an RRULE"],
      ["FREQ=WEEKLY\nDTSTART:20200101T000000Z", "Expected an RRULE"],
      ["FREQ=SECONDLY", "Expected FREQ"],
      ["FREQ=MINUTELY;INTERVAL=5", "Expected FREQ"],
      ["FREQ=WEEKLY;BYDAY=XX", "Not a rule"],
      ["FREQ=DAILY;COUNT=1", "no window after"],
      ["FREQ=DAILY;UNTIL=20200101T000000Z", "no window after"]
    ] as const)
      assert.include(objection(rule) ?? "accepted", words, rule)
    // A day that never comes must not be looked for for ever.
    assert.isString(objection("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"))
    assert.include(objection("FREQ=HOURLY", 2 * hour) ?? "accepted", "overlap")
    assert.include(objection("FREQ=WEEKLY;BYDAY=SA,SU", 30 * hour) ?? "accepted", "overlap")
  })

  it("knows time zones", () => {
    assert.isTrue(Recurrence.isTimezone("Europe/Berlin"))
    assert.isFalse(Recurrence.isTimezone("Mars/Olympus"))
    assert.isFalse(Recurrence.isTimezone(""))
  })
})
