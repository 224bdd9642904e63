/** The period of the figures of on-call duty: what an address means, and what is asked for. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { parseFiguresSearch } from "../src/features/on-call/figuresSearch.ts"
import { daysOf, instantsOf } from "../src/features/on-call/timeline.ts"

const day = 86_400_000

describe("the period of figures", () => {
  it("is 30 days unless the address says 7, 90, or two days", () => {
    assert.deepStrictEqual(parseFiguresSearch({}), {})
    assert.deepStrictEqual(parseFiguresSearch({ days: 7 }), { days: 7 })
    assert.deepStrictEqual(parseFiguresSearch({ days: "90" }), { days: 90 })
    assert.deepStrictEqual(parseFiguresSearch({ days: 12 }), {})
    assert.deepStrictEqual(parseFiguresSearch({ from: "2026-01-01", to: "2026-01-31", days: 7 }), {
      from: "2026-01-01",
      to: "2026-01-31"
    })
    assert.deepStrictEqual(parseFiguresSearch({ from: "2026-01-01", to: "2026-13-31" }), {})
    assert.deepStrictEqual(parseFiguresSearch({ from: "2026-01-01" }), {})
  })

  it("has as many days as it says, and ends with today", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4_000_000_000_000 }),
        fc.constantFrom({}, { days: 7 }, { days: 90 }),
        (now, search) => {
          const days = daysOf(search as { readonly days?: 7 | 90 }, now)
          const { from, to } = instantsOf(days)
          assert.isAtMost(Date.parse(from), now)
          assert.isAtLeast(Date.parse(to), now)
          const wanted = "days" in search ? Number(search.days) : 30
          assert.strictEqual(Math.round((Date.parse(to) + 1 - Date.parse(from)) / day), wanted)
        }
      )
    )
  })
})
