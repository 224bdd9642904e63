/** Maintenance windows on the clock of their time zone, and their recurrence as a rule and in words. */
import { assert, describe, it } from "@effect/vitest"
import { setupI18n } from "@lingui/core"
import { compileMessage } from "@lingui/message-utils/compileMessage"
import * as FastCheck from "fast-check"
import { zoneOf } from "@kanmon/domain/LocalTime"
import { first } from "@kanmon/domain/Recurrence"
import * as RecurrenceRule from "@kanmon/domain/RecurrenceRule"
import { Result } from "effect"
import { beginnings, type Recurrence, recurrenceOf, ruleOf, weekly } from "../src/features/incidents/recurrence.ts"
import { describeRecurrence, type Language } from "../src/features/incidents/recurrenceWords.ts"
import { begun, newDraft } from "../src/features/incidents/windowDraft.ts"
import { dayMillis, dayOf, instantOf, isZone, shifted, wallOf, weekdayOf } from "../src/features/incidents/zone.ts"
import german from "../src/locales/de.ts"

const berlin = "Europe/Berlin"
const iso = (at: number): string => new Date(at).toISOString()

const languageOf = (locale: "en" | "de"): Language => {
  const texts = Object.entries(german).map(([text, own]) => [text, compileMessage(locale === "de" ? own : text)])
  const i18n = setupI18n({ locale, messages: { [locale]: Object.fromEntries(texts) } })
  return { say: (text, values) => i18n._(text, values), locale: locale === "en" ? "en-GB" : "de-DE" }
}
const [english, deutsch] = [languageOf("en"), languageOf("de")]

