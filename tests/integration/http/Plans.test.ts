/** Plans over HTTP and their limits on monitors, without billing. */
import { assert, layer } from "@effect/vitest"
import { Accounts } from "@kanmon/identity/testing/accounts/Accounts.ts"
import { Effect } from "effect"
import { type ApiResponse, call, layer as server, person, refused, shop } from "./Server.ts"

const live = { excludeTestServices: true } as const

const admin = Effect.gen(function* () {
  const ada = yield* person
  yield* Effect.orDie(Effect.flatMap(Accounts, (accounts) => accounts.grantAdmin(ada.email)))
  return ada
})

const studio = { name: "Studio", monitors: 200, checkInterval: 30, regions: 3, price: 19.9 }
const plans = Effect.map(call("GET", "/billing/plans"), ({ body }) => body as ReadonlyArray<any>)

layer(server({ defaultPlan: "plan_free" }), live)("plans", (it) => {
  it.effect("has four public default plans", () =>
    Effect.gen(function* () {
      const answer = yield* call("GET", "/billing/plans")
      assert.strictEqual(answer.status, 200)
      assert.include(answer.headers.get("cache-control")!, "public, max-age=")
      assert.deepStrictEqual(answer.body, [
        { id: "plan_free", name: "Free", monitors: 50, checkInterval: 60, customDomain: true, price: 0 },
        { id: "plan_pro", name: "Pro", monitors: 100, checkInterval: 30, price: 9.9, currency: "EUR" },
        {
          id: "plan_team",
          name: "Team",
          monitors: 500,
          checkInterval: 30,
          unlimitedTeamMembers: true,
          price: 39,
          currency: "EUR"
        },
        {
          id: "plan_enterprise",
          name: "Enterprise",
          monitors: -1,
          checkInterval: 10,
          sso: true,
          price: 99,
          currency: "EUR"
        }
      ])
    })
  )

  it.effect("lets admins create, change and delete plans", () =>
    Effect.gen(function* () {
      const ada = yield* admin
      const made = yield* ada.withSession("POST", "/billing/plans", studio)
      assert.strictEqual(made.status, 201, JSON.stringify(made.body))
      const { id, ...rest } = made.body
      assert.match(id, /^plan_[0-9a-z]{26}$/)
      assert.deepStrictEqual(rest, { ...studio, currency: "EUR" })
      assert.deepStrictEqual(
        (yield* plans).find((plan) => plan.id === id),
        made.body
      )

      const changed = yield* ada.withSession("PATCH", `/billing/plans/${id}`, { price: 0, sso: true, regions: null })
      assert.strictEqual(changed.status, 200, JSON.stringify(changed.body))
      assert.deepStrictEqual(changed.body, {
        id,
        name: "Studio",
        monitors: 200,
        checkInterval: 30,
        sso: true,
        price: 0
      })

      const gone = yield* ada.withSession("DELETE", `/billing/plans/${id}`)
      assert.deepStrictEqual([gone.status, gone.body], [200, { id, deleted: true }])
      assert.isUndefined((yield* plans).find((plan) => plan.id === id))
      refused(yield* ada.withSession("PATCH", `/billing/plans/${id}`, { price: 1 }), 404, "not_found")
      refused(yield* ada.withSession("DELETE", `/billing/plans/${id}`), 404, "not_found")
      refused(yield* ada.withSession("DELETE", "/billing/plans/plan_free"), 409, "conflict")
    })
  )

  it.effect("refuses changes by others", () =>
    Effect.gen(function* () {
      const ben = yield* person
      for (const [method, route, body] of [
        ["POST", "/billing/plans", studio],
        ["PATCH", "/billing/plans/plan_pro", { price: 0 }],
        ["DELETE", "/billing/plans/plan_pro", undefined]
      ] as const) {
        refused(yield* ben.withSession(method, route, body), 403, "forbidden")
        refused(yield* ben.withKey(method, route, body), 403, "forbidden")
        refused(yield* call(method, route, body), 401, "unauthorized")
      }
    })
  )

  it.effect.each([
    [{}, ["checkInterval", "monitors", "name", "price"]],
    [{ ...studio, monitors: 0 }, ["monitors"]],
    [{ ...studio, monitors: -2 }, ["monitors"]],
    [{ ...studio, monitors: 1.5 }, ["monitors"]],
    [{ ...studio, checkInterval: 5 }, ["checkInterval"]],
    [{ ...studio, price: -1 }, ["price"]],
    [{ ...studio, price: "9.90" }, ["price"]],
    [{ ...studio, price: 9.999 }, ["price"]],
    [{ ...studio, currency: "JPY" }, ["price"]],
    [{ ...studio, currency: "eur" }, ["currency"]],
    [{ ...studio, customDomain: "yes", sso: 1 }, ["customDomain", "sso"]],
    [{ ...studio, id: "plan_mine", colour: "red" }, ["colour", "id"]],
    [{ ...studio, name: "a\u0000b" }, ["name"]],
    [[], [""]]
  ] as const)("refuse %j", ([body, paths]) =>
    Effect.gen(function* () {
      const ada = yield* admin
      refused(yield* ada.withSession("POST", "/billing/plans", body), 422, "validation_failed", ...paths)
    })
  )

  it.effect("reports the default plan for an account without a subscription", () =>
    Effect.gen(function* () {
      const ada = yield* person
      yield* ada.withKey("POST", "/monitors", shop)
      const answer = yield* ada.withSession("GET", "/billing/subscription")
      assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
      assert.deepStrictEqual(answer.body, {
        planId: "plan_free",
        status: "active",
        currentPeriodStart: null,
        currentPeriodEnd: null,
        cancelAt: null,
        pastDueSince: null,
        graceEndsAt: null,
        effectivePlanId: "plan_free",
        monitorsUsed: 1,
        monitorsShared: 1,
        payments: false
      })
      refused(yield* ada.withKey("GET", "/billing/subscription"), 403, "forbidden")
      refused(yield* call("GET", "/billing/subscription"), 401, "unauthorized")
    })
  )

  it.effect("refuses a checkout without a payment provider", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const checkout = (planId: unknown) => ada.withSession("POST", "/billing/checkout", { planId })
      const answer = yield* checkout("plan_pro")
      refused(answer, 503, "billing_not_configured")
      assert.include(answer.body.detail, "STRIPE_SECRET_KEY")
      assert.include(answer.body.detail, "KANMON_DEFAULT_PLAN")
      refused(yield* ada.withSession("POST", "/billing/portal"), 503, "billing_not_configured")
      refused(yield* call("POST", "/billing/webhook", "{}"), 503, "billing_not_configured")
      refused(yield* checkout("plan_free"), 409, "conflict")
      refused(yield* checkout("plan_nope"), 422, "validation_failed", "planId")
      refused(yield* checkout("nope"), 422, "validation_failed", "planId")
      refused(yield* checkout(undefined), 422, "validation_failed", "planId")
      refused(yield* ada.withKey("POST", "/billing/checkout", { planId: "plan_pro" }), 403, "forbidden")
    })
  )
})

