import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { toAmount, toMinor } from "../src/Money.ts"

describe("Money", () => {
  it("round-trips amounts", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000 }), (minor) => {
        assert.strictEqual(toMinor(toAmount(minor, "EUR"), "EUR"), minor)
        assert.strictEqual(toMinor(toAmount(minor, "JPY"), "JPY"), minor)
      })
    )
  })

  it("converts 9.90 to 990 cents, and rejects a fraction of a cent", () => {
    assert.strictEqual(toMinor(9.9, "EUR"), 990)
    assert.strictEqual(toMinor(0.1 + 0.2, "EUR"), undefined)
    assert.strictEqual(toMinor(9.999, "EUR"), undefined)
    assert.strictEqual(toMinor(9.5, "JPY"), undefined)
  })
})
