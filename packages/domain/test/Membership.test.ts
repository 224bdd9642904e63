import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as Membership from "../src/Membership.ts"
import { includes, type Role, roles } from "../src/Role.ts"

const role = fc.constantFrom(...roles)

describe("the rules of memberships", () => {
  it("never let a caller give or take a role above their own", () => {
    fc.assert(
      fc.property(role, role, role, fc.integer({ min: 1, max: 5 }), (caller, from, to, owners) => {
        if (Membership.change(caller, { from, to }, owners) === undefined) {
          assert.isTrue(includes(caller, from))
          assert.isTrue(includes(caller, to))
          assert.isTrue(includes(caller, "admin"))
        }
        if (Membership.give(caller, to) === undefined) assert.isTrue(includes(caller, to) && includes(caller, "admin"))
        if (Membership.end(caller, { isSelf: false, role: from }, owners) === undefined)
          assert.isTrue(includes(caller, from) && includes(caller, "admin"))
      })
    )
  })

  it("name a role with which the change is allowed", () => {
    fc.assert(
      fc.property(role, role, role, (caller, from, to) => {
        const refusal = Membership.change(caller, { from, to }, 2)
        if (refusal?.why === "role") assert.isUndefined(Membership.change(refusal.needed, { from, to }, 2))
      })
    )
  })

  it("leave an owner after any actions in any order", () => {
    const step = fc.record({ caller: fc.nat(), target: fc.nat(), to: fc.option(role, { nil: undefined }) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.array(role, { maxLength: 6 }), (steps, others) => {
        const members: Array<Role> = ["owner", ...others]
        for (const { caller, target, to } of steps) {
          const [by, whose] = [caller % members.length, target % members.length]
          const owners = members.filter((one) => one === "owner").length
          const from = members[whose]!
          const refusal =
            to === undefined
              ? Membership.end(members[by]!, { isSelf: by === whose, role: from }, owners)
              : Membership.change(members[by]!, { from, to }, owners)
          if (refusal !== undefined) continue
          if (to === undefined) members.splice(whose, 1)
          else members[whose] = to
          assert.include(members, "owner")
        }
      })
    )
  })

  it("let every member leave, except the last owner", () => {
    for (const one of roles) {
      assert.isUndefined(Membership.end(one, { isSelf: true, role: one }, 2))
      assert.deepStrictEqual(
        Membership.end(one, { isSelf: true, role: one }, 1),
        one === "owner" ? { why: "lastOwner" } : undefined
      )
    }
  })
})
