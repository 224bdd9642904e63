/** Usage windows: their limits and their number. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { Windows } from "../../src/http/Windows.ts"

/** Uses over time: steps in milliseconds, and keys. */
const uses = fc.array(fc.tuple(fc.nat(15_000), fc.nat(30)), { maxLength: 200 })

describe("windows of use", () => {
  it("admits a key up to the limit in each window", () =>
    fc.assert(
      fc.property(uses, fc.integer({ min: 1, max: 5 }), (steps, limit) => {
        const windows = new Windows({ seconds: 60, capacity: 1_000 })
        const begun = new Map<string, { at: number; used: number }>()
        let now = 0
        for (const [step, number] of steps) {
          now += step
          const key = `k${number}`
          const known = begun.get(key)
          const model = known !== undefined && now < known.at + 60_000 ? known : { at: now, used: 0 }
          begun.set(key, model)
          assert.strictEqual(windows.peek(key, limit, now).admitted, model.used < limit)
          const { admitted, remaining, reset } = windows.use(key, limit, now)
          assert.strictEqual(admitted, model.used < limit)
          if (admitted) model.used++
          assert.deepStrictEqual([remaining, reset], [limit - model.used, (model.at + 60_000 - now) / 1000])
        }
      })
    ))

  it("keeps no more keys than its capacity, and drops expired ones", () =>
    fc.assert(
      fc.property(uses, fc.integer({ min: 1, max: 20 }), (steps, capacity) => {
        const windows = new Windows({ seconds: 60, capacity })
        let now = 0
        for (const [step, number] of steps) {
          now += step
          windows.use(`k${number}`, 3, now)
          assert.isAtMost(windows.size, capacity)
        }
        windows.use("last", 3, now + 60_000)
        assert.strictEqual(windows.size, 1)
      })
    ))

  it("distinguishes long keys that share a prefix", () => {
    const windows = new Windows({ seconds: 60, capacity: 10 })
    const long = "x".repeat(100_000)
    assert.isTrue(windows.use(`${long}a`, 1, 0).admitted)
    assert.isTrue(windows.use(`${long}b`, 1, 0).admitted)
    assert.isFalse(windows.use(`${long}a`, 1, 0).admitted)
  })
})
