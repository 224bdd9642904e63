/** The estimates of a sketch are near the truth for any history. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as Sketch from "../src/Sketch.ts"

/** From a hundredth of a millisecond to a year. */
const millis = fc
  .double({ min: Math.log(Sketch.smallest), max: Math.log(366 * 86_400_000), noNaN: true })
  .map((log) => Math.exp(log))
const many = fc.array(millis, { minLength: 1, maxLength: 200 })
const share = fc.double({ min: 0, max: 1, noNaN: true })

const exact = (values: ReadonlyArray<number>, of: number): number =>
  values.toSorted((one, other) => one - other)[Math.max(1, Math.ceil(of * values.length)) - 1]!

describe("a sketch", () => {
  it("is off by at most its relative error", () => {
    fc.assert(
      fc.property(many, share, (values, of) => {
        const truth = exact(values, of)
        const found = Sketch.quantile(Sketch.ofValues(values), of)!
        assert.isAtMost(Math.abs(found - truth) / truth, Sketch.relativeError + 1e-9)
      })
    )
  })

  it("says the same whether it was merged or made at once, in any order", () => {
    fc.assert(
      fc.property(fc.array(many, { maxLength: 6 }), share, (parts, of) => {
        const merged = Sketch.merge(parts.toReversed().map((part) => Sketch.ofValues(part)))
        const whole = Sketch.ofValues(parts.flat())
        assert.strictEqual(Sketch.countOf(merged), parts.flat().length)
        assert.strictEqual(Sketch.quantile(merged, of), Sketch.quantile(whole, of))
      })
    )
  })

  it("is read back from its packed form", () => {
    fc.assert(
      fc.property(many, (values) => {
        const sketch = Sketch.ofValues(values)
        const packed = [...sketch].map(([bucket, count]) => bucket * Sketch.packing + count)
        assert.isTrue(packed.every((entry) => entry >= 0 && entry < 2 ** 31))
        assert.deepStrictEqual(Sketch.unpack(packed), sketch)
      })
    )
  })

  it("knows nothing when it is empty, and takes less than nothing for little", () => {
    assert.isNull(Sketch.quantile(Sketch.empty, 0.5))
    assert.strictEqual(Sketch.quantile(Sketch.ofValues([0, 0]), 0.95), Sketch.smallest)
  })
})
