/** Plans on the wire: prices as people write them, and a change that changes nothing else. */
import { assert, describe, it } from "@effect/vitest"
import { PlanId } from "@kanmon/domain/Ids"
import { Currency } from "@kanmon/domain/Money"
import type { Plan } from "@kanmon/domain/Plan"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import * as PlanBody from "../src/PlanBody.ts"

const plans: fc.Arbitrary<Plan> = fc.record({
  id: fc.constant(PlanId.make("plan_x")),
  name: fc.constantFrom("Studio", "門"),
  monitors: fc.oneof(fc.constant(-1), fc.integer({ min: 1, max: 1_000_000 })),
  checkInterval: fc.integer({ min: 10, max: 86_400 }),
  regions: fc.option(fc.integer({ min: 1, max: 1000 })),
  customDomain: fc.boolean(),
  unlimitedTeamMembers: fc.boolean(),
  sso: fc.boolean(),
  priceMinor: fc.integer({ min: 0, max: 999_999 }),
  currency: fc.constantFrom(...Currency.literals)
})

describe("PlanBody", () => {
  it("leaves a plan as it is when nothing is changed", () => {
    fc.assert(
      fc.property(plans, ({ id, ...plan }) => {
        assert.deepStrictEqual(Result.getOrThrow(PlanBody.decode(PlanBody.merge({ id, ...plan }, {}))), plan)
      })
    )
  })

  it("shows prices, and flags where they say yes", () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const record = PlanBody.encode(plan)
        assert.deepStrictEqual(Schema.decodeUnknownSync(PlanBody.PlanRecord)(record), record)
        assert.strictEqual(record.customDomain ?? false, plan.customDomain)
        assert.strictEqual("currency" in record, plan.priceMinor > 0)
      })
    )
  })

  it("says which currencies there are", () => {
    const body = { name: "Studio", monitors: 1, checkInterval: 60, price: 1, currency: "XXX" }
    const result = PlanBody.decode(body)
    assert.isTrue(Result.isFailure(result))
    if (Result.isFailure(result)) assert.include(result.failure.errors[0]!.message, "EUR")
  })

  it.each([null, [], "free", 5, { price: Number.NaN }, { __proto__: null, price: 1 }])("refuses %j", (body) =>
    assert.isTrue(Result.isFailure(PlanBody.decode(body)))
  )
})
