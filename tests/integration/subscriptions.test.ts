/** What subscriptions do to monitors, on a real PostgreSQL: by news, by time, by a plan that changes, all at once. */
import { assert, layer } from "@effect/vitest"
import { PlanId, type ProjectId, type UserId } from "@kanmon/domain/Ids"
import { graceMillis, type SubscriptionStatus } from "@kanmon/domain/Subscription"
import { dayMillis } from "@kanmon/domain/Timestamp"
import { look } from "@kanmon/engine/SubscriptionWatch"
import { History } from "@kanmon/store/History"
import { Monitors } from "@kanmon/store/Monitors"
import { Outbox } from "@kanmon/store/Outbox"
import { Plans } from "@kanmon/store/Plans"
import { Projects } from "@kanmon/store/Projects"
import { type SubscriptionNews, Subscriptions } from "@kanmon/store/Subscriptions"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { at, environmentWith, history, judge, minute, noon, stage } from "../support/Stage.ts"

const plan = (name: string) => PlanId.make(`plan_${name}`)

/** The seeded plans as they would be sold. */
const sold = Effect.gen(function* () {
  const plans = yield* Plans
  for (const { currency, id, name, priceMinor } of yield* plans.list)
    yield* plans.keepOffer(id, { productId: `prod_${id}`, priceId: `price_${id}`, name, priceMinor, currency })
})

let events = 0

/** News of an account's one subscription. */
const hear = (
  userId: UserId,
  planId: PlanId,
  status: SubscriptionStatus = "active",
  more: Partial<SubscriptionNews> = {}
) =>
  Effect.gen(function* () {
    const subscriptions = yield* Subscriptions
    const news: SubscriptionNews = {
      id: `sub_${userId}`,
      itemId: "si_1",
      productId: `prod_${planId}`,
      status,
      currentPeriodStart: noon,
      currentPeriodEnd: noon + 30 * dayMillis,
      cancelAt: null,
      createdAt: noon,
      ...more
    }
    return yield* subscriptions.record(userId, yield* subscriptions.version(userId), news, `evt_${++events}`)
  })

const web = {
  name: "Web",
  type: "http",
  interval: 60,
  timeout: 30,
  regions: [],
  paused: false,
  config: { url: "https://shop.example/" }
}

const create = (projectId: ProjectId, more: object = {}) =>
  Effect.flatMap(Monitors, (monitors) => monitors.create(projectId, { ...web, ...more }))

/** The monitors of a project, oldest first. */
const monitorsOf = (projectId: ProjectId) =>
  Effect.flatMap(Monitors, (monitors) =>
    Effect.map(monitors.list(projectId, { limit: 1000, cursor: undefined }), ({ items }) => [...items].reverse())
  )

/** Room for two monitors, once a minute. */
const two = Effect.gen(function* () {
  const plans = yield* Plans
  yield* sold
  const { id, ...draft } = { ...(yield* plans.get(plan("pro"))).plan, name: "Two", monitors: 2, checkInterval: 60 }
  const made = yield* plans.create(draft)
  const { currency, name, priceMinor } = draft
  yield* plans.keepOffer(made.id, { productId: `prod_${made.id}`, priceId: `p_${id}`, name, priceMinor, currency })
  return made.id
})

/** Public events in the outbox about a monitor, by name. */
const told = Effect.gen(function* () {
  const outbox = yield* Outbox
  const messages = yield* outbox.peek(100_000)
  yield* outbox.confirm(messages.map(({ sequence }) => sequence))
  return messages.map((message) =>
    message._tag === "Event" ? message.event.subject.split(".").slice(-2).join(" ") : `${message.monitorId} spec`
  )
})

