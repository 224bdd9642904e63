/** Buying, changing and leaving plans through the real Stripe library and a strict fake Stripe. */
import { assert, layer } from "@effect/vitest"
import { dayMillis } from "@kanmon/domain/Timestamp"
import { Accounts } from "@kanmon/identity/testing/accounts/Accounts.ts"
import { Effect, Layer } from "effect"
import { Billing } from "@kanmon/identity/testing/billing/Billing.ts"
import { at } from "../../support/Stage.ts"
import { Stripe, through } from "../../support/stripe/Stripe.ts"
import { buyer, deliver, environment, on, subscribed } from "./Buyer.ts"
import { person, publicUrl, refused } from "./Server.ts"

const live = { excludeTestServices: true } as const

layer(environment, live)("billing", (it) => {
  it.effect("activates the plan that was paid in the checkout", () =>
    Effect.gen(function* () {
      const stripe = yield* Stripe
      const ada = yield* buyer
      const { events, subscription } = yield* ada.pay("plan_pro")
      assert.deepInclude(yield* ada.subscription, { planId: "plan_free", effectivePlanId: "plan_free" })
      for (const event of events) assert.strictEqual((yield* deliver(event)).status, 200)
      const item = subscription["items"].data[0]
      const iso = (seconds: number) => new Date(seconds * 1000).toISOString()
      assert.deepStrictEqual(yield* ada.subscription, {
        ...on("plan_pro"),
        status: "active",
        currentPeriodStart: iso(item.current_period_start),
        currentPeriodEnd: iso(item.current_period_end),
        cancelAt: null,
        pastDueSince: null,
        graceEndsAt: null,
        monitorsUsed: 0,
        monitorsShared: 0,
        payments: true
      })
      const price = stripe.state.get("price", item.price.id)
      assert.deepInclude(price, {
        unit_amount: 990,
        currency: "eur",
        recurring: { interval: "month", interval_count: 1 }
      })
      assert.deepInclude(stripe.state.get("product", price["product"]), { name: "Pro" })
      const customer = stripe.state.get("customer", subscription["customer"])
      assert.strictEqual(customer["email"], ada.email)
      const session = stripe.state.all("checkout.session").find(({ customer: id }) => id === customer.id)!
      assert.match(session["success_url"], /^http:\/\/kanmon\.example\/\?/)
      assert.strictEqual(session["client_reference_id"], customer["metadata"].organizationId)
      assert.strictEqual(subscription["metadata"].organizationId, customer["metadata"].organizationId)
    })
  )

  it.effect("sells a plan as one product at one price, and each account as one customer", () =>
    Effect.gen(function* () {
      const { state } = yield* Stripe
      for (let buyers = 0; buyers < 2; buyers++) yield* subscribed("plan_team")
      const products = state.all("product").filter(({ name }) => name === "Team")
      assert.lengthOf(products, 1)
      assert.lengthOf(
        state.all("price").filter(({ product }) => product === products[0]!.id),
        1
      )
    })
  )

  it.effect("opens one checkout for repeated and concurrent requests", () =>
    Effect.gen(function* () {
      const { state } = yield* Stripe
      const ada = yield* buyer
      const answers = yield* Effect.all(
        Array.from({ length: 6 }, () => ada.checkout("plan_pro")),
        { concurrency: "unbounded" }
      )
      for (const { body, status } of answers) assert.strictEqual(status, 200, JSON.stringify(body))
      const urls = new Set(answers.map(({ body }) => body.checkoutUrl))
      assert.lengthOf([...urls], 1)
      const mine = () =>
        state.all("checkout.session").filter(({ metadata }) => metadata.organizationId === organizationId)
      const { organizationId } = state.all("checkout.session").find(({ url }) => urls.has(url))!["metadata"]
      assert.lengthOf(mine(), 1)
      assert.lengthOf(
        state.all("customer").filter(({ metadata }) => metadata.organizationId === organizationId),
        1
      )

      // Another plan closes the page of the first: so that the user cannot pay twice.
      const other = yield* ada.checkout("plan_team")
      assert.notInclude([...urls], other.body.checkoutUrl)
      assert.deepStrictEqual(
        mine()
          .map(({ status }) => status)
          .sort(),
        ["expired", "open"]
      )
      // One that has run out is replaced.
      const open = mine().find(({ status }) => status === "open")!
      Object.assign(open, { status: "expired", url: null })
      const again = yield* ada.checkout("plan_team")
      assert.strictEqual(again.status, 200)
      assert.notStrictEqual(again.body.checkoutUrl, other.body.checkoutUrl)
    })
  )

  it.effect("closes one of two concurrent checkouts for different plans", () =>
    Effect.gen(function* () {
      const { state } = yield* Stripe
      const ada = yield* buyer
      yield* Effect.all(
        ["plan_pro", "plan_team", "plan_pro", "plan_enterprise"].map((planId) => ada.checkout(planId)),
        { concurrency: "unbounded" }
      )
      const mine = state.all("checkout.session").slice(-1)[0]!["metadata"].organizationId
      const open = state
        .all("checkout.session")
        .filter(({ metadata, status }) => metadata.organizationId === mine && status === "open")
      assert.isAtMost(open.length, 1)
    })
  )

  it.effect("returns the first response for the same Idempotency-Key", () =>
    Effect.gen(function* () {
      const ada = yield* buyer
      const key = { "idempotency-key": "one" }
      const first = yield* ada.checkout("plan_pro", key)
      assert.deepStrictEqual((yield* ada.checkout("plan_pro", key)).body, first.body)
      refused(yield* ada.checkout("plan_team", key), 422, "validation_failed")
    })
  )

  it.effect("finds a payment without a webhook when the subscription is read", () =>
    Effect.gen(function* () {
      const ada = yield* buyer
      yield* ada.pay("plan_pro")
      refused(yield* ada.checkout("plan_pro"), 409, "conflict")
      assert.deepInclude(yield* ada.subscription, on("plan_pro"))
    })
  )

  it.effect("lets a subscriber change the plan, and cancel", () =>
    Effect.gen(function* () {
      const { state } = yield* Stripe
      const ada = yield* subscribed("plan_pro")
      refused(yield* ada.checkout("plan_pro"), 409, "conflict")
      const change = yield* ada.checkout("plan_team")
      assert.include(change.body.checkoutUrl, "billing.stripe.com")
      for (const event of ada.during(() => state.confirm(change.body.checkoutUrl))) yield* deliver(event)
      assert.deepInclude(yield* ada.subscription, on("plan_team"))

      const leave = yield* ada.checkout("plan_free")
      for (const event of ada.during(() => state.confirm(leave.body.checkoutUrl))) yield* deliver(event)
      const leaving = yield* ada.subscription
      assert.deepInclude(leaving, { ...on("plan_team"), status: "active", cancelAt: leaving.currentPeriodEnd })
      for (const event of ada.during(() => state.turn(ada.stripeSubscription.id, "canceled"))) yield* deliver(event)
      assert.deepInclude(yield* ada.subscription, {
        planId: "plan_team",
        effectivePlanId: "plan_free",
        status: "canceled"
      })
      // And come back.
      const { events } = yield* ada.pay("plan_pro")
      for (const event of events) yield* deliver(event)
      assert.deepInclude(yield* ada.subscription, { ...on("plan_pro"), status: "active" })
    })
  )

  it.effect("opens the portal for subscribers only", () =>
    Effect.gen(function* () {
      const { state } = yield* Stripe
      const ben = yield* buyer
      refused(yield* ben.withSession("POST", "/billing/portal"), 409, "conflict")
      const ada = yield* subscribed("plan_pro")
      const before = state.all("billing_portal.configuration").length
      const portals = [
        yield* ada.withSession("POST", "/billing/portal"),
        yield* ada.withSession("POST", "/billing/portal")
      ]
      for (const { body } of portals) assert.match(body.portalUrl, /^https:\/\/billing\.stripe\.com\//)
      assert.isAtMost(state.all("billing_portal.configuration").length, before + 1)
    })
  )

  it.effect("updates prices for new subscribers, and keeps those of existing ones", () =>
    Effect.gen(function* () {
      const { state } = yield* Stripe
      const root = yield* person
      yield* Effect.orDie(Effect.flatMap(Accounts, (accounts) => accounts.grantAdmin(root.email)))
      const { body: plan } = yield* root.withSession("POST", "/billing/plans", {
        name: "Studio",
        monitors: 200,
        checkInterval: 30,
        price: 19.9
      })
      const ada = yield* subscribed(plan.id)
      const changed = yield* root.withSession("PATCH", `/billing/plans/${plan.id}`, { price: 24.9, name: "Studio 2" })
      assert.strictEqual(changed.status, 200, JSON.stringify(changed.body))
      const product = state.all("product").find(({ metadata }) => metadata.planId === plan.id)!
      assert.strictEqual(product["name"], "Studio 2")
      const prices = state.all("price").filter((price) => price["product"] === product.id)
      assert.deepStrictEqual(
        prices.map(({ active, unit_amount }) => [unit_amount, active]),
        [
          [1990, false],
          [2490, true]
        ]
      )
      assert.strictEqual(ada.stripeSubscription["items"].data[0].price.unit_amount, 1990)
      // Its news still mean this plan.
      yield* deliver(state.turn(ada.stripeSubscription.id, "past_due"))
      assert.deepInclude(yield* ada.subscription, { ...on(plan.id), status: "past_due" })
      // And back to the price before: an old one is not taken from its grave.
      yield* root.withSession("PATCH", `/billing/plans/${plan.id}`, { price: 19.9 })
      const newest = state.all("price").filter((price) => price["product"] === product.id)
      assert.deepStrictEqual(
        newest.map(({ active }) => active),
        [false, false, true]
      )
      const ben = yield* subscribed(plan.id)
      assert.strictEqual(ben.stripeSubscription["items"].data[0].price.id, newest[2]!.id)

      refused(yield* root.withSession("DELETE", `/billing/plans/${plan.id}`), 409, "conflict")
      for (const one of [ada, ben]) yield* deliver(state.turn(one.stripeSubscription.id, "canceled"))
      assert.strictEqual((yield* root.withSession("DELETE", `/billing/plans/${plan.id}`)).status, 200)
      assert.isFalse(state.get("product", product.id)["active"])
      refused(yield* ada.checkout(plan.id), 422, "validation_failed", "planId")
    })
  )

  it.effect("reports that Stripe is down, and sells again afterwards without a second customer", () =>
    Effect.gen(function* () {
      const stripe = yield* Stripe
      const ada = yield* buyer
      stripe.failing = 500
      const away = yield* ada.checkout("plan_pro")
      refused(away, 503, "unavailable")
      assert.isNotNull(away.headers.get("retry-after"))
      stripe.failing = 401
      refused(yield* ada.checkout("plan_pro"), 503, "billing_not_configured")
      stripe.failing = undefined
      assert.strictEqual((yield* ada.checkout("plan_pro")).status, 200)
      assert.lengthOf(
        stripe.state.all("customer").filter(({ email }) => email === ada.email),
        1
      )
    })
  )

  it.effect("creates again what was deleted in Stripe", () =>
    Effect.gen(function* () {
      const { state } = yield* Stripe
      const ada = yield* subscribed("plan_pro")
      yield* deliver(state.turn(ada.stripeSubscription.id, "canceled"))
      const item = ada.stripeSubscription["items"].data[0]
      for (const id of [ada.stripeSubscription["customer"], item.price.id, item.price.product]) state.objects.delete(id)
      const { events, subscription } = yield* ada.pay("plan_pro")
      for (const event of events) yield* deliver(event)
      assert.notStrictEqual(subscription["customer"], ada.stripeSubscription["customer"])
      assert.notStrictEqual(subscription["items"].data[0].price.product, item.price.product)
      assert.deepInclude(yield* ada.subscription, { ...on("plan_pro"), status: "active" })
      // A deleted subscription cannot be restored.
      state.objects.delete(subscription.id)
      refused(yield* ada.checkout("plan_team"), 409, "conflict")
    })
  )

  it.effect("reads subscriptions without news since their period ended", () =>
    Effect.gen(function* () {
      const stripe = yield* Stripe
      const ada = yield* subscribed("plan_pro")
      const catchUp = Effect.flatMap(Billing, ({ catchUp }) => catchUp).pipe(
        Effect.provide(Billing.layer.pipe(Layer.provide(through(stripe.url, publicUrl))))
      )
      // No webhook is sent for this.
      stripe.state.turn(ada.stripeSubscription.id, "canceled")
      yield* catchUp
      assert.deepInclude(yield* ada.subscription, { status: "active" })
      const end = Date.parse((yield* ada.subscription).currentPeriodEnd)
      stripe.failing = 500
      yield* catchUp.pipe(at(end + dayMillis + 1))
      stripe.failing = undefined
      assert.deepInclude(yield* ada.subscription, { status: "active" })
      yield* catchUp.pipe(at(end + dayMillis + 1))
      assert.deepInclude(yield* ada.subscription, { status: "canceled", effectivePlanId: "plan_free" })
    })
  )

  it.effect("sends documented requests, each with its own idempotency key", () =>
    Effect.gen(function* () {
      const { heard } = yield* Stripe
      yield* subscribed("plan_pro")
      const deeds = heard.filter(({ method }) => method === "POST")
      assert.isAbove(deeds.length, 3)
      for (const { idempotencyKey, path } of deeds)
        if (/customers$|products$|prices$|sessions$/.test(path) && !path.includes("portal"))
          assert.match(idempotencyKey!, /^kanmon-/, path)
    })
  )
})
