import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { remaining, restMillis } from "../src/ui/attention.ts"
import { arrange } from "../src/ui/held.ts"

interface Item {
  readonly id: string
  readonly version: number
}

const idOf = ({ id }: Item): string => id
const items = (ids: ReadonlyArray<string>, version: number): ReadonlyArray<Item> => ids.map((id) => ({ id, version }))
const mapOf = (list: ReadonlyArray<Item>): ReadonlyMap<string, Item> => new Map(list.map((item) => [item.id, item]))
const ids = fc.uniqueArray(fc.constantFrom(..."abcdefgh"))

describe("a list that is held", () => {
  it("keeps every row in its place, for any change of the list", () => {
    fc.assert(
      fc.property(ids, ids, (before, after) => {
        const found = arrange(before, items(after, 2), idOf, mapOf(items(before, 1)))
        assert.deepStrictEqual(found.rows.map(idOf), before)
      })
    )
  })

  it("says what the list says now of rows that it has, and what was last known of those that are gone", () => {
    fc.assert(
      fc.property(ids, ids, (before, after) => {
        const found = arrange(before, items(after, 2), idOf, mapOf(items(before, 1)))
        for (const { id, version } of found.rows) assert.strictEqual(version, after.includes(id) ? 2 : 1)
        assert.sameMembers(
          [...found.gone],
          before.filter((id) => !after.includes(id))
        )
        assert.sameMembers(
          [...found.added],
          after.filter((id) => !before.includes(id))
        )
      })
    )
  })

  it("is behind exactly while its rows are not those of the list in their order", () => {
    fc.assert(
      fc.property(ids, ids, (before, after) => {
        const found = arrange(before, items(after, 2), idOf, mapOf(items(before, 1)))
        assert.strictEqual(found.isBehind, before.join() !== after.join())
      })
    )
  })

  it("is the list itself once it has caught up", () => {
    fc.assert(
      fc.property(ids, (after) => {
        const given = items(after, 2)
        assert.strictEqual(arrange(after, given, idOf, new Map()).rows, given)
      })
    )
  })
})

describe("the attention of the reader", () => {
  const times = fc.integer({ min: 0, max: 100_000 })

  it("holds lists for ever while something is pressed, open or selected", () => {
    fc.assert(
      fc.property(times, times, (activeAt, now) => {
        assert.strictEqual(remaining({ activeAt, isBusy: true }, now), Number.POSITIVE_INFINITY)
      })
    )
  })

  it("holds them until the reader has rested, or has left", () => {
    fc.assert(
      fc.property(times, times, (activeAt, later) => {
        const left = remaining({ activeAt, isBusy: false }, activeAt + later)
        assert.strictEqual(left, Math.max(0, restMillis - later))
        assert.strictEqual(remaining({ activeAt: Number.NEGATIVE_INFINITY, isBusy: false }, activeAt), 0)
      })
    )
  })
})
