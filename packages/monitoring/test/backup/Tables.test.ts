/** Tables are filled after those that they refer to. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { inOrder } from "../../src/backup/Tables.ts"

/** Tables that refer only to those with a smaller number, shuffled. */
const schema = fc
  .array(fc.array(fc.nat(), { maxLength: 4 }), { minLength: 1, maxLength: 20 })
  .map((all) =>
    all.map((numbers, index) => ({
      name: `t${index}`,
      refersTo: index === 0 ? [] : [...new Set(numbers.map((number) => `t${number % index}`))]
    }))
  )
  .chain((tables) => fc.shuffledSubarray(tables, { minLength: tables.length, maxLength: tables.length }))

describe("the order of tables", () => {
  it("puts each behind those that it refers to, and leaves none out", () => {
    fc.assert(
      fc.property(schema, (tables) => {
        const names = inOrder(tables).map(({ name }) => name)
        assert.sameMembers(
          [...names],
          tables.map(({ name }) => name)
        )
        for (const { name, refersTo } of tables)
          for (const other of refersTo) assert.isBelow(names.indexOf(other), names.indexOf(name))
      })
    )
  })

  it("is none where they refer to each other in a circle", () => {
    const circle = [
      { name: "a", refersTo: ["b"] },
      { name: "b", refersTo: ["a"] },
      { name: "c", refersTo: [] }
    ]
    assert.throws(() => inOrder(circle), "a, b refer to each other")
  })
})
