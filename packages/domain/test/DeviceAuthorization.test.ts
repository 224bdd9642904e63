import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { asked, codeBytes, codeOf, firstInterval, shown, typed } from "../src/DeviceAuthorization.ts"

const random = fc.uint8Array({ minLength: codeBytes, maxLength: codeBytes })

describe("the code of a device", () => {
  it("is read as it is shown, in any case and however it is divided", () => {
    fc.assert(
      fc.property(random, fc.constantFrom(" ", "-", "–", ".", ""), (bytes, divider) => {
        const code = codeOf(bytes)
        if (code === undefined) return
        assert.match(shown(code), /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
        assert.strictEqual(typed(shown(code)), code)
        assert.strictEqual(typed(` ${shown(code).toLowerCase().replace("-", divider)} `), code)
      })
    )
  })

  it("has every letter as often as the others", () => {
    const counts = new Map<string, number>()
    for (let byte = 0; byte < 256; byte++) {
      const code = codeOf(new Uint8Array(codeBytes).fill(byte))
      if (code !== undefined) counts.set(code[0]!, (counts.get(code[0]!) ?? 0) + 1)
    }
    assert.deepStrictEqual([...counts.values()], Array(20).fill(12))
  })

  it("is nothing else", () => {
    for (const text of ["", "BCDFGHJ", "BCDFGHJKL", "ABCDFGHJ", "BCDFGHJ1", "BCDFGHJß", "%".repeat(500)])
      assert.isUndefined(typed(text))
  })
})

describe("a question whether a code was approved", () => {
  it("is in time after the interval, and lengthens it before", () => {
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 600 }), fc.nat(1_000_000), (interval, waited) => {
        const { next, tooEarly } = asked({ interval, lastAskedAt: 1_000_000 }, 1_000_000 + waited)
        assert.strictEqual(tooEarly, waited < interval * 1000 - 500)
        assert.deepStrictEqual(next, { interval: tooEarly ? interval + 5 : interval, lastAskedAt: 1_000_000 + waited })
      })
    )
  })

  it("is in time when it is the first", () => {
    assert.isFalse(asked({ interval: firstInterval, lastAskedAt: undefined }, 0).tooEarly)
  })
})
