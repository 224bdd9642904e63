import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { decodeStrict } from "../src/FieldErrors.ts"
import { zoneOf } from "../src/LocalTime.ts"
import { isTimeZone, localClock, localDay, localDayAndClock, localInstant, TimeZone } from "../src/TimeZone.ts"
import { instant } from "../src/Timestamp.ts"

const at = (iso: string): number => Date.parse(iso)

describe("a time zone", () => {
  const decode = decodeStrict(Schema.Struct({ timezone: TimeZone }))

  it.each([
    "Europe/Berlin",
    "UTC",
    "Asia/Kolkata",
    "Asia/Calcutta",
    "US/Eastern",
    "Europe/Kyiv",
    "Etc/GMT+5",
    "EST5EDT"
  ])("is taken by its name or an alias: %s", (timezone) => assert.isTrue(Result.isSuccess(decode({ timezone }))))

  it.each([
    "",
    " ",
    "Berlin/Europe",
    "+02:00",
    "-05:00",
    "UTC+2",
    "Europe/Berlin ",
    "Europe/Berlin\u0000",
    "Ｅurope/Berlin"
  ])("is refused with its path: %j", (timezone) => {
    const errors = Result.isFailure(decode({ timezone })) ? ["timezone"] : []
    assert.deepStrictEqual(errors, ["timezone"])
    assert.isFalse(isTimeZone(timezone))
  })

  it("is refused by its length before anything reads it", () => {
    // Anything that reads this more than once would never end.
    assert.isTrue(Result.isFailure(decode({ timezone: "a/".repeat(2 ** 26) })))
  })
})

