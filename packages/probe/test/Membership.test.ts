import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as Membership from "../src/Membership.ts"

describe("Membership", () => {
  it("removes a probe that was silent during three of its own registrations", () => {
    const membership = Membership.make("own", 3)
    assert.isTrue(membership.renewed("other"))
    assert.deepStrictEqual([membership.renewed("own"), membership.renewed("own")], [false, false])
    assert.isFalse(membership.renewed("other"))
    assert.deepStrictEqual(
      [membership.renewed("own"), membership.renewed("own"), membership.renewed("own")],
      [false, false, true]
    )
    assert.deepStrictEqual(membership.members(), ["own"])
    assert.isTrue(membership.renewed("other"), "it is back")
  })

  it("removes a probe that leaves immediately", () => {
    const membership = Membership.make("own", 3)
    membership.renewed("other")
    assert.isTrue(membership.left("other"))
    assert.isFalse(membership.left("other"))
  })

  it("never removes a probe while it does not see its own registration", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "b", "c")), (renewed) => {
        const membership = Membership.make("own", 3)
        for (const probe of renewed) membership.renewed(probe)
        assert.deepStrictEqual(membership.members(), [...new Set(["own", ...renewed])].sort())
      })
    )
  })

  it("reports exactly the changes", () => {
    const step = fc.tuple(fc.constantFrom("renewed", "left"), fc.constantFrom("own", "a", "b"))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const membership = Membership.make("own", 3)
        for (const [what, probe] of steps) {
          if (what === "left" && probe === "own") continue
          const before = membership.members()
          const changed = what === "renewed" ? membership.renewed(probe) : membership.left(probe)
          assert.strictEqual(changed, before.join() !== membership.members().join())
          assert.include(membership.members(), "own")
        }
      })
    )
  })
})
