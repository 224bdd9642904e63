import { MonitorId } from "@kanmon/domain/Ids"
import { assert, describe, it } from "@effect/vitest"
import { ofSettings } from "../../src/monitors/MonitorWarnings.ts"

const monitor = { interval: 60, timeout: 30, regions: ["eu-west"], signalToken: null }
const context = { knownRegions: ["eu-west"], defaultTimeout: 30, duplicates: [] }
const codes = (changed: Partial<typeof monitor>, more: Partial<Parameters<typeof ofSettings>[1]> = {}) =>
  ofSettings({ ...monitor, ...changed }, { ...context, ...more }).map(({ code }) => code)

describe("warnings about settings", () => {
  it("are absent for a usual monitor, and for a default timeout that was lowered to the interval", () => {
    assert.deepStrictEqual(codes({}), [])
    assert.deepStrictEqual(codes({ interval: 10, timeout: 10 }), [])
    assert.deepStrictEqual(codes({ regions: [] }, { knownRegions: [] }), [])
  })

  it("name a region that is gone, a timeout close to the interval, and duplicates", () => {
    assert.deepStrictEqual(codes({ regions: ["eu-west", "us-east"] }), ["region_unknown"])
    assert.deepStrictEqual(codes({ timeout: 59 }), ["timeout_near_interval"])
    const duplicates = ["a", "b", "c", "d"].map((id) => ({ id: MonitorId.make(`mon_${id}`), name: id.toUpperCase() }))
    const [warning] = ofSettings(monitor, { ...context, duplicates })
    assert.strictEqual(warning!.message, "The same target is checked by A (mon_a), B (mon_b), C (mon_c) and others")
  })
})