describe("an instant in a zone", () => {
  it("has its weekday while that names one day only, and its date otherwise", () => {
    const after = at("2026-11-27T21:00:00.000Z")
    assert.strictEqual(localDayAndClock(at("2026-11-30T08:00:00.000Z"), "Europe/Berlin", after), "Mon 09:00 CET")
    assert.strictEqual(localDayAndClock(at("2026-11-29T20:00:00.000Z"), "Asia/Tokyo", after), "Mon 05:00 JST")
    assert.strictEqual(localDayAndClock(at("2026-12-04T08:00:00.000Z"), undefined, after), "2026-12-04 08:00 UTC")
    assert.strictEqual(localDayAndClock(at("2026-11-27T20:00:00.000Z"), undefined, after), "2026-11-27 20:00 UTC")
    const instants = fc.integer({ min: at("1975-01-01T00:00:00.000Z"), max: at("2035-01-01T00:00:00.000Z") })
    const zones = fc.constantFrom("Europe/Berlin", "Asia/Tokyo", "America/Havana", "Pacific/Apia", undefined)
    fc.assert(
      fc.property(instants, fc.integer({ min: -9 * 86_400, max: 9 * 86_400 }), zones, (from, seconds, zone) => {
        const moment = from + seconds * 1000
        const [day, ...clock] = localDayAndClock(moment, zone, from).split(" ")
        assert.strictEqual(clock.join(" "), localClock(moment, zone))
        // A weekday between both names the day of the moment alone.
        if (day!.length === 3)
          for (let other = from; other < moment; other += 20_000_000)
            if (localDay(other, zone) !== localDay(moment, zone))
              assert.notStrictEqual(localDayAndClock(other, zone, other).split(" ")[0], day)
        if (day!.length !== 3) assert.strictEqual(day, localDay(moment, zone))
      }),
      { numRuns: 30 }
    )
  })

  it.each([
    ["2026-11-20T21:00:00Z", "Europe/Berlin", "2026-11-20 22:00:00 CET"],
    ["2026-07-20T21:00:00Z", "Europe/Berlin", "2026-07-20 23:00:00 CEST"],
    ["2026-11-20T21:00:00Z", "America/New_York", "2026-11-20 16:00:00 EST"],
    ["2026-11-20T21:00:00Z", "US/Eastern", "2026-11-20 16:00:00 EST"],
    ["2026-11-20T21:00:00Z", "Asia/Tokyo", "2026-11-21 06:00:00 JST"],
    ["2026-11-20T21:00:00Z", "Asia/Kolkata", "2026-11-21 02:30:00 IST"],
    ["2026-11-20T21:00:00Z", "Australia/Lord_Howe", "2026-11-21 08:00:00 LHDT"],
    // Zones without an abbreviation that is in use show their offset.
    ["2026-11-20T21:00:00Z", "America/Santiago", "2026-11-20 18:00:00 UTC-03:00"],
    ["2026-11-20T21:00:00Z", "Asia/Kathmandu", "2026-11-21 02:45:00 UTC+05:45"],
    ["2026-11-20T21:00:00Z", "Etc/UTC", "2026-11-20 21:00:00 UTC"],
    ["2026-11-20T21:00:00Z", undefined, "2026-11-20 21:00:00 UTC"],
    // A newer time zone database accepted it; this one does not know it.
    ["2026-11-20T21:00:00Z", "Europe/Atlantis", "2026-11-20 21:00:00 UTC"],
    ["2026-11-20T21:00:00Z", "+02:00", "2026-11-20 21:00:00 UTC"]
  ])("%s in %s is %s", (iso, zone, text) => assert.strictEqual(localInstant(at(iso), zone), text))

  it.each([
    ["Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-25 02:30:00 CEST (UTC+02:00)"],
    ["Europe/Berlin", "2026-10-25T01:30:00Z", "2026-10-25 02:30:00 CET (UTC+01:00)"],
    ["Europe/Berlin", "2026-10-24T23:59:59Z", "2026-10-25 01:59:59 CEST"],
    ["Europe/Berlin", "2026-10-25T02:00:00Z", "2026-10-25 03:00:00 CET"],
    ["Europe/Berlin", "2026-03-29T00:59:59Z", "2026-03-29 01:59:59 CET"],
    ["Europe/Berlin", "2026-03-29T01:00:00Z", "2026-03-29 03:00:00 CEST"],
    ["America/New_York", "2026-11-01T05:15:00Z", "2026-11-01 01:15:00 EDT (UTC-04:00)"],
    ["America/New_York", "2026-11-01T06:15:00Z", "2026-11-01 01:15:00 EST (UTC-05:00)"],
    // Half an hour is repeated.
    ["Australia/Lord_Howe", "2026-04-04T14:45:00Z", "2026-04-05 01:45:00 LHDT (UTC+11:00)"],
    ["Australia/Lord_Howe", "2026-04-04T15:15:00Z", "2026-04-05 01:45:00 LHST (UTC+10:30)"],
    ["Australia/Lord_Howe", "2026-04-04T14:15:00Z", "2026-04-05 01:15:00 LHDT"],
    ["America/Santiago", "2026-04-05T02:30:00Z", "2026-04-04 23:30:00 UTC-03:00"],
    ["America/Santiago", "2026-04-05T03:30:00Z", "2026-04-04 23:30:00 UTC-04:00"]
  ])("says its offset where %s repeats a local time: %s", (zone, iso, text) =>
    assert.strictEqual(localInstant(at(iso), zone), text)
  )

  it("shows no two instants alike, and can be read back", () => {
    const zones = Intl.supportedValuesOf("timeZone")
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: at("2000-01-01T00:00:00Z") / 1000, max: at("2040-01-01T00:00:00Z") / 1000 }),
        (name, seconds) => {
          const text = localInstant(seconds * 1000, name)
          const wall = at(`${text.slice(0, 19).replace(" ", "T")}Z`)
          const offset = zoneOf(name)!.offsetAt(seconds * 1000)
          assert.strictEqual(wall - offset, seconds * 1000)
          // The same local time at another offset has another text.
          for (const other of [-3_600_000, -1_800_000, 1_800_000, 3_600_000])
            assert.notStrictEqual(localInstant(seconds * 1000 + other, name), text)
        }
      )
    )
  })

  it("has a clock and a day", () => {
    assert.strictEqual(localClock(at("2026-11-20T23:30:00Z"), "Europe/Berlin"), "00:30 CET")
    assert.strictEqual(localDay(at("2026-11-20T23:30:00Z"), "Europe/Berlin"), "2026-11-21")
    assert.strictEqual(localDay(at("2026-11-20T23:30:00Z"), undefined), "2026-11-20")
    assert.strictEqual(localInstant(0, "UTC"), instant(0))
  })
})
