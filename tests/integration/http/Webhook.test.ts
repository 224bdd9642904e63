/** Stripe's webhooks: repeated, late, out of order, of old versions, and forged. */
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { Billing } from "@kanmon/identity/testing/billing/Billing.ts"
import { Stripe, through } from "../../support/stripe/Stripe.ts"
import { webhook } from "../../support/stripe/StripeServer.ts"
import type { StripeEvent } from "../../support/stripe/StripeState.ts"
import { buyer, deliver, environment, on, subscribed } from "./Buyer.ts"
import { call, port, publicUrl, refused } from "./Server.ts"

const live = { excludeTestServices: true } as const

/** What a further process of the installation makes of events. */
const anotherBilling = Effect.flatMap(Stripe, ({ url }) =>
  Effect.map(Layer.build(Layer.fresh(Billing.layer).pipe(Layer.provide(through(url, publicUrl)))), Context.get(Billing))
)

layer(environment, live)("the webhook", (it) => {
  it.effect("accepts only recent events with a valid signature", () =>
    Effect.gen(function* () {
      const ada = yield* buyer
      const { events } = yield* ada.pay("plan_pro")
      const [event] = events as [StripeEvent]
      const now = Math.floor(Date.now() / 1000)
      const { body, headers } = webhook(event)
      refused(yield* call("POST", "/billing/webhook", body), 400, "malformed_request")
      refused(yield* call("POST", "/billing/webhook", body, { "stripe-signature": "t=1" }), 400, "malformed_request")
      refused(yield* deliver(event, { secret: "whsec_other" }), 400, "malformed_request")
      refused(yield* deliver(event, { at: now - 301 }), 400, "malformed_request")
      refused(yield* call("POST", "/billing/webhook", `${body} `, headers), 400, "malformed_request")
      refused(yield* call("POST", "/billing/webhook", JSON.stringify(event), headers), 400, "malformed_request")
      assert.deepInclude(yield* ada.subscription, on("plan_free"))
      assert.deepStrictEqual((yield* deliver(event, { at: now - 290 })).body, { received: true })
      assert.deepInclude(yield* ada.subscription, on("plan_pro"))
    })
  )

  it.effect("processes a repeated event once, also concurrently", () =>
    Effect.gen(function* () {
      const stripe = yield* Stripe
      const ada = yield* buyer
      const { events } = yield* ada.pay("plan_pro")
      const [event] = events as [StripeEvent]
      const answers = yield* Effect.all(
        Array.from({ length: 8 }, () => deliver(event)),
        { concurrency: "unbounded" }
      )
      for (const { body, status } of answers) assert.deepStrictEqual([status, body], [200, { received: true }])
      const asked = stripe.heard.length
      assert.strictEqual((yield* deliver(event)).status, 200)
      // No request was made to Stripe.
      assert.strictEqual(stripe.heard.length, asked)
      assert.deepInclude(yield* ada.subscription, on("plan_pro"))
    })
  )

  it.effect("processes concurrent events of one account in every process and order", () =>
    Effect.gen(function* () {
      const stripe = yield* Stripe
      const { state } = stripe
      // The server is one process; these are others over the same database.
      const others = [yield* anotherBilling, yield* anotherBilling]
      stripe.onAnswer = async ({ path }) => {
        if (path.startsWith("/v1/subscriptions/")) await new Promise((resume) => setTimeout(resume, 200))
      }
      const tellIn = (order: (events: ReadonlyArray<StripeEvent>) => ReadonlyArray<StripeEvent>) =>
        Effect.gen(function* () {
          const ada = yield* buyer
          const { events, subscription } = yield* ada.pay("plan_pro")
          const later = ada.during(() => {
            for (const status of ["past_due", "active", "past_due", "active"]) state.turn(subscription.id, status)
          })
          const told = order([...events, ...later])
          assert.isAtLeast(told.length, 8)
          const before = stripe.heard.length
          const statuses = yield* Effect.forEach(
            told,
            (event, index) => {
              const { body, headers } = webhook(event)
              const other = others[index % 3]
              const hear =
                other === undefined
                  ? Effect.map(deliver(event), ({ status }) => status)
                  : Effect.as(Effect.orDie(other.receive(body, headers["stripe-signature"])), 200)
              return Effect.delay(hear, 60 * index)
            },
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual(
            statuses,
            told.map(() => 200)
          )
          assert.deepInclude(yield* ada.subscription, { ...on("plan_pro"), status: "active", pastDueSince: null })
          // Each event causes at most one request to Stripe.
          assert.isAtMost(stripe.heard.length - before, told.length)
        })
      yield* Effect.all([
        tellIn((events) => events),
        tellIn((events) => events.toReversed()),
        tellIn((events) => [
          ...events.filter((_, index) => index % 2 === 1),
          ...events.filter((_, index) => index % 2 === 0)
        ])
      ])
      stripe.onAnswer = undefined
    })
  )

  it.effect("ends in the current state for every order of events", () =>
    Effect.gen(function* () {
      const { state } = yield* Stripe
      const ada = yield* buyer
      const { events, subscription } = yield* ada.pay("plan_pro")
      const later = ada.during(() => {
        state.turn(subscription.id, "past_due")
        state.turn(subscription.id, "active")
        state.turn(subscription.id, "canceled")
      })
      const all = [...events, ...later]
      for (const event of [...all].reverse()) assert.strictEqual((yield* deliver(event)).status, 200)
      assert.deepInclude(yield* ada.subscription, { status: "canceled", effectivePlanId: "plan_free" })
      // A new one, and late news of the old.
      const again = yield* ada.pay("plan_team")
      const straggler = ada.during(() => state.tell("customer.subscription.updated", subscription))
      for (const event of [...again.events, ...straggler]) assert.strictEqual((yield* deliver(event)).status, 200)
      assert.deepInclude(yield* ada.subscription, { ...on("plan_team"), status: "active" })
    })
  )

  it.effect("does not let a late response overwrite a newer one", () =>
    Effect.gen(function* () {
      const stripe = yield* Stripe
      const ada = yield* buyer
      const { events, subscription } = yield* ada.pay("plan_pro")
      for (const event of events) yield* deliver(event)
      const { state } = stripe
      const [first] = ada.during(() => state.turn(subscription.id, "past_due"))
      const at = yield* port
      // While the answer "past_due" travels, the payment arrives and its webhook is handled.
      let slow = true
      stripe.onAnswer = async ({ path }) => {
        if (!slow || !path.endsWith(subscription.id)) return
        slow = false
        const [second] = ada.during(() => state.turn(subscription.id, "active"))
        const { body, headers } = webhook(second!)
        const address = `http://127.0.0.1:${at}/api/v1/billing/webhook`
        const reply = await fetch(address, { method: "POST", body, headers })
        assert.strictEqual(reply.status, 200)
      }
      assert.strictEqual((yield* deliver(first!)).status, 200)
      stripe.onAnswer = undefined
      assert.isFalse(slow)
      assert.deepInclude(yield* ada.subscription, { ...on("plan_pro"), status: "active", pastDueSince: null })
    })
  )

  it.effect("asks Stripe to retry if it cannot read the subscription", () =>
    Effect.gen(function* () {
      const stripe = yield* Stripe
      const ada = yield* buyer
      const { events } = yield* ada.pay("plan_pro")
      stripe.failing = 503
      refused(yield* deliver(events[0]!), 503, "unavailable")
      stripe.failing = undefined
      assert.strictEqual((yield* deliver(events[0]!)).status, 200)
      assert.deepInclude(yield* ada.subscription, on("plan_pro"))
    })
  )

  it.effect("reads invoices of old and new versions of Stripe's API", () =>
    Effect.gen(function* () {
      const { state } = yield* Stripe
      for (const shape of ["old", "new"]) {
        const ada = yield* buyer
        const { subscription } = yield* ada.pay("plan_pro")
        const named = { customer: subscription["customer"] }
        const invoice =
          shape === "old"
            ? state.add("in", "invoice", { ...named, subscription: subscription.id })
            : state.add("in", "invoice", {
                ...named,
                parent: { type: "subscription_details", subscription_details: { subscription: subscription.id } }
              })
        yield* deliver(state.tell("invoice.paid", invoice))
        assert.deepInclude(yield* ada.subscription, on("plan_pro"), shape)
      }
    })
  )

  it.effect("ignores unrelated events", () =>
    Effect.gen(function* () {
      const { state } = yield* Stripe
      const ada = yield* subscribed("plan_pro")
      const { customer } = ada.stripeSubscription as any
      const stranger = state.add("cus", "customer", {})
      const product = state.add("prod", "product", { name: "Mugs" })
      const price = state.add("price", "price", { product: product.id, unit_amount: 5, currency: "eur" })
      const items = (id: unknown) => ({
        items: { data: [{ ...ada.stripeSubscription["items"].data[0], price: { ...price, product: id } }] }
      })
      const sub = (fields: object) =>
        state.add("sub", "subscription", { status: "active", cancel_at: null, cancel_at_period_end: false, ...fields })
      for (const event of [
        state.tell("charge.refunded", state.add("ch", "charge", { customer })),
        state.tell("invoice.paid", state.add("in", "invoice", { customer, parent: null })),
        state.tell("customer.subscription.updated", sub({ customer: stranger.id, ...items(product.id) })),
        state.tell("customer.subscription.updated", sub({ customer, ...items(product.id) })),
        state.tell("customer.subscription.updated", { id: "sub_gone", object: "subscription", customer })
      ])
        assert.strictEqual((yield* deliver(event)).status, 200, event.type)
      assert.deepInclude(yield* ada.subscription, { ...on("plan_pro"), status: "active" })
    })
  )
})
