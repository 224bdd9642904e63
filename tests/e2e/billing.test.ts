/** A plan is outgrown, bought, lost and bought again: through the running product, over HTTP, with a Stripe beside it. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { kanmon } from "../support/Kanmon.ts"
import { checkedAs } from "../support/Checks.ts"
import { make, type Product } from "../support/Product.ts"
import * as SharedProduct from "../support/SharedProduct.ts"
import * as StripeServer from "../support/stripe/StripeServer.ts"
import * as WebTarget from "../support/WebTarget.ts"

/** A product that sells plans, with its Stripe. */
class Shop extends Context.Service<Shop, { readonly product: Product; readonly stripe: StripeServer.StripeServer }>()(
  "@kanmon/tests/e2e/billing/Shop"
) {
  static readonly layer = Layer.effect(
    Shop,
    Effect.gen(function* () {
      const stripe = yield* StripeServer.make
      const product = yield* make({
        env: {
          KANMON_WRITES_PER_MINUTE: "1000",
          STRIPE_SECRET_KEY: StripeServer.secretKey,
          STRIPE_WEBHOOK_SECRET: StripeServer.webhookSecret,
          STRIPE_API_BASE: stripe.url
        }
      })
      yield* product.healthy
      return { product, stripe }
    })
  )
}

describe("billing", () => {
  layer(Shop.layer, { timeout: "10 minutes", excludeTestServices: true })((it) => {
    it.effect("gives accounts without a subscription the free plan if plans are sold", () =>
      Effect.gen(function* () {
        const { product } = yield* Shop
        const ada = yield* product.signUp
        const refusal = yield* ada.call("POST", "/monitors", { name: "Job", type: "heartbeat", interval: 10 })
        assert.strictEqual(refusal.status, 402)
        assert.deepInclude(refusal.body, { code: "plan_limit_reached", limit: 60, current: 10, planId: "plan_free" })
      })
    )

    it.effect("limits an account, sells it a plan, pauses its monitors when the plan ends, and resumes them", () =>
      Effect.gen(function* () {
        const { product, stripe } = yield* Shop
        const web = yield* WebTarget.make
        const ada = yield* product.signUp
        const create = (name: string, interval = 60) =>
          ada.call("POST", "/monitors", { name, type: "http", url: `http://127.0.0.1:${web.port}/`, interval })
        const { cookie } = ada
        const withSession = (method: string, route: string, body?: unknown) =>
          product.call(method, route, body, { cookie })
        const subscription = Effect.map(withSession("GET", "/billing/subscription"), ({ body }) => body)
        const monitor = (id: string) => Effect.map(ada.call("GET", `/monitors/${id}`), ({ body }) => body)
        /** Does something at Stripe's, which tells of it. */
        const letKnow = (deed: () => unknown) =>
          Effect.gen(function* () {
            const before = stripe.state.events.length
            deed()
            for (const event of stripe.state.events.slice(before)) {
              const { body, headers } = StripeServer.webhook(event)
              const answer = yield* product.call("POST", "/billing/webhook", body, headers)
              assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
            }
          })
        const buy = (planId: string) =>
          Effect.gen(function* () {
            const { body, status } = yield* withSession("POST", "/billing/checkout", { planId })
            assert.strictEqual(status, 200, JSON.stringify(body))
            yield* letKnow(() => stripe.state.pay(/cs_test_\d+$/.exec(body.checkoutUrl)![0]))
          })

        // The free plan is full.
        for (let index = 1; index <= 50; index++) assert.strictEqual((yield* create(`Web ${index}`)).status, 201)
        const refusal = yield* create("One more")
        assert.strictEqual(refusal.status, 402)
        assert.deepInclude(refusal.body, { code: "plan_limit_reached", limit: 50, current: 50, planId: "plan_free" })
        assert.include(refusal.body.detail, "/billing/checkout")

        // A larger one has room, and checks more often.
        yield* buy("plan_pro")
        assert.deepInclude(yield* subscription, { planId: "plan_pro", effectivePlanId: "plan_pro", status: "active" })
        const { body: newest } = yield* create("One more", 30)
        assert.deepInclude(newest, { interval: 30, paused: false })
        yield* checkedAs(ada, newest.id, "up")

        // It is lost: nothing is deleted.
        const [bought] = stripe.state.all("subscription")
        yield* letKnow(() => stripe.state.turn(bought!.id, "canceled"))
        assert.deepInclude(yield* subscription, { effectivePlanId: "plan_free", status: "canceled", monitorsUsed: 51 })
        assert.deepInclude(yield* monitor(newest.id), {
          status: "paused",
          paused: true,
          pausedReason: "plan_limit",
          interval: 60,
          wantedInterval: 30
        })
        const { body: all } = yield* ada.call("GET", "/monitors")
        assert.lengthOf(
          all.filter(({ paused }: { paused: boolean }) => paused),
          1
        )
        assert.strictEqual((yield* ada.call("PATCH", `/monitors/${newest.id}`, { paused: false })).status, 402)

        // And bought again: everything is as it was.
        yield* buy("plan_team")
        assert.deepInclude(yield* monitor(newest.id), {
          paused: false,
          pausedReason: null,
          interval: 30,
          wantedInterval: null
        })
        yield* checkedAs(ada, newest.id, "up")
        assert.notInclude(product.output(), StripeServer.secretKey)
        assert.notInclude(product.output(), StripeServer.webhookSecret)
      }).pipe(Effect.scoped)
    )
  })

  it.live("has no limits if plans are not sold", () =>
    Effect.gen(function* () {
      const product = yield* SharedProduct.product
      const ada = yield* product.signUp
      for (let index = 1; index <= 51; index++) {
        const body = { name: `Job ${index}`, type: "heartbeat", interval: 10 }
        const made = yield* ada.call("POST", "/monitors", body)
        assert.strictEqual(made.status, 201, JSON.stringify(made.body))
      }
      const subscription = yield* product.call("GET", "/billing/subscription", undefined, { cookie: ada.cookie })
      assert.deepInclude(subscription.body, { planId: "plan_enterprise", status: "active", monitorsUsed: 51 })
      const { body: plans } = yield* product.call("GET", "/billing/plans")
      assert.deepStrictEqual(
        plans.map(({ id }: { readonly id: string }) => id),
        ["plan_free", "plan_pro", "plan_team", "plan_enterprise"]
      )
      const doctor = yield* kanmon(["doctor"], { KANMON_DATA_DIR: product.dataDirectory })
      assert.match(doctor.output, /billing +off; monitors are not limited/)
      assert.notMatch(product.output() + doctor.output, /\bplan\b|plan_/i)
    }).pipe(Effect.scoped)
  )
})
