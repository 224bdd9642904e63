/** Our beginnings beside those of a library, for rules of every kind where local time has no gap. */
import { assert, it } from "@effect/vitest"
import { first } from "@kanmon/domain/Recurrence"
import { parse } from "@kanmon/domain/RecurrenceRule"
import { zoneOf } from "@kanmon/domain/LocalTime"
import { Result } from "effect"
import * as fc from "fast-check"
import { RRuleTemporal } from "rrule-temporal"
import { Temporal } from "temporal-polyfill"

const weekday = fc.constantFrom("MO", "TU", "WE", "TH", "FR", "SA", "SU")
const list = (item: fc.Arbitrary<string | number>) =>
  fc.uniqueArray(item, { minLength: 1, maxLength: 3 }).map((items) => items.join(","))
const part = (name: string, value: fc.Arbitrary<string | number>) =>
  fc.option(
    value.map((text) => `${name}=${text}`),
    { nil: "", freq: 2 }
  )
const ordinal = fc.tuple(fc.constantFrom("1", "2", "-1"), weekday).map((both) => both.join(""))
const signed = (high: number) => fc.oneof(fc.integer({ min: 1, max: high }), fc.integer({ min: -3, max: -1 }))
const interval = part("INTERVAL", fc.integer({ min: 2, max: 4 }))
const months = part("BYMONTH", list(fc.integer({ min: 1, max: 12 })))
const hours = part("BYHOUR", list(fc.integer({ min: 0, max: 23 })))

const rules = fc
  .oneof(
    fc.tuple(fc.constant("FREQ=DAILY"), interval, months, part("BYDAY", list(weekday)), hours),
    fc.tuple(fc.constant("FREQ=WEEKLY"), interval, months, part("BYDAY", list(weekday)), part("WKST", weekday)),
    fc.tuple(fc.constant("FREQ=MONTHLY"), interval, months, part("BYDAY", list(fc.oneof(weekday, ordinal))), hours),
    fc.tuple(fc.constant("FREQ=MONTHLY"), interval, months, part("BYMONTHDAY", list(signed(28)))),
    fc.tuple(fc.constant("FREQ=YEARLY"), months, part("BYMONTHDAY", list(signed(28)))),
    fc.tuple(fc.constant("FREQ=YEARLY"), months, part("BYDAY", list(ordinal))),
    fc.tuple(fc.constant("FREQ=YEARLY"), part("BYYEARDAY", list(signed(360))))
  )
  .map((parts) => parts.filter((each) => each !== "").join(";"))

/** The first beginnings as the library has them; undefined when it gives up. */
const library = (rule: string, start: number): ReadonlyArray<string> | undefined => {
  const dtstart = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO("UTC")
  try {
    return new RRuleTemporal({ rruleString: `RRULE:${rule}`, dtstart, maxIterations: 1000 })
      .all((_, index) => index < 8)
      .map(({ epochMilliseconds }) => new Date(epochMilliseconds).toISOString())
  } catch {
    return undefined
  }
}

it("finds the beginnings that rrule-temporal finds", () => {
  fc.assert(
    fc.property(rules, fc.integer({ min: 0, max: 700 }), (rule, day) => {
      const start = Date.parse("2026-01-01T09:30:00Z") + day * 86_400_000
      const series = { rule: Result.getOrThrow(parse(rule)), zone: zoneOf("UTC")!, start }
      const theirs = library(rule, start)
      // The library gives up on rules that it finds nothing for.
      fc.pre(theirs !== undefined)
      const ours = first(series, 8).map((at) => new Date(at).toISOString())
      assert.deepStrictEqual(ours, theirs, `${rule} from ${new Date(start).toISOString()}`)
    }),
    { numRuns: 100 }
  )
})
