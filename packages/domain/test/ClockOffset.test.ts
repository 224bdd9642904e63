import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { bestOf, correctAbove, correctionOf, refuseAbove, sampleOf, statusOf } from "../src/ClockOffset.ts"

const offset = fc.integer({ min: -120_000, max: 120_000 })

describe("a measurement", () => {
  it("measures the offset within its error", () => {
    fc.assert(
      fc.property(offset, fc.nat(5000), fc.nat(5000), (truth, there, back) => {
        const sent = 1_000_000
        const sample = sampleOf(sent, sent + there + truth, sent + there + back)
        assert.isAtMost(Math.abs(sample.offset - truth), sample.error)
      })
    )
  })

  it("prefers the quickest measurement", () => {
    const samples = [
      { offset: 1, error: 30 },
      { offset: 2, error: 3 },
      { offset: 3, error: 300 }
    ]
    assert.strictEqual(bestOf(samples)?.offset, 2)
    assert.isUndefined(bestOf([]))
  })
})

describe("a correction", () => {
  it("leaves at most two seconds of any offset", () => {
    fc.assert(
      fc.property(offset, fc.array(offset, { maxLength: 5 }), (now, before) => {
        const added = before.reduce((sum, each) => correctionOf(each, sum), 0)
        assert.isAtMost(Math.abs(now - correctionOf(now, added)), correctAbove)
      })
    )
  })

  it("ignores noise", () => {
    fc.assert(
      fc.property(offset, fc.array(fc.integer({ min: -200, max: 200 }), { maxLength: 20 }), (truth, noise) => {
        fc.pre(Math.abs(Math.abs(truth) - correctAbove) > 200)
        let added = correctionOf(truth, 0)
        const first = added
        for (const each of noise) added = correctionOf(truth + each, added)
        assert.strictEqual(added, first)
      })
    )
  })

  it("ends when the clock is right", () => {
    assert.strictEqual(correctionOf(300, correctionOf(5000, 0)), 0)
  })
})

describe("clock status", () => {
  it("is corrected above two seconds, and wrong above thirty", () => {
    for (const sign of [1, -1]) {
      assert.deepStrictEqual(
        [0, correctAbove, correctAbove + 1, refuseAbove, refuseAbove + 1].map((millis) => statusOf(sign * millis)),
        ["ok", "ok", "corrected", "corrected", "wrong"]
      )
    }
    assert.strictEqual(statusOf(undefined), "unknown")
  })
})
