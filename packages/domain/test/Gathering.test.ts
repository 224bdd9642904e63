import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { gatheringOf, waitOf } from "../src/Gathering.ts"

const rate = fc.double({ min: 0, max: 250, noNaN: true })
const due = fc.integer({ min: 0, max: 2_000_000_000_000 })

const gathering = (checksPerSecond: number) => {
  const found = gatheringOf(checksPerSecond)
  assert.isDefined(found)
  return found
}

describe("gathered checks", () => {
  it("begin within a second after they are due", () => {
    fc.assert(
      fc.property(rate, due, (checks, at) => {
        const wait = waitOf(at, gathering(checks))
        assert.isAbove(wait, 0)
        assert.isAtMost(wait, 1000)
      })
    )
  })

  it("begin in the order in which they are due", () => {
    fc.assert(
      fc.property(rate, due, fc.integer({ min: 0, max: 5000 }), (checks, at, later) => {
        const own = gathering(checks)
        assert.isAtMost(at + waitOf(at, own), at + later + waitOf(at + later, own))
      })
    )
  })

  it("begin at whole intervals", () => {
    fc.assert(
      fc.property(rate, due, fc.integer({ min: 1, max: 86_400 }), (checks, at, seconds) => {
        const own = gathering(checks)
        assert.strictEqual(waitOf(at, own), waitOf(at + seconds * 1000, own))
      })
    )
  })

  it("begin together, a millisecond or less apart on average", () => {
    fc.assert(
      fc.property(rate, due, (checks, at) => {
        const { cell, window } = gathering(checks)
        const begin = at + waitOf(at, { cell, window })
        assert.isBelow(begin % cell, window)
        const expected = Math.max(1, (checks * cell) / 1000)
        assert.isAtLeast(window, Math.floor(expected))
        assert.isBelow(window, expected * 2 + 1)
        assert.isAtMost(window, cell / 2)
      })
    )
  })

  it("are not gathered where there are many", () => {
    fc.assert(
      fc.property(fc.double({ min: 257, max: 1e6, noNaN: true }), (checks) => gatheringOf(checks) === undefined)
    )
  })
})
