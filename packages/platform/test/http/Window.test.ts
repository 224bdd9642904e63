/** The content of a window: every millisecond from its first to its last. */
import { assert, describe, it } from "@effect/vitest"
import { dayMillis } from "@kanmon/domain/Timestamp"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import * as Window from "../../src/http/Window.ts"

const last = Date.parse("9999-12-31T23:59:59.999Z")
const instant = fc.integer({ min: 0, max: last })
const day = fc.integer({ min: 0, max: Math.floor(last / dayMillis) }).map((number) => number * dayMillis)
const iso = (at: number): string => new Date(at).toISOString()
const read = (query: { readonly from?: string; readonly to?: string }) => Effect.runSync(Window.read(query, dayMillis))

describe("a window", () => {
  it("holds both of its instants and nothing beside them", () =>
    fc.assert(
      fc.property(instant, fc.integer({ min: 0, max: 400 * dayMillis }), (from, length) => {
        const to = Math.min(from + length, last)
        assert.deepStrictEqual(read({ from: iso(from), to: iso(to) }), { from, to: to + 1 })
      })
    ))

  it("holds both of its days, wholly", () =>
    fc.assert(
      fc.property(day, fc.integer({ min: 0, max: 399 }), (from, days) => {
        const to = Math.min(from + days * dayMillis, last + 1 - dayMillis)
        const query = { from: iso(from).slice(0, 10), to: iso(to).slice(0, 10) }
        assert.deepStrictEqual(read(query), { from, to: to + dayMillis })
      })
    ))

  it.effect("has its default length, and ends now", () =>
    Effect.gen(function* () {
      const now = Date.parse("2026-11-20T08:30:00Z")
      yield* TestClock.setTime(now)
      assert.deepStrictEqual(yield* Window.read({}, dayMillis), { from: now - dayMillis, to: now + 1 })
      assert.deepStrictEqual(yield* Window.read({ to: "2026-11-01" }, dayMillis), {
        from: Date.parse("2026-11-01"),
        to: Date.parse("2026-11-02")
      })
      assert.deepStrictEqual(yield* Window.read({ to: "1970-01-01" }, 90 * dayMillis), { from: 0, to: dayMillis })
    })
  )
})
