/** The small picture of an hour: its line has a gap where nothing answered, and none where checks are rare. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { areaOf, dotsOf, minutesOf, pathOf, stretchesOf } from "../src/ui/chart/hour.ts"

const value = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 60_000 }) },
  fc.constant(null),
  fc.constant(undefined)
)
const highestOf = (values: ReadonlyArray<number | null | undefined>): number =>
  Math.max(1, ...values.filter((each) => typeof each === "number"))

describe("the line of an hour", () => {
  it("has every value once, in order, inside of the picture", () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 61 }), (values) => {
        const dots = stretchesOf(values, highestOf(values)).flat()
        assert.deepStrictEqual(
          dots.map(({ minute }) => minute),
          values.flatMap((each, minute) => (typeof each === "number" ? [minute] : []))
        )
        for (const { x, y } of dots) {
          assert.isTrue(x >= 0 && x <= 240, `x ${x}`)
          assert.isTrue(y >= 0 && y <= 48, `y ${y}`)
        }
      })
    )
  })

  it("never crosses a minute in which nothing answered", () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 61 }), (values) => {
        for (const stretch of stretchesOf(values, highestOf(values)))
          assert.notInclude(values.slice(stretch[0]!.minute, stretch.at(-1)!.minute + 1), null)
      })
    )
  })

  it("joins the results of a monitor that is checked every so many minutes", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), (every) => {
        const values = Array.from({ length: 60 }, (_, minute) => (minute % every === 0 ? 10 + minute : undefined))
        assert.lengthOf(stretchesOf(values, 70), 1)
      })
    )
  })

  it("has a gap where a monitor was not checked for long", () => {
    const values = Array.from({ length: 60 }, (_, minute) => (minute < 20 || minute > 40 ? 10 : undefined))
    assert.lengthOf(stretchesOf(values, 10), 2)
  })
})

it("draws few values as dots, and of many only those without neighbours", () => {
  assert.strictEqual(dotsOf(stretchesOf([undefined, 10, null, 5], 10)), "M90 4h0M210 24h0")
  const many = Array.from({ length: 60 }, (_, minute) =>
    minute === 30 ? null : minute === 31 ? 10 : minute === 32 ? null : 10
  )
  assert.lengthOf([...dotsOf(stretchesOf(many, 10)).matchAll(/h0/g)], 1)
})

it("fills what is below a stretch", () => {
  const [stretch] = stretchesOf([10, 5], 10)
  assert.strictEqual(pathOf(stretch!), "M60 4L180 24")
  assert.strictEqual(areaOf(stretch!), "M60 4L180 24L180 48L60 48Z")
})

it("knows a minute without an answer from one without a check", () => {
  const span = { from: 0, to: 180 }
  const points = [
    { at: 10, value: 4 },
    { at: 70, value: null }
  ]
  assert.deepStrictEqual(minutesOf(points, span), [4, null, undefined])
})
