import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { dayMillis, floorDay, parseTimestamp, toIso, utcDay } from "../src/Timestamp.ts"

const minimum = Date.parse("0000-01-01T00:00:00.000Z")
const maximum = Date.parse("9999-12-31T23:59:59.999Z")

/** Two digits that may be too large for their place. */
const two = fc.integer({ min: 0, max: 62 }).map((value) => String(value).padStart(2, "0"))

describe("a timestamp", () => {
  it("has a day that begins at midnight", () => {
    fc.assert(
      fc.property(fc.integer({ min: minimum, max: maximum }), (at) =>
        assert.strictEqual(toIso(floorDay(at)), `${utcDay(at)}T00:00:00.000Z`)
      )
    )
  })

  it("is read as it was written", () => {
    fc.assert(
      fc.property(fc.integer({ min: minimum, max: maximum }), (at) => assert.strictEqual(parseTimestamp(toIso(at)), at))
    )
  })

  it("is read on every day of the calendar, and on no other", () => {
    for (const year of [0, 99, 999, 1900, 2000, 2024, 2026, 9999])
      for (let month = 0; month <= 13; month++)
        for (let day = 0; day <= 32; day++) {
          const text = `${String(year).padStart(4, "0")}-${[month, day].map((part) => String(part).padStart(2, "0")).join("-")}`
          const at = parseTimestamp(`${text}T12:34:56.789Z`)
          const date = new Date(minimum)
          date.setUTCFullYear(year, month - 1, day)
          const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
          assert.strictEqual(
            at,
            exists ? Math.floor(date.getTime() / dayMillis) * dayMillis + 45_296_789 : undefined,
            text
          )
        }
  })

  it("is not read with an hour, minute or second that does not exist", () => {
    fc.assert(
      fc.property(two, two, two, (hour, minute, second) => {
        const text = `2026-11-20T${hour}:${minute}:${second}.123Z`
        const at = Date.parse(text)
        assert.strictEqual(parseTimestamp(text), Number.isNaN(at) ? undefined : at)
      })
    )
  })
})
