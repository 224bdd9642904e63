import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { add, type Gap } from "../src/SequenceGaps.ts"

const gap = fc
  .tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 30 }))
  .map(([before, size]): Gap => ({ before, next: before + size + 1 }))

describe("SequenceGaps", () => {
  it("counts each sequence once, for any number and division of reports", () =>
    fc.assert(
      fc.property(fc.array(gap), (gaps) => {
        const missed = new Set<number>()
        let known: ReadonlyArray<Gap> = []
        for (const { before, next } of gaps) {
          const all = missed.size
          for (let sequence = before + 1; sequence < next; sequence++) missed.add(sequence)
          const added = add(known, { before, next })
          known = added.known
          assert.strictEqual(added.count, missed.size - all)
        }
      })
    ))
})
