import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { PlanId } from "../src/Ids.ts"
import { freePlanId } from "../src/Plan.ts"
import { type Contender, graceMillis, planInForce, SubscriptionStatus, supersedes } from "../src/Subscription.ts"

const status = fc.constantFrom(...SubscriptionStatus.literals)
const pro = PlanId.make("plan_pro")
const now = Date.UTC(2026, 10, 21)

describe("planInForce", () => {
  it("is the default plan without a subscription", () =>
    assert.strictEqual(planInForce(undefined, freePlanId, now), freePlanId))

  it.each([
    ["active", null, pro],
    ["trialing", null, pro],
    ["canceled", null, freePlanId],
    ["incomplete", null, freePlanId],
    ["past_due", now, pro],
    ["past_due", now - graceMillis + 1, pro],
    ["past_due", now - graceMillis, freePlanId]
  ] as const)("for a subscription that is %s since %s is %s", (status, pastDueSince, expected) =>
    assert.strictEqual(planInForce({ planId: pro, status, pastDueSince }, freePlanId, now), expected)
  )
})

describe("supersedes", () => {
  const contenders: fc.Arbitrary<ReadonlyArray<Contender>> = fc.uniqueArray(
    fc.record({ id: fc.constantFrom("a", "b", "c", "d"), status, createdAt: fc.integer({ min: 0, max: 3 }) }),
    { selector: ({ id }) => id, minLength: 1 }
  )
  const last = (news: ReadonlyArray<Contender>) =>
    news.reduce<Contender | undefined>(
      (current, incoming) => (supersedes(incoming, current) ? incoming : current),
      undefined
    )

  it("ends in the same subscription for any order and repetition of reports", () => {
    fc.assert(
      fc.property(
        contenders.chain((news) =>
          fc.tuple(fc.constant(news), fc.shuffledSubarray([...news, ...news], { minLength: news.length * 2 }))
        ),
        ([news, shuffled]) => assert.deepStrictEqual(last(shuffled), last(news))
      )
    )
  })

  it("never lets an old one end a live one", () => {
    const live: Contender = { id: "new", status: "active", createdAt: 2 }
    assert.isFalse(supersedes({ id: "old", status: "canceled", createdAt: 1 }, live))
    assert.isFalse(supersedes({ id: "old", status: "active", createdAt: 1 }, live))
    assert.isTrue(supersedes({ id: "new", status: "canceled", createdAt: 2 }, live))
  })
})
