import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { UserId } from "../src/Ids.ts"
import { zoneOf } from "../src/LocalTime.ts"
import { figuresOf, nightOf } from "../src/OnCallAnalytics.ts"

const berlin = zoneOf("Europe/Berlin")!
const at = (text: string) => Date.parse(text)
const minute = 60_000
const start = at("2026-11-01T00:00:00Z")

describe("the night of an instant", () => {
  it("goes from 22:00 to 07:00 local time and belongs to the day on which it began", () => {
    const night = nightOf(berlin, at("2026-11-20T21:00:00Z"))
    assert.isNotNull(night)
    assert.strictEqual(nightOf(berlin, at("2026-11-21T05:59:59.999Z")), night)
    assert.isNull(nightOf(berlin, at("2026-11-20T20:59:59.999Z")))
    assert.isNull(nightOf(berlin, at("2026-11-21T06:00:00Z")))
  })

  it("is one night over a change of clocks", () => {
    const before = nightOf(berlin, at("2026-10-24T22:30:00Z"))
    assert.strictEqual(nightOf(berlin, at("2026-10-25T01:30:00Z")), before)
    assert.strictEqual(nightOf(berlin, at("2026-10-25T05:59:00Z")), before)
    assert.isNull(nightOf(berlin, at("2026-10-25T06:00:00Z")))
  })
})

describe("the figures of people", () => {
  const user = fc.constantFrom("usr_1", "usr_2", "usr_3").map((id) => UserId.make(id))
  const shift = fc
    .record({ userId: fc.option(user), begin: fc.nat(3000), length: fc.nat(600) })
    .map(({ begin, length, userId }) => ({
      userId,
      from: start + begin * minute,
      to: start + (begin + length) * minute
    }))
  const page = fc.record({ userId: user, at: fc.nat(3000).map((minutes) => start + minutes * minute) })

  it("count each minute on call once, whichever schedules it belongs to", () => {
    fc.assert(
      fc.property(fc.array(shift, { maxLength: 12 }), fc.array(page, { maxLength: 12 }), (shifts, pages) => {
        const figures = figuresOf(shifts, pages, () => berlin)
        for (const { onCallMillis, pages: count, userId } of figures) {
          let minutes = 0
          for (let one = start; one < start + 3601 * minute; one += minute)
            if (shifts.some((each) => each.userId === userId && each.from <= one && one < each.to)) minutes++
          assert.strictEqual(onCallMillis, minutes * minute)
          assert.strictEqual(count, pages.filter((each) => each.userId === userId).length)
        }
        const named = new Set([...shifts, ...pages].flatMap(({ userId }) => userId ?? []))
        assert.strictEqual(figures.length, named.size)
      }),
      { numRuns: 40 }
    )
  })

  it("count a night once, however many pages it has, and no page by day", () => {
    const userId = UserId.make("usr_1")
    const times = ["2026-11-20T22:00:00Z", "2026-11-21T03:00:00Z", "2026-11-21T12:00:00Z", "2026-11-22T02:00:00Z"]
    const pages = times.map((text) => ({ userId, at: at(text) }))
    assert.deepStrictEqual(
      figuresOf([], pages, () => berlin),
      [{ userId, onCallMillis: 0, pages: 4, interruptedNights: 2 }]
    )
  })
})
