import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as Assignment from "../src/Assignment.ts"

const monitors = Array.from({ length: 3000 }, (_, index) => `mon_${index.toString(36).padStart(26, "0")}`)
const mine = (own: string, probes: ReadonlyArray<string>) => monitors.filter(Assignment.of(own, probes))

describe("Assignment", () => {
  it("assigns everything to a single probe, announced or not", () => {
    assert.strictEqual(mine("a", []).length, monitors.length)
    assert.strictEqual(mine("a", ["a"]).length, monitors.length)
  })

  it("assigns every monitor to one probe, in about equal numbers", () => {
    const probes = ["a", "b", "c"]
    const shares = probes.map((own) => mine(own, probes.toReversed()))
    assert.deepStrictEqual(shares.flat().sort(), monitors.toSorted())
    for (const share of shares) assert.closeTo(share.length, 1000, 100)
  })

  it("moves only the monitors of a probe that leaves", () => {
    const after = new Set(mine("a", ["a", "b"]))
    assert.isTrue(mine("a", ["a", "b", "c"]).every((monitor) => after.has(monitor)))
  })

  const someProbes = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 8 })

  it("ranks first the probe that a monitor is assigned to, for any order of probes", () => {
    fc.assert(
      fc.property(fc.string(), someProbes, (monitorId, probes) => {
        const [owner] = Assignment.ranked(monitorId, probes)
        assert.deepStrictEqual(
          probes.filter((probe) => Assignment.of(probe, probes)(monitorId)),
          [owner]
        )
        assert.deepStrictEqual(Assignment.ranked(monitorId, probes.toReversed()), Assignment.ranked(monitorId, probes))
      })
    )
  })

  it("ranks next the probe that takes over", () => {
    fc.assert(
      fc.property(fc.string(), someProbes, (monitorId, probes) => {
        const [owner, ...heirs] = Assignment.ranked(monitorId, probes)
        assert.deepStrictEqual(
          Assignment.ranked(
            monitorId,
            probes.filter((probe) => probe !== owner)
          ),
          heirs
        )
      })
    )
  })
})
