/** Effects of subscriptions on monitors, on a real PostgreSQL: events, time and changed plans. */
import { assert, layer } from "@effect/vitest"
import { graceMillis } from "@kanmon/domain/Subscription"
import { dayMillis } from "@kanmon/domain/Timestamp"
import { look } from "@kanmon/identity/testing/billing/SubscriptionWorker.ts"
import { History } from "@kanmon/monitoring/testing/evaluation/History.ts"
import { Monitors } from "@kanmon/monitoring/testing/monitors/Monitors.ts"
import { OutboxQueue } from "@kanmon/platform/outbox/OutboxQueue"
import { Plans } from "@kanmon/identity/testing/billing/Plans.ts"
import { Projects } from "@kanmon/identity/testing/projects/Projects.ts"
import { Subscriptions } from "@kanmon/identity/testing/billing/Subscriptions.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { at, environmentWith, history, evaluate, minute, noon, stage } from "../support/Stage.ts"
import { create, hear, lastEvent, monitorsOf, plan, sold, two } from "../support/Subscribers.ts"

/** Public events in the outbox about a monitor, by name. */
const told = Effect.gen(function* () {
  const outbox = yield* OutboxQueue
  const messages = yield* outbox.peek(100_000)
  yield* outbox.confirm(messages.map(({ sequence }) => sequence))
  const names = messages.map((message) =>
    message._tag === "Event" ? message.event.subject.split(".").slice(-2).join(" ") : `${message.monitorId} spec`
  )
  return names.filter((name) => !name.endsWith(" recorded"))
})

