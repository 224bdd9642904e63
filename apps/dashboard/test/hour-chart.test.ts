/** The small picture of an hour: its line has a gap where nothing answered. */
import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import { hourPath } from "../src/ui/chart/hour.ts"

const value = fc.option(fc.integer({ min: 1, max: 60_000 }), { nil: null })

it("begins again after every gap, and stays in the picture", () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 61 }), (values) => {
      const path = hourPath(values, Math.max(1, ...values.filter((each) => each !== null)))
      const stretches = values.filter((each, index) => each !== null && (values[index - 1] ?? null) === null).length
      assert.lengthOf([...path.matchAll(/M/g)], stretches)
      assert.lengthOf([...path.matchAll(/[ML]/g)], values.filter((each) => each !== null).length)
      for (const [, x, y] of path.matchAll(/[ML]([\d.]+) ([\d.]+)/g)) {
        assert.isTrue(Number(x) >= 0 && Number(x) <= 240, `x ${x}`)
        assert.isTrue(Number(y) >= 0 && Number(y) <= 48, `y ${y}`)
      }
    })
  )
})

it("draws a value without neighbours as a short stroke", () => {
  assert.strictEqual(hourPath([null, 10, null, null], 10), "M60 4h60")
})