layer(environmentWith("plan_free"), { timeout: "60 seconds", excludeTestServices: true })("a subscription", (it) => {
  it.effect("that goes down pauses the newest and raises intervals, and gives both back", () =>
    Effect.gen(function* () {
      const small = yield* two
      const { monitor, project, user } = yield* stage({ channels: 1 })
      const monitors = yield* Monitors
      yield* hear(user, plan("enterprise")).pipe(at(noon))
      const projects = yield* Projects
      const other = yield* projects.create(user, "Other")
      const fast = yield* create(project.id, { interval: 10, timeout: 10 }).pipe(at(noon + 1))
      const newest = yield* create(other.id).pipe(at(noon + 2))
      const resting = yield* create(project.id, { paused: true, interval: 20, timeout: 10 }).pipe(at(noon + 3))
      yield* judge(newest, 1, "down").pipe(at(noon))
      assert.lengthOf(yield* history(other.id), 0)
      yield* told

      assert.strictEqual(yield* hear(user, small).pipe(at(noon + 10 * minute)), "Written")
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

      yield* hear(user, plan("team")).pipe(at(noon + 20 * minute))
      const [, better] = yield* monitorsOf(project.id)
      assert.deepInclude(better!, { interval: 30, wantedInterval: 10 })
      const [back] = yield* monitorsOf(other.id)
      assert.deepInclude(back!, { paused: false, pausedReason: null, status: "pending" })
      yield* hear(user, plan("enterprise")).pipe(at(noon + 30 * minute))
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

  it.effect("lets people choose which of their monitors run", () =>
    Effect.gen(function* () {
      const small = yield* two
      const { monitor, project, user } = yield* stage({ channels: 0 })
      const monitors = yield* Monitors
      yield* create(project.id)
      const newest = yield* create(project.id)
      yield* hear(user, small)
      const pause = (id: typeof newest.id, paused: boolean) =>
        monitors.update(project.id, id, (current) => Effect.succeed({ ...current, paused }))
      const refusal = yield* Effect.flip(pause(newest.id, false))
      assert.deepInclude({ ...refusal }, { limited: "running", limit: 2, current: 2, planId: small })
      const crowded = yield* Effect.flip(create(project.id))
      assert.deepInclude({ ...crowded }, { limited: "monitors", limit: 2, current: 3, planId: small })
      yield* pause(monitor.id, true)
      assert.deepInclude(yield* pause(newest.id, false), { paused: false, pausedReason: null, status: "pending" })
      // Their choice outlives the next payment.
      yield* hear(user, small)
      const after = yield* monitorsOf(project.id)
      assert.deepStrictEqual(
        after.map(({ paused, pausedReason }) => [paused, pausedReason]),
        [
          [true, null],
          [false, null],
          [false, null]
        ]
      )
      // And an interval of their own is no longer the plan's.
      yield* hear(user, plan("enterprise"))
      yield* monitors.update(project.id, newest.id, (current) => Effect.succeed({ ...current, interval: 30 }))
      yield* hear(user, small)
      yield* monitors.update(project.id, newest.id, (current) => Effect.succeed({ ...current, interval: 90 }))
      yield* hear(user, plan("enterprise"))
      assert.deepInclude(yield* monitors.get(project.id, newest.id), { interval: 90, wantedInterval: null })
    })
  )

  it.effect("keeps its plan for fourteen days when a payment is missing, and gets it back when it arrives", () =>
    Effect.gen(function* () {
      yield* sold
      const { project, user } = yield* stage({ channels: 0 })
      const subscriptions = yield* Subscriptions
      yield* hear(user, plan("pro")).pipe(at(noon))
      const fast = yield* create(project.id, { interval: 30 }).pipe(at(noon))
      const interval = Effect.map(
        Effect.flatMap(Monitors, (monitors) => monitors.get(project.id, fast.id)),
        ({ interval }) => interval
      )
      const failed = noon + dayMillis
      yield* hear(user, plan("pro"), "past_due").pipe(at(failed))
      // Told again later, it is still since then.
      yield* hear(user, plan("pro"), "past_due").pipe(at(failed + 5 * dayMillis))
      const { plan: inForce, subscription } = yield* subscriptions.standing(user).pipe(at(failed + graceMillis - 1))
      assert.strictEqual(subscription?.pastDueSince, failed)
      assert.strictEqual(inForce.id, plan("pro"))
      yield* look.pipe(at(failed + graceMillis - 1))
      assert.strictEqual(yield* interval, 30)
      yield* look.pipe(at(failed + graceMillis))
      assert.strictEqual(yield* interval, 60)
      assert.strictEqual((yield* subscriptions.standing(user).pipe(at(failed + graceMillis))).plan.id, plan("free"))
      yield* hear(user, plan("pro")).pipe(at(failed + 20 * dayMillis))
      assert.strictEqual(yield* interval, 30)
    })
  )

  it.effect("follows its plan when an admin changes it", () =>
    Effect.gen(function* () {
      const small = yield* two
      const { project, user } = yield* stage({ channels: 0 })
      const plans = yield* Plans
      yield* hear(user, small)
      yield* create(project.id)
      const running = Effect.map(monitorsOf(project.id), (all) => all.filter(({ paused }) => !paused).length)
      yield* plans.update(small, (current) => Effect.succeed({ ...current, monitors: 1 }))
      yield* look
      assert.strictEqual(yield* running, 1)
      yield* plans.update(small, (current) => Effect.succeed({ ...current, monitors: 5 }))
      yield* look
      assert.strictEqual(yield* running, 2)
      assert.strictEqual((yield* Effect.flip(plans.remove(small)))._tag, "PlanInUse")
      yield* hear(user, small, "canceled")
      yield* plans.remove(small)
      // What it was is still known.
      const { subscription } = yield* Effect.flatMap(Subscriptions, ({ standing }) => standing(user))
      assert.deepInclude(subscription!, { planId: small, status: "canceled" })
    })
  )

  it.effect("that has ended leaves its account to the default plan, whichever the operator chooses later", () =>
    Effect.gen(function* () {
      yield* sold
      const sql = yield* SqlClient.SqlClient
      const { reconsider } = yield* Subscriptions
      const { project, user } = yield* stage({ channels: 0 })
      yield* create(project.id)
      yield* hear(user, plan("pro"))
      yield* hear(user, plan("pro"), "canceled")
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

  it.effect("that is turned into something else gives no plan any more", () =>
    Effect.gen(function* () {
      yield* sold
      const { user } = yield* stage({ channels: 0 })
      const subscriptions = yield* Subscriptions
      yield* hear(user, plan("pro"))
      assert.strictEqual(
        yield* hear(user, plan("pro"), "active", { productId: "prod_mugs", id: "sub_mugs" }),
        "Foreign"
      )
      assert.strictEqual((yield* subscriptions.standing(user)).plan.id, plan("pro"))
      assert.strictEqual(yield* hear(user, plan("pro"), "active", { productId: "prod_mugs" }), "Written")
      const { plan: inForce, subscription } = yield* subscriptions.standing(user)
      assert.deepStrictEqual([inForce.id, subscription?.status], [plan("free"), "canceled"])
    })
  )

  it.effect("is not written from a look that somebody else's news have overtaken", () =>
    Effect.gen(function* () {
      yield* sold
      const { user } = yield* stage({ channels: 0 })
      const subscriptions = yield* Subscriptions
      yield* hear(user, plan("pro"))
      const seen = yield* subscriptions.version(user)
      yield* hear(user, plan("team"))
      const { subscription } = yield* subscriptions.standing(user)
      const news = { ...subscription!, productId: "prod_plan_pro", currentPeriodStart: noon, currentPeriodEnd: noon }
      assert.strictEqual(yield* subscriptions.record(user, seen, news, "evt_late"), "Outdated")
      assert.isFalse(yield* subscriptions.heard("evt_late"))
      assert.strictEqual((yield* subscriptions.standing(user)).plan.id, plan("team"))
    })
  )

  it.effect("forgets what was told a month ago", () =>
    Effect.gen(function* () {
      yield* sold
      const { user } = yield* stage({ channels: 0 })
      const subscriptions = yield* Subscriptions
      yield* hear(user, plan("pro")).pipe(at(noon - 31 * dayMillis))
      const old = `evt_${events}`
      yield* hear(user, plan("pro")).pipe(at(noon))
      yield* look.pipe(at(noon))
      assert.deepStrictEqual(
        [yield* subscriptions.heard(old), yield* subscriptions.heard(`evt_${events}`)],
        [false, true]
      )
    })
  )
})

layer(environmentWith("plan_free"), { timeout: "60 seconds", excludeTestServices: true })("at the same time", (it) => {
  it.effect("plans go up and down while monitors are judged, made, changed and deleted", () =>
    Effect.gen(function* () {
      const small = yield* two
      const { monitor, project, user } = yield* stage({ channels: 1 })
      const monitors = yield* Monitors
      const projects = yield* Projects
      const plans = yield* Plans
      const other = yield* projects.create(user, "Other")
      const second = yield* create(other.id)
      const rounds = Array.from({ length: 25 }, (_, round) => round)
      const judged = Effect.forEach(rounds, (round) => judge(monitor, round * 2, "down", "up"))
      const turned = Effect.forEach(rounds, (round) => hear(user, round % 2 === 0 ? plan("enterprise") : small))
      const changed = (id: typeof second.id, projectId: ProjectId) =>
        Effect.forEach(rounds, (round) =>
          Effect.ignore(
            monitors.update(projectId, id, (current) =>
              Effect.succeed({ ...current, paused: round % 3 === 0, interval: round % 2 === 0 ? 10 : 60, timeout: 10 })
            )
          )
        )
      const made = Effect.forEach(rounds, () =>
        Effect.flatMap(Effect.option(create(other.id)), (found) =>
          found._tag === "Some" ? Effect.ignore(monitors.remove(other.id, found.value.id)) : Effect.void
        )
      )
      const edited = Effect.forEach(rounds, (round) =>
        Effect.andThen(
          plans.update(small, (current) => Effect.succeed({ ...current, monitors: 1 + (round % 3) })),
          look
        )
      )
      yield* Effect.all(
        [judged, turned, changed(monitor.id, project.id), changed(second.id, other.id), made, made, edited],
        { concurrency: "unbounded" }
      )
      yield* plans.update(small, (current) => Effect.succeed({ ...current, monitors: 1 }))
      assert.include(["Written", "Outdated"], yield* hear(user, small))
      yield* look
      const all = [...(yield* monitorsOf(project.id)), ...(yield* monitorsOf(other.id))]
      assert.isAtMost(all.filter(({ paused }) => !paused).length, 1)
      for (const { interval } of all) assert.isAtLeast(interval, 60)
      // The time line of each ends as the monitor stands.
      const sql = yield* SqlClient.SqlClient
      for (const { id, paused } of all) {
        const [last] = yield* sql<{ status: string }>`SELECT status FROM status_changes WHERE monitor_id = ${id}
          ORDER BY sequence DESC LIMIT 1`
        assert.strictEqual(last!.status === "paused", paused)
      }
      yield* projects.remove(other.id)
    })
  )

  it.effect("the last place goes to one, and a resumed one takes one", () =>
    Effect.gen(function* () {
      const small = yield* two
      const { project, user } = yield* stage({ channels: 0 })
      const monitors = yield* Monitors
      const made = yield* Effect.forEach([1, 2, 3, 4], () => create(project.id))
      yield* hear(user, small)
      const resumed = yield* Effect.all(
        made.map(({ id }) =>
          Effect.result(
            monitors.update(project.id, id, (current) => Effect.succeed({ ...current, paused: false, name: "Resumed" }))
          )
        ),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(resumed.filter(({ _tag }) => _tag === "Success").length, 1)
      const running = (yield* monitorsOf(project.id)).filter(({ paused }) => !paused)
      assert.lengthOf(running, 2)
    })
  )
})