layer(environmentWith("plan_free"), { timeout: "60 seconds", excludeTestServices: true })("a subscription", (it) => {
  it.effect("pauses the newest monitors and raises intervals on a downgrade, and restores both", () =>
    Effect.gen(function* () {
      const small = yield* two
      const { monitor, project, organization } = yield* stage({ channels: 1 })
      const monitors = yield* Monitors
      yield* hear(organization, plan("enterprise")).pipe(at(noon))
      const projects = yield* Projects
      const other = yield* projects.create(organization, "Other")
      const fast = yield* create(project.id, { interval: 10, timeout: 10 }).pipe(at(noon + 1))
      const newest = yield* create(other.id).pipe(at(noon + 2))
      const resting = yield* create(project.id, { paused: true, interval: 20, timeout: 10 }).pipe(at(noon + 3))
      yield* evaluate(newest, 1, "down").pipe(at(noon))
      assert.lengthOf(yield* history(other.id), 0)
      yield* told

      assert.strictEqual(yield* hear(organization, small).pipe(at(noon + 10 * minute)), "Written")
      const [first, quick, asleep] = yield* monitorsOf(project.id)
      const [late] = yield* monitorsOf(other.id)
      assert.deepInclude(first!, { id: monitor.id, paused: false, interval: 60, wantedInterval: null })
      assert.deepInclude(quick!, { id: fast.id, paused: false, interval: 60, wantedInterval: 10 })
      assert.deepInclude(asleep!, {
        id: resting.id,
        paused: true,
        pausedReason: null,
        interval: 60,
        wantedInterval: 20
      })
      assert.deepInclude(late!, { id: newest.id, paused: true, pausedReason: "plan_limit", status: "paused" })
      assert.deepStrictEqual(
        (yield* told).sort(),
        [
          `${fast.id} spec`,
          `${fast.id} updated`,
          `${newest.id} paused`,
          `${newest.id} spec`,
          `${newest.id} updated`,
          `${resting.id} spec`,
          `${resting.id} updated`
        ].sort()
      )
      // Probes do not look at it any more.
      assert.deepStrictEqual(yield* monitors.specs([newest.id]), [])
      const stats = yield* Effect.flatMap(History, (all) => all.stats(other.id, newest.id))
      assert.strictEqual(stats.status, "paused")

      yield* hear(organization, plan("team")).pipe(at(noon + 20 * minute))
      const [, better] = yield* monitorsOf(project.id)
      assert.deepInclude(better!, { interval: 30, wantedInterval: 10 })
      const [back] = yield* monitorsOf(other.id)
      assert.deepInclude(back!, { paused: false, pausedReason: null, status: "pending" })
      yield* hear(organization, plan("enterprise")).pipe(at(noon + 30 * minute))
      const restored = yield* monitorsOf(project.id)
      assert.deepStrictEqual(
        restored.map(({ interval, paused, wantedInterval }) => [interval, paused, wantedInterval]),
        [
          [60, false, null],
          [10, false, null],
          [20, true, null]
        ]
      )
    })
  )

  it.effect("raises a retry interval below the shortest interval of a smaller plan, and restores it", () =>
    Effect.gen(function* () {
      const small = yield* two
      const { project, organization } = yield* stage({ channels: 0 })
      yield* hear(organization, plan("enterprise")).pipe(at(noon))
      const monitor = yield* create(project.id, { interval: 300, retryInterval: 20, timeout: 10 }).pipe(at(noon + 1))
      yield* told
      yield* hear(organization, small).pipe(at(noon + 10 * minute))
      const find = Effect.map(monitorsOf(project.id), (all) => all.find(({ id }) => id === monitor.id)!)
      assert.deepInclude(yield* find, {
        interval: 300,
        wantedInterval: null,
        retryInterval: 60,
        wantedRetryInterval: 20
      })
      // Probes get the new spec.
      assert.sameMembers(yield* told, [`${monitor.id} spec`, `${monitor.id} updated`])
      yield* hear(organization, plan("enterprise")).pipe(at(noon + 20 * minute))
      assert.deepInclude(yield* find, { interval: 300, retryInterval: 20, wantedRetryInterval: null })
    })
  )

  it.effect("lets users choose which monitors run", () =>
    Effect.gen(function* () {
      const small = yield* two
      const { monitor, project, organization } = yield* stage({ channels: 0 })
      const monitors = yield* Monitors
      yield* create(project.id)
      const newest = yield* create(project.id)
      yield* hear(organization, small)
      const pause = (id: typeof newest.id, paused: boolean) =>
        monitors.update(project.id, id, (current) => Effect.succeed({ ...current, paused }))
      const refusal = yield* Effect.flip(pause(newest.id, false))
      assert.deepInclude({ ...refusal }, { limited: "running", limit: 2, current: 2, planId: small })
      const crowded = yield* Effect.flip(create(project.id))
      assert.deepInclude({ ...crowded }, { limited: "monitors", limit: 2, current: 3, planId: small })
      yield* pause(monitor.id, true)
      assert.deepInclude(yield* pause(newest.id, false), { paused: false, pausedReason: null, status: "pending" })
      // The user's choice outlives the next payment.
      yield* hear(organization, small)
      const after = yield* monitorsOf(project.id)
      assert.deepStrictEqual(
        after.map(({ paused, pausedReason }) => [paused, pausedReason]),
        [
          [true, null],
          [false, null],
          [false, null]
        ]
      )
      // An interval chosen by the user is no longer changed by the plan.
      yield* hear(organization, plan("enterprise"))
      yield* monitors.update(project.id, newest.id, (current) => Effect.succeed({ ...current, interval: 30 }))
      yield* hear(organization, small)
      yield* monitors.update(project.id, newest.id, (current) => Effect.succeed({ ...current, interval: 90 }))
      yield* hear(organization, plan("enterprise"))
      assert.deepInclude(yield* monitors.get(project.id, newest.id), { interval: 90, wantedInterval: null })
    })
  )

  it.effect("keeps its plan for fourteen days if a payment is missing, and restores it when it arrives", () =>
    Effect.gen(function* () {
      yield* sold
      const { project, organization } = yield* stage({ channels: 0 })
      const subscriptions = yield* Subscriptions
      yield* hear(organization, plan("pro")).pipe(at(noon))
      const fast = yield* create(project.id, { interval: 30 }).pipe(at(noon))
      const interval = Effect.map(
        Effect.flatMap(Monitors, (monitors) => monitors.get(project.id, fast.id)),
        ({ interval }) => interval
      )
      const failed = noon + dayMillis
      yield* hear(organization, plan("pro"), "past_due").pipe(at(failed))
      // A repeated event does not change the time.
      yield* hear(organization, plan("pro"), "past_due").pipe(at(failed + 5 * dayMillis))
      const { plan: inForce, subscription } = yield* subscriptions
        .standing(organization)
        .pipe(at(failed + graceMillis - 1))
      assert.strictEqual(subscription?.pastDueSince, failed)
      assert.strictEqual(inForce.id, plan("pro"))
      yield* look.pipe(at(failed + graceMillis - 1))
      assert.strictEqual(yield* interval, 30)
      yield* look.pipe(at(failed + graceMillis))
      assert.strictEqual(yield* interval, 60)
      assert.strictEqual(
        (yield* subscriptions.standing(organization).pipe(at(failed + graceMillis))).plan.id,
        plan("free")
      )
      yield* hear(organization, plan("pro")).pipe(at(failed + 20 * dayMillis))
      assert.strictEqual(yield* interval, 30)
    })
  )

  it.effect("follows a change of its plan", () =>
    Effect.gen(function* () {
      const small = yield* two
      const { project, organization } = yield* stage({ channels: 0 })
      const plans = yield* Plans
      yield* hear(organization, small)
      yield* create(project.id)
      const running = Effect.map(monitorsOf(project.id), (all) => all.filter(({ paused }) => !paused).length)
      yield* plans.update(small, (current) => Effect.succeed({ ...current, monitors: 1 }))
      yield* look
      assert.strictEqual(yield* running, 1)
      yield* plans.update(small, (current) => Effect.succeed({ ...current, monitors: 5 }))
      yield* look
      assert.strictEqual(yield* running, 2)
      assert.strictEqual((yield* Effect.flip(plans.remove(small)))._tag, "PlanInUse")
      yield* hear(organization, small, "canceled")
      yield* plans.remove(small)
      // What it was is still known.
      const { subscription } = yield* Effect.flatMap(Subscriptions, ({ standing }) => standing(organization))
      assert.deepInclude(subscription!, { planId: small, status: "canceled" })
    })
  )

  it.effect("leaves the account on the current default plan when it ends", () =>
    Effect.gen(function* () {
      yield* sold
      const sql = yield* SqlClient.SqlClient
      const { reconsider } = yield* Subscriptions
      const { project, organization } = yield* stage({ channels: 0 })
      yield* create(project.id)
      yield* hear(organization, plan("pro"))
      yield* hear(organization, plan("pro"), "canceled")
      const running = Effect.map(monitorsOf(project.id), (all) => all.filter(({ paused }) => !paused).length)
      const choose = (monitors: number) => sql`UPDATE plans SET monitors = ${monitors} WHERE id = ${plan("free")}`
      yield* choose(1)
      yield* look
      assert.strictEqual(yield* running, 2)
      yield* reconsider
      yield* look
      assert.strictEqual(yield* running, 1)
      yield* choose(50)
      yield* reconsider
      yield* look
      assert.strictEqual(yield* running, 2)
    })
  )

  it.effect("gives no plan if its product changes", () =>
    Effect.gen(function* () {
      yield* sold
      const { organization } = yield* stage({ channels: 0 })
      const subscriptions = yield* Subscriptions
      yield* hear(organization, plan("pro"))
      assert.strictEqual(
        yield* hear(organization, plan("pro"), "active", { productId: "prod_mugs", id: "sub_mugs" }),
        "Foreign"
      )
      assert.strictEqual((yield* subscriptions.standing(organization)).plan.id, plan("pro"))
      assert.strictEqual(yield* hear(organization, plan("pro"), "active", { productId: "prod_mugs" }), "Written")
      const { plan: inForce, subscription } = yield* subscriptions.standing(organization)
      assert.deepStrictEqual([inForce.id, subscription?.status], [plan("free"), "canceled"])
    })
  )

  it.effect("is not overwritten by an outdated read", () =>
    Effect.gen(function* () {
      yield* sold
      const { organization } = yield* stage({ channels: 0 })
      const subscriptions = yield* Subscriptions
      yield* hear(organization, plan("pro"))
      const seen = yield* subscriptions.version(organization)
      yield* hear(organization, plan("team"))
      const { subscription } = yield* subscriptions.standing(organization)
      const news = { ...subscription!, productId: "prod_plan_pro", currentPeriodStart: noon, currentPeriodEnd: noon }
      assert.strictEqual(yield* subscriptions.record(organization, seen, news, "evt_late"), "Outdated")
      assert.isFalse(yield* subscriptions.heard("evt_late"))
      assert.strictEqual((yield* subscriptions.standing(organization)).plan.id, plan("team"))
    })
  )

  it.effect("deletes processed events after a month", () =>
    Effect.gen(function* () {
      yield* sold
      const { organization } = yield* stage({ channels: 0 })
      const subscriptions = yield* Subscriptions
      yield* hear(organization, plan("pro")).pipe(at(noon - 31 * dayMillis))
      const old = lastEvent()
      yield* hear(organization, plan("pro")).pipe(at(noon))
      yield* look.pipe(at(noon))
      assert.deepStrictEqual([yield* subscriptions.heard(old), yield* subscriptions.heard(lastEvent())], [false, true])
    })
  )
})
