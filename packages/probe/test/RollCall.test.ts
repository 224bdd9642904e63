import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as RollCall from "../src/RollCall.ts"

describe("the roll call", () => {
  it("thinks another gone that was silent while this one heard itself three times", () => {
    const roll = RollCall.make("own", 3)
    assert.isTrue(roll.heard("other"))
    assert.deepStrictEqual([roll.heard("own"), roll.heard("own")], [false, false])
    assert.isFalse(roll.heard("other"))
    assert.deepStrictEqual([roll.heard("own"), roll.heard("own"), roll.heard("own")], [false, false, true])
    assert.deepStrictEqual(roll.present(), ["own"])
    assert.isTrue(roll.heard("other"), "it is back")
  })

  it("notices at once who says that it leaves", () => {
    const roll = RollCall.make("own", 3)
    roll.heard("other")
    assert.isTrue(roll.left("other"))
    assert.isFalse(roll.left("other"))
  })

  it("never thinks anybody gone as long as it does not hear itself", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "b", "c")), (heard) => {
        const roll = RollCall.make("own", 3)
        for (const probe of heard) roll.heard(probe)
        assert.deepStrictEqual(roll.present(), [...new Set(["own", ...heard])].sort())
      })
    )
  })

  it("says that something changed exactly when it did", () => {
    const step = fc.tuple(fc.constantFrom("heard", "left"), fc.constantFrom("own", "a", "b"))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const roll = RollCall.make("own", 3)
        for (const [what, probe] of steps) {
          if (what === "left" && probe === "own") continue
          const before = roll.present()
          const changed = what === "heard" ? roll.heard(probe) : roll.left(probe)
          assert.strictEqual(changed, before.join() !== roll.present().join())
          assert.include(roll.present(), "own")
        }
      })
    )
  })
})
