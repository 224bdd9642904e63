/** A user who buys plans through the fake Stripe, and the events Stripe sends. */
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { payments, Stripe } from "../../support/stripe/Stripe.ts"
import { webhook } from "../../support/stripe/StripeServer.ts"
import type { StripeEvent } from "../../support/stripe/StripeState.ts"
import { call, layer as server, person, publicUrl } from "./Server.ts"

/** An installation that sells plans through a Stripe of its own. */
export const environment = server({ defaultPlan: "plan_free", payments: payments(publicUrl) }).pipe(
  Layer.provideMerge(Stripe.layer)
)

/** Delivers an event as Stripe does. */
export const deliver = (event: StripeEvent, options: Parameters<typeof webhook>[1] = {}) => {
  const { body, headers } = webhook(event, options)
  return call("POST", "/billing/webhook", body, headers)
}

/** A user who can buy plans. */
export const buyer = Effect.gen(function* () {
  const ada = yield* person
  const stripe = yield* Stripe
  const checkout = (planId: string, headers = {}) => ada.withSession("POST", "/billing/checkout", { planId }, headers)
  const sessionOf = (url: string) => /cs_test_\d+$/.exec(url)![0]
  /** Events since then, in order. */
  const since = (length: number) => stripe.state.events.slice(length)
  return {
    ...ada,
    checkout,
    subscription: Effect.map(ada.withSession("GET", "/billing/subscription"), ({ body }) => body),
    /** Completes a checkout without sending webhooks. */
    pay: (planId: string) =>
      Effect.gen(function* () {
        const before = stripe.state.events.length
        const { body, status } = yield* checkout(planId)
        assert.strictEqual(status, 200, JSON.stringify(body))
        const subscription = stripe.state.pay(sessionOf(body.checkoutUrl))
        return { subscription, events: since(before) }
      }),
    /** Runs an action at Stripe and returns its events. */
    during: (deed: () => unknown) => {
      const before = stripe.state.events.length
      deed()
      return since(before)
    }
  }
})

export const subscribed = (planId: string) =>
  Effect.gen(function* () {
    const ada = yield* buyer
    const { events, subscription } = yield* ada.pay(planId)
    for (const event of events) assert.strictEqual((yield* deliver(event)).status, 200)
    assert.deepInclude(yield* ada.subscription, { planId, effectivePlanId: planId, status: "active" })
    return { ...ada, stripeSubscription: subscription }
  })

/** The plan that is paid is in force. */
export const on = (planId: string) => ({ planId, effectivePlanId: planId })
