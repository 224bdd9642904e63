import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { take } from "../src/Allowance.ts"

const rates = fc.record({
  limit: fc.integer({ min: 1, max: 50 }),
  periodMillis: fc.integer({ min: 1000, max: 86_400_000 })
})

/** Tries at each instant; returns the instants at which it was allowed. */
const allowedAt = (rate: { limit: number; periodMillis: number }, instants: ReadonlyArray<number>) => {
  let usedUpTo: number | undefined
  return instants.filter((now) => {
    const taken = take(usedUpTo, rate, now)
    if (taken._tag === "Allowed") usedUpTo = taken.usedUpTo
    return taken._tag === "Allowed"
  })
}

describe("Allowance", () => {
  it("allows its limit at once, and not one more", () => {
    fc.assert(
      fc.property(rates, fc.integer({ min: 0, max: 1e12 }), (rate, now) => {
        const allowed = allowedAt(rate, Array(rate.limit + 5).fill(now))
        assert.strictEqual(allowed.length, rate.limit)
      })
    )
  })

  it("never allows more than twice its limit within a period", () => {
    fc.assert(
      fc.property(rates, fc.array(fc.nat(5_000_000), { maxLength: 200 }), (rate, gaps) => {
        let at = 0
        const allowed = allowedAt(
          rate,
          gaps.map((gap) => (at += gap))
        )
        for (const start of allowed) {
          const within = allowed.filter((one) => one >= start && one < start + rate.periodMillis)
          assert.isAtMost(within.length, 2 * rate.limit)
        }
      })
    )
  })

  it("allows again exactly when it said", () => {
    fc.assert(
      fc.property(rates, fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 100 }), (rate, gaps) => {
        let usedUpTo: number | undefined
        let at = 0
        for (const gap of gaps) {
          at += gap
          const taken = take(usedUpTo, rate, at)
          if (taken._tag === "Allowed") usedUpTo = taken.usedUpTo
          assert.strictEqual(take(usedUpTo, rate, taken.nextAt)._tag, "Allowed")
          if (taken.nextAt > at) assert.strictEqual(take(usedUpTo, rate, taken.nextAt - 1)._tag, "Exhausted")
        }
      })
    )
  })
})
