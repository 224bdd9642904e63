import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { add, type Hole } from "../src/Holes.ts"

const hole = fc
  .tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 30 }))
  .map(([before, size]): Hole => ({ before, next: before + size + 1 }))

describe("holes of a stream", () => {
  it("count each sequence once, however often and in whatever pieces it is missed", () =>
    fc.assert(
      fc.property(fc.array(hole), (holes) => {
        const missed = new Set<number>()
        let known: ReadonlyArray<Hole> = []
        for (const { before, next } of holes) {
          const all = missed.size
          for (let sequence = before + 1; sequence < next; sequence++) missed.add(sequence)
          const added = add(known, { before, next })
          known = added.known
          assert.strictEqual(added.count, missed.size - all)
        }
      })
    ))
})
