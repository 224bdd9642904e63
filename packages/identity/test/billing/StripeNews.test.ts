/** Stripe events, in the formats of current and former API versions. */
import { assert, describe, it } from "@effect/vitest"
import { PlanId } from "@kanmon/domain/Ids"
import { freePlanId } from "@kanmon/domain/Plan"
import { graceMillis, planInForce } from "@kanmon/domain/Subscription"
import { Option } from "effect"
import * as fc from "fast-check"
import type Stripe from "stripe"
import * as StripeNews from "../../src/billing/StripeNews.ts"

const item = {
  id: "si_1",
  current_period_start: 1_795_200_000,
  current_period_end: 1_797_792_000,
  price: { id: "price_pro", product: "prod_1" }
}

const subscription = (more: object): Stripe.Subscription =>
  ({
    id: "sub_1",
    status: "active",
    created: 1_795_200_000,
    cancel_at: null,
    cancel_at_period_end: false,
    items: { data: [item] },
    ...more
  }) as never

const read = (more: object) => Option.getOrThrow(StripeNews.ofSubscription(subscription(more)))

const event = (type: string, object: object): Stripe.Event => ({ id: "evt_1", type, data: { object } }) as never

describe("a subscription of Stripe's", () => {
  it("has its period with its item", () =>
    assert.deepStrictEqual(read({}), {
      id: "sub_1",
      itemId: "si_1",
      productId: "prod_1",
      status: "active",
      currentPeriodStart: 1_795_200_000_000,
      currentPeriodEnd: 1_797_792_000_000,
      cancelAt: null,
      createdAt: 1_795_200_000_000
    }))

  it.each([
    ["active", "active"],
    ["trialing", "trialing"],
    ["past_due", "past_due"],
    ["unpaid", "incomplete"],
    ["canceled", "canceled"],
    ["incomplete", "incomplete"],
    ["incomplete_expired", "canceled"],
    ["paused", "incomplete"],
    ["something new", "incomplete"]
  ])("that is %s is %s", (status, ours) => assert.strictEqual(read({ status }).status, ours))

  it("gives its plan while it is paid or tried, for a grace while a payment is late, and never otherwise", () => {
    const pro = PlanId.make("plan_pro")
    const statuses = fc.constantFrom<Stripe.Subscription.Status>(
      "incomplete",
      "incomplete_expired",
      "trialing",
      "active",
      "past_due",
      "canceled",
      "unpaid",
      "paused"
    )
    const now = Date.UTC(2026, 10, 21)
    const sinces = fc.integer({ min: now - 2 * graceMillis, max: now })
    fc.assert(
      fc.property(statuses, sinces, (status, since) => {
        const ours = read({ status }).status
        const pastDueSince = ours === "past_due" ? since : null
        const inForce = planInForce({ planId: pro, status: ours, pastDueSince }, freePlanId, now)
        const paid =
          status === "active" || status === "trialing" || (status === "past_due" && now < since + graceMillis)
        assert.strictEqual(inForce, paid ? pro : freePlanId)
      })
    )
  })

  it("ends when it says so, in either way", () => {
    assert.strictEqual(read({ cancel_at_period_end: true }).cancelAt, 1_797_792_000_000)
    assert.strictEqual(read({ cancel_at: 1_796_000_000 }).cancelAt, 1_796_000_000_000)
  })

  it("names its product, whether or not it comes along", () => {
    const items = { data: [{ ...item, price: { id: "price_pro", product: { id: "prod_2" } } }] }
    assert.strictEqual(read({ items }).productId, "prod_2")
  })

  it("ignores an unknown event", () =>
    assert.isTrue(Option.isNone(StripeNews.ofSubscription(subscription({ items: { data: [] } })))))
})

describe("an event of Stripe's", () => {
  const about = { subscriptionId: "sub_1", customerId: "cus_1" }
  const customer = "cus_1"
  it.each([
    ["customer.subscription.updated", { id: "sub_1", customer }],
    ["customer.subscription.deleted", { id: "sub_1", customer: { id: "cus_1" } }],
    ["checkout.session.completed", { id: "cs_1", customer, subscription: "sub_1" }],
    ["checkout.session.async_payment_succeeded", { id: "cs_1", customer, subscription: { id: "sub_1" } }],
    ["invoice.paid", { id: "in_1", customer, parent: { subscription_details: { subscription: "sub_1" } } }],
    ["invoice.payment_failed", { id: "in_1", customer, subscription: "sub_1" }],
    ["invoice.finalization_failed", { id: "in_1", customer, parent: null, subscription: "sub_1" }]
  ])("called %s is about a subscription", (type, object) =>
    assert.deepStrictEqual(StripeNews.ofEvent(event(type, object)), { id: "evt_1", type, about })
  )

  it.each([
    ["checkout.session.expired", { id: "cs_1", customer, subscription: null }],
    ["invoice.paid", { id: "in_1", customer, parent: { subscription_details: null } }],
    ["invoice.paid", { id: "in_1" }],
    ["customer.updated", { id: "cus_1" }],
    ["charge.refunded", { id: "ch_1", customer, subscription: "sub_1" }]
  ])("called %s can be about none: %j", (type, object) =>
    assert.isUndefined(StripeNews.ofEvent(event(type, object)).about)
  )
})
