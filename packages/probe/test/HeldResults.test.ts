import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as HeldResults from "../src/HeldResults.ts"

const result = (monitor: number, slot: number) =>
  ({
    observation: { monitorId: `mon_${monitor}`, slot },
    spec: { id: `mon_${monitor}` }
  }) as unknown as HeldResults.Held

const slots = (results: Iterable<HeldResults.Held>) => [...results].map(({ observation }) => observation.slot)

describe("held results", () => {
  it("stay in order, keep the first and the newest of each monitor, and never exceed their limit", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9), { maxLength: 300 }), fc.nat(50), (monitors, capacity) => {
        const held = HeldResults.make(capacity)
        let lost = 0
        monitors.forEach((monitor, slot) => {
          if (!held.add(result(monitor, slot))) lost++
        })
        const distinct = new Set(monitors)
        assert.isAtMost(held.size(), Math.max(capacity, 2 * distinct.size) + distinct.size)
        assert.strictEqual(held.size() + lost, monitors.length)
        assert.strictEqual(held.size(), slots(held.all()).length)
        for (const monitor of distinct) {
          const own = slots(held.take(`mon_${monitor}`))
          assert.deepStrictEqual(
            own,
            own.toSorted((one, other) => one - other)
          )
          assert.strictEqual(own[0], monitors.indexOf(monitor))
          assert.strictEqual(own.at(-1), monitors.lastIndexOf(monitor))
        }
        assert.strictEqual(held.size(), 0)
      })
    )
  })

  it("are removed once", () => {
    const held = HeldResults.make(10)
    held.add(result(1, 1))
    held.add(result(2, 2))
    assert.deepStrictEqual(slots(held.take()), [1, 2])
    assert.deepStrictEqual([held.size(), held.take().length, held.has("mon_1")], [0, 0, false])
  })
})
