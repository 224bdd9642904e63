import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as Share from "../src/Share.ts"

const monitors = Array.from({ length: 3000 }, (_, index) => `mon_${index.toString(36).padStart(26, "0")}`)
const mine = (own: string, probes: ReadonlyArray<string>) => monitors.filter(Share.of(own, probes))

describe("Share", () => {
  it("is everything for a probe that is alone, announced or not", () => {
    assert.strictEqual(mine("a", []).length, monitors.length)
    assert.strictEqual(mine("a", ["a"]).length, monitors.length)
  })

  it("gives every monitor to one probe, and to each probe about as many", () => {
    const probes = ["a", "b", "c"]
    const shares = probes.map((own) => mine(own, probes.toReversed()))
    assert.deepStrictEqual(shares.flat().sort(), monitors.toSorted())
    for (const share of shares) assert.closeTo(share.length, 1000, 100)
  })

  it("moves only what a probe that goes leaves behind", () => {
    const after = new Set(mine("a", ["a", "b"]))
    assert.isTrue(mine("a", ["a", "b", "c"]).every((monitor) => after.has(monitor)))
  })

  const someProbes = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 8 })

  it("ranks first the one probe whose share a monitor is in, whoever asks and in whatever order", () => {
    fc.assert(
      fc.property(fc.string(), someProbes, (monitorId, probes) => {
        const [owner] = Share.ranked(monitorId, probes)
        assert.deepStrictEqual(
          probes.filter((probe) => Share.of(probe, probes)(monitorId)),
          [owner]
        )
        assert.deepStrictEqual(Share.ranked(monitorId, probes.toReversed()), Share.ranked(monitorId, probes))
      })
    )
  })

  it("ranks next whoever has the monitor when the one before goes", () => {
    fc.assert(
      fc.property(fc.string(), someProbes, (monitorId, probes) => {
        const [owner, ...heirs] = Share.ranked(monitorId, probes)
        assert.deepStrictEqual(
          Share.ranked(
            monitorId,
            probes.filter((probe) => probe !== owner)
          ),
          heirs
        )
      })
    )
  })
})