/** Room for three monitors, once a minute. */
const small = Effect.gen(function* () {
  const ada = yield* admin
  const changed = yield* ada.withSession("PATCH", "/billing/plans/plan_free", { monitors: 3 })
  assert.strictEqual(changed.status, 200)
  return yield* person
})

const full = (answer: ApiResponse, limit: number, current: number) => {
  refused(answer, 402, "plan_limit_reached")
  assert.deepInclude(answer.body, { limit, current, planId: "plan_free" })
  assert.include(answer.body.detail, "KANMON_DEFAULT_PLAN")
}

layer(server({ defaultPlan: "plan_free" }), live)("an account at the limits of its plan", (it) => {
  it.effect("limits monitors over all projects, including paused ones", () =>
    Effect.gen(function* () {
      const ada = yield* small
      const { body: other } = yield* ada.withSession("POST", "/projects", { name: "Other" })
      const inOther = (body: unknown) => call("POST", "/monitors", body, { "x-api-key": other.apiKey })
      const first = yield* ada.withKey("POST", "/monitors", shop)
      assert.deepInclude(first.body, { pausedReason: null, wantedInterval: null })
      assert.strictEqual((yield* ada.withKey("POST", "/monitors", { ...shop, paused: true })).status, 201)
      assert.strictEqual((yield* inOther(shop)).status, 201)
      full(yield* ada.withKey("POST", "/monitors", shop), 3, 3)
      full(yield* inOther({ name: "Job", type: "heartbeat" }), 3, 3)
      // Monitors of other accounts are not affected.
      const ben = yield* person
      assert.strictEqual((yield* ben.withKey("POST", "/monitors", shop)).status, 201)
      yield* ada.withKey("DELETE", `/monitors/${first.body.id}`)
      assert.strictEqual((yield* inOther(shop)).status, 201)
      full(yield* inOther(shop), 3, 3)
    })
  )

  it.effect("gets the last place once for concurrent requests", () =>
    Effect.gen(function* () {
      const ada = yield* small
      const { body: other } = yield* ada.withSession("POST", "/projects", { name: "Other" })
      const answers = yield* Effect.all(
        Array.from({ length: 24 }, (_, index) =>
          call("POST", "/monitors", shop, { "x-api-key": index % 2 === 0 ? ada.key : other.apiKey })
        ),
        { concurrency: "unbounded" }
      )
      const made = answers.filter(({ status }) => status === 201)
      assert.lengthOf(made, 3)
      for (const answer of answers) if (answer.status !== 201) full(answer, 3, 3)
      assert.strictEqual((yield* ada.withSession("GET", "/billing/subscription")).body.monitorsUsed, 3)
    })
  )

  it.effect("limits the interval", () =>
    Effect.gen(function* () {
      const ada = yield* small
      const early = yield* ada.withKey("POST", "/monitors", { ...shop, interval: 59 })
      full(early, 60, 59)
      assert.deepStrictEqual(
        early.body.errors.map(({ path }: { path: string }) => path),
        ["interval"]
      )
      full(yield* ada.withKey("POST", "/monitors", { name: "Job", type: "heartbeat", interval: 30 }), 60, 30)
      const { body } = yield* ada.withKey("POST", "/monitors", { ...shop, interval: 120 })
      const change = (change: unknown) => ada.withKey("PATCH", `/monitors/${body.id}`, change)
      full(yield* change({ interval: 30 }), 60, 30)
      assert.strictEqual((yield* change({ interval: 60 })).body.interval, 60)
      assert.strictEqual((yield* change({ interval: 300, paused: true })).status, 200)
      full(yield* change({ interval: 10, paused: false }), 60, 10)
      assert.deepInclude((yield* ada.withKey("GET", `/monitors/${body.id}`)).body, { interval: 300, paused: true })
      assert.strictEqual((yield* change({ paused: false })).status, 200)
    })
  )

  it.effect("limits the retry interval", () =>
    Effect.gen(function* () {
      const ada = yield* small
      const early = yield* ada.withKey("POST", "/monitors", { ...shop, interval: 300, retryInterval: 59 })
      full(early, 60, 59)
      assert.deepStrictEqual(
        early.body.errors.map(({ path }: { path: string }) => path),
        ["retryInterval"]
      )
      const { body } = yield* ada.withKey("POST", "/monitors", { ...shop, interval: 300, retryInterval: 60 })
      assert.strictEqual(body.retryInterval, 60)
      full(yield* ada.withKey("PATCH", `/monitors/${body.id}`, { retryInterval: 30 }), 60, 30)
      assert.isNull((yield* ada.withKey("PATCH", `/monitors/${body.id}`, { retryInterval: null })).body.retryInterval)
    })
  )

  it.effect("allows custom domains if its plan or the free plan includes them", () =>
    Effect.gen(function* () {
      const root = yield* admin
      const offer = (customDomain: boolean) => root.withSession("PATCH", "/billing/plans/plan_free", { customDomain })
      const ada = yield* person
      const acme = { name: "Acme", slug: "acme", customDomain: "status.acme.example" }
      yield* offer(false)
      const refusal = yield* ada.withKey("POST", "/status-pages", acme)
      full(refusal, 0, 1)
      assert.deepStrictEqual(
        refusal.body.errors.map(({ path }: { path: string }) => path),
        ["customDomain"]
      )
      yield* offer(true)
      const { body: page } = yield* ada.withKey("POST", "/status-pages", acme)
      assert.strictEqual(page.customDomain, acme.customDomain)
      yield* offer(false)
      const change = (change: unknown) => ada.withKey("PATCH", `/status-pages/${page.id}`, change)
      // Existing records stay.
      assert.strictEqual((yield* change({ name: "Acme Ltd" })).body.customDomain, acme.customDomain)
      full(yield* change({ customDomain: "other.acme.example" }), 0, 1)
      assert.strictEqual((yield* change({ customDomain: null })).status, 200)
      full(yield* change({ customDomain: acme.customDomain }), 0, 1)
      yield* offer(true)
    })
  )
})
