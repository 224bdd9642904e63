import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { keepPlaces } from "../src/features/alerts/places.ts"

const items = (ids: string): ReadonlyArray<{ readonly id: string }> => [...ids].map((id) => ({ id }))
const after = (shown: string, given: string): string =>
  keepPlaces([...shown], items(given))
    .map(({ id }) => id)
    .join("")

describe("rows that stay where they are", () => {
  it("are sorted when they are first shown", () => {
    assert.strictEqual(after("", "cab"), "cab")
  })

  it("do not move when they would be sorted elsewhere", () => {
    assert.strictEqual(after("abc", "bca"), "abc")
  })

  it("make room for new ones, and close up after old ones", () => {
    assert.strictEqual(after("abc", "nca"), "nac")
    assert.strictEqual(after("abc", "bcxa"), "abxc")
    // Pages of a list may overlap while it changes.
    assert.strictEqual(after("ab", "bab"), "abb")
  })

  it("keep their order among themselves, and new ones keep their place, in any sequence", () => {
    const some = fc.uniqueArray(fc.constantFrom(..."abcdefgh"))
    fc.assert(
      fc.property(some, some, (shown, given) => {
        const found = keepPlaces(shown, items(given.join(""))).map(({ id }) => id)
        assert.sameMembers(found, given)
        assert.deepStrictEqual(
          found.filter((id) => shown.includes(id)),
          shown.filter((id) => given.includes(id))
        )
        for (const [index, id] of given.entries()) if (!shown.includes(id)) assert.strictEqual(found[index], id)
      })
    )
  })
})