describe("the clock of a time zone", () => {
  it("puts a skipped time as much later as the clocks are put forward", () => {
    assert.strictEqual(iso(instantOf("2027-03-28T01:59", berlin)), "2027-03-28T00:59:00.000Z")
    assert.strictEqual(iso(instantOf("2027-03-28T02:30", berlin)), "2027-03-28T01:30:00.000Z")
    assert.strictEqual(wallOf(instantOf("2027-03-28T02:30", berlin), berlin), "2027-03-28T03:30")
    assert.strictEqual(iso(instantOf("2027-03-28T03:00", berlin)), "2027-03-28T01:00:00.000Z")
  })

  it("takes the first of two equal times when the clocks are put back", () => {
    assert.strictEqual(iso(instantOf("2027-10-31T02:30", berlin)), "2027-10-31T00:30:00.000Z")
    assert.strictEqual(wallOf(Date.parse("2027-10-31T01:30Z"), berlin), "2027-10-31T02:30")
    assert.strictEqual(iso(instantOf("2027-10-31T03:00", berlin)), "2027-10-31T02:00:00.000Z")
  })

  it("reads back every time and every instant, but those that clocks skip or repeat", () => {
    const zones = [berlin, "UTC", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia"]
    FastCheck.assert(
      FastCheck.property(
        FastCheck.constantFrom(...zones),
        FastCheck.integer({ min: Date.UTC(2024, 0, 1) / 60_000, max: Date.UTC(2031, 0, 1) / 60_000 }),
        (zone, minutes) => {
          const at = minutes * 60_000
          const wall = iso(at).slice(0, 16)
          const skipped = Date.parse(`${wallOf(instantOf(wall, zone), zone)}Z`) - at
          assert.include([0, 1_800_000, 3_600_000], skipped)
          const repeated = at - instantOf(wallOf(at, zone), zone)
          assert.include([0, 1_800_000, 3_600_000], repeated)
        }
      )
    )
  })

  it("knows which zones there are", () => {
    assert.deepStrictEqual([isZone(berlin), isZone("Europe/Nowhere")], [true, false])
  })

  it("moves a time over months and years", () => {
    assert.strictEqual(shifted("2027-12-31T23:30", 0, 45), "2028-01-01T00:15")
    assert.strictEqual(shifted("2028-03-01T00:15", -1), "2028-02-29T00:15")
  })
})

const start = instantOf("2026-11-29T03:00", berlin)
const anyRecurrence = FastCheck.record({
  every: FastCheck.constantFrom("day", "week", "month", "year"),
  interval: FastCheck.integer({ min: 1, max: 12 }),
  days: FastCheck.uniqueArray(FastCheck.integer({ min: 0, max: 6 }), { minLength: 1 }).map((days) =>
    days.toSorted((one, other) => one - other)
  ),
  monthBy: FastCheck.constantFrom("date", "weekday"),
  monthDay: FastCheck.oneof(FastCheck.integer({ min: 1, max: 31 }), FastCheck.constant(-1)),
  nth: FastCheck.constantFrom(1, 2, 3, 4, -1),
  weekday: FastCheck.integer({ min: 0, max: 6 }),
  until: FastCheck.option(FastCheck.constantFrom("2027-03-28", "2027-10-31", "2028-02-29"), { nil: undefined }),
  count: FastCheck.constant(undefined)
})

describe("a new window", () => {
  const minutes = FastCheck.integer({ min: 0, max: 5 * 366 * 24 * 60 }).map((count) =>
    wallOf(Date.UTC(2027, 0, 1) + count * 60_000, "UTC")
  )

  it("recurs on the weekday and the day of the month on which it begins, whenever that is set", () => {
    FastCheck.assert(
      FastCheck.property(minutes, minutes, (first, then) => {
        for (const start of [first, then]) {
          const { recurrence } = begun(begun(newDraft(Date.UTC(2027, 5, 9), "UTC"), first), start)
          const [day, date] = [weekdayOf(dayOf(start)), Number(start.slice(8, 10))]
          assert.deepStrictEqual(recurrence.days, [day])
          assert.strictEqual(recurrence.monthDay, date)
          assert.strictEqual(recurrence.weekday, day)
          assert.strictEqual(recurrence.nth, date > 28 ? -1 : Math.ceil(date / 7))
        }
      })
    )
  })

  it("keeps days that were chosen", () => {
    FastCheck.assert(
      FastCheck.property(minutes, FastCheck.integer({ min: 0, max: 6 }), (start, day) => {
        const draft = newDraft(Date.UTC(2027, 5, 9), "UTC")
        const days = [day, (day + 2) % 7].toSorted((one, other) => one - other)
        const chosen = { ...draft, recurrence: { ...draft.recurrence, days, monthDay: -1 } }
        const { recurrence } = begun(chosen, start)
        assert.deepStrictEqual(recurrence.days, days)
        assert.strictEqual(recurrence.monthDay, -1)
        assert.deepStrictEqual(begun(chosen, "").recurrence, chosen.recurrence)
      })
    )
  })
})

const skipped = instantOf("2027-03-07T02:30", berlin)

describe("a recurrence", () => {
  it("is the same rule after it was read back", () => {
    FastCheck.assert(
      FastCheck.property(anyRecurrence, (recurrence: Recurrence) => {
        const rule = ruleOf(recurrence, berlin)
        const read = recurrenceOf(rule, start, berlin)
        assert.isDefined(read, rule)
        assert.strictEqual(ruleOf(read, berlin), rule)
        assert.deepStrictEqual(
          describeRecurrence(read, { start, end: start + 3_600_000, zone: berlin }, english),
          describeRecurrence(recurrence, { start, end: start + 3_600_000, zone: berlin }, english)
        )
      })
    )
  })

  it("has the windows that the scheduler computes", () => {
    FastCheck.assert(
      // The second one meets the hour that is skipped in spring.
      FastCheck.property(anyRecurrence, FastCheck.constantFrom(start, skipped), (recurrence: Recurrence, start) => {
        const rule = ruleOf(recurrence, berlin)
        const to = start + 800 * dayMillis
        const found = beginnings(recurrence, start, berlin, start, to)
        const series = { rule: Result.getOrThrow(RecurrenceRule.parse(rule)), zone: zoneOf(berlin)!, start }
        const scheduled = first(series, found.length + 2)
        // A series that does not begin on its first window has this one all the same.
        const expected = scheduled.filter((at) => at > start && at < to)
        assert.deepStrictEqual(found.map(iso), expected.slice(0, found.length).map(iso), rule)
        if (scheduled.length === found.length + 2) assert.isAtLeast(scheduled.at(-1)!, to, rule)
      }),
      { numRuns: 60 }
    )
  })

  it("has no fields for what the form cannot say", () => {
    for (const rule of [
      "FREQ=HOURLY",
      "FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1",
      "FREQ=MONTHLY;BYMONTHDAY=1,15",
      "FREQ=YEARLY;BYMONTH=3",
      "FREQ=WEEKLY;BYDAY=XX",
      "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;WKST=SU",
      "FREQ=DAILY;UNTIL=soon",
      "nonsense"
    ])
      assert.isUndefined(recurrenceOf(rule, start, berlin), rule)
  })

  it("takes from the first window what the rule leaves out", () => {
    assert.deepStrictEqual(recurrenceOf("RRULE:freq=weekly", start, berlin)?.days, [6])
    assert.strictEqual(recurrenceOf("FREQ=MONTHLY", start, berlin)?.monthDay, 29)
    // 23:30 UTC on Saturday is Sunday in Berlin.
    assert.deepStrictEqual(recurrenceOf("FREQ=WEEKLY", Date.parse("2026-11-28T23:30Z"), berlin)?.days, [6])
  })

  it("keeps its time on the clock when the clocks change", () => {
    const at = beginnings(weekly, instantOf("2027-03-21T03:00", berlin), berlin, 0, Date.parse("2027-04-05"))
    assert.deepStrictEqual(at.map(iso), ["2027-03-28T01:00:00.000Z", "2027-04-04T01:00:00.000Z"])
    const autumn = beginnings(weekly, instantOf("2027-10-24T02:30", berlin), berlin, 0, Date.parse("2027-11-08"))
    assert.deepStrictEqual(autumn.map(iso), ["2027-10-31T00:30:00.000Z", "2027-11-07T01:30:00.000Z"])
  })

  it("reads as a sentence in both languages", () => {
    const window = { start, end: start + 3_600_000, zone: berlin }
    const words = (rule: string): readonly [string, string] => {
      const recurrence = recurrenceOf(rule, start, berlin)!
      return [describeRecurrence(recurrence, window, english), describeRecurrence(recurrence, window, deutsch)]
    }
    const time = "03:00–04:00 Europe/Berlin"
    assert.deepStrictEqual(words("FREQ=WEEKLY;BYDAY=SU"), [`every Sunday ${time}`, `jeden Sonntag ${time}`])
    assert.deepStrictEqual(words("FREQ=DAILY"), [`every day ${time}`, `jeden Tag ${time}`])
    assert.deepStrictEqual(words("FREQ=DAILY;INTERVAL=3"), [`every 3 days ${time}`, `alle 3 Tage ${time}`])
    assert.deepStrictEqual(words("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"), [
      `from Monday to Friday ${time}`,
      `von Montag bis Freitag ${time}`
    ])
    assert.deepStrictEqual(words("FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SA"), [
      `every 2 weeks on Tuesday and Saturday ${time}`,
      `alle 2 Wochen am Dienstag und Samstag ${time}`
    ])
    assert.deepStrictEqual(words("FREQ=MONTHLY;BYDAY=1SU"), [
      `on the first Sunday of every month ${time}`,
      `am ersten Sonntag jedes Monats ${time}`
    ])
    assert.deepStrictEqual(words("FREQ=MONTHLY;INTERVAL=2;BYDAY=-1FR"), [
      `on the last Friday of every 2 months ${time}`,
      `alle 2 Monate am letzten Freitag ${time}`
    ])
    assert.deepStrictEqual(words("FREQ=MONTHLY;BYMONTHDAY=15"), [
      `on day 15 of every month ${time}`,
      `am 15. jedes Monats ${time}`
    ])
    assert.deepStrictEqual(words("FREQ=MONTHLY;BYMONTHDAY=-1"), [
      `on the last day of every month ${time}`,
      `am letzten Tag jedes Monats ${time}`
    ])
    assert.deepStrictEqual(words("FREQ=YEARLY"), [
      `every year on 29 November ${time}`,
      `jedes Jahr am 29. November ${time}`
    ])
    assert.deepStrictEqual(words("FREQ=WEEKLY;BYDAY=SU;UNTIL=20270328T215900Z"), [
      `every Sunday ${time}, until 28 March 2027`,
      `jeden Sonntag ${time}, bis 28. März 2027`
    ])
    assert.deepStrictEqual(words("FREQ=WEEKLY;BYDAY=SU;COUNT=10"), [
      `every Sunday ${time}, 10 times`,
      `jeden Sonntag ${time}, 10-mal`
    ])
  })
})
