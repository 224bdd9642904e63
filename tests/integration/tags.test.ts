/** What follows tags: rules, maintenance windows and status pages, while monitors gain and lose tags. */
import { assert, layer } from "@effect/vitest"
import type { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import { AlertHistory } from "@kanmon/monitoring/testing/alerts/AlertHistory.ts"
import { AlertRules } from "@kanmon/monitoring/testing/alerts/AlertRules.ts"
import { look } from "@kanmon/monitoring/testing/evaluation/RuleReviewWorker.ts"
import { Incidents } from "@kanmon/monitoring/incidents"
import { Monitors } from "@kanmon/monitoring/testing/monitors/Monitors.ts"
import { PublicPages } from "@kanmon/monitoring/testing/status-pages/PublicPages.ts"
import { StatusPages } from "@kanmon/monitoring/testing/status-pages/StatusPages.ts"
import { Effect } from "effect"
import { at, environment, evaluate, history, minute, noon, stage } from "../support/Stage.ts"

const when = (minutes: number) => at(noon + minutes * minute)

const tag = (monitor: { readonly id: MonitorId; readonly projectId: ProjectId }, minutes: number, ...tags: string[]) =>
  Effect.flatMap(Monitors, (monitors) =>
    monitors
      .update(monitor.projectId, monitor.id, (current) => Effect.succeed({ ...current, tags }))
      .pipe(when(minutes))
  )

layer(environment, { timeout: "60 seconds", excludeTestServices: true })("a rule that follows a tag", (it) => {
  it.effect("watches no other monitor, alerts for one that joins, and closes quietly for one that leaves", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 1, rule: { tags: ["prod"] } })
      const alertHistory = yield* AlertHistory
      yield* evaluate(monitor, 0, "up", "down", "down")
      yield* look.pipe(when(2))
      assert.deepStrictEqual(yield* history(project.id), [])

      yield* tag(monitor, 2.2, "prod", "eu")
      yield* look.pipe(when(2.3))
      const [entry, ...more] = yield* history(project.id)
      assert.deepStrictEqual([entry!.triggeredAt, entry!.resolvedAt, more], [noon + 2.3 * minute, null, []])

      yield* tag(monitor, 2.4, "prod")
      assert.isNull((yield* history(project.id))[0]!.resolvedAt)
      yield* tag(monitor, 2.5, "test")
      assert.strictEqual((yield* history(project.id))[0]!.resolvedAt, noon + 2.5 * minute)
      yield* look.pipe(when(2.6))
      yield* evaluate(monitor, 3, "down", "up")
      assert.lengthOf(yield* history(project.id), 1)
      const events = (yield* alertHistory.deliveries(project.id, entry!.id)).map(({ event }) => event)
      assert.deepStrictEqual(events, ["monitor_down"])
    })
  )

  it.effect("keeps the alerts of a monitor that it also names, and drops those that a change no longer covers", () =>
    Effect.gen(function* () {
      const { monitor, project, rule } = yield* stage({ channels: 1, rule: { tags: ["prod"] } })
      const rules = yield* AlertRules
      yield* rules.update(project.id, rule.id, (current) => Effect.succeed({ ...current, monitorIds: [monitor.id] }))
      yield* tag(monitor, -1, "prod")
      yield* evaluate(monitor, 0, "up", "down")
      yield* tag(monitor, 1.1)
      assert.isNull((yield* history(project.id))[0]!.resolvedAt)
      yield* tag(monitor, 1.2, "prod")
      const named = (monitorIds: ReadonlyArray<MonitorId>, tags: ReadonlyArray<string>) =>
        rules.update(project.id, rule.id, (current) => Effect.succeed({ ...current, monitorIds, tags }))
      yield* named([], ["prod", "eu"])
      assert.isNull((yield* history(project.id))[0]!.resolvedAt)
      yield* named([], ["eu"])
      assert.isNotNull((yield* history(project.id))[0]!.resolvedAt)
    })
  )

  it.effect("decides how often failed checks of the monitors that carry it are repeated", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({
        channels: 0,
        rule: { tags: ["prod"], consecutiveFailures: 3 }
      })
      const monitors = yield* Monitors
      const retry = Effect.map(monitors.specs([monitor.id]), ([spec]) => spec!.spec.retry)
      yield* monitors.update(project.id, monitor.id, (current) => Effect.succeed({ ...current, retryInterval: 20 }))
      assert.isUndefined(yield* retry)
      yield* tag(monitor, 0, "prod")
      assert.deepStrictEqual(yield* retry, { interval: 20, failures: 3 })
    })
  )
})

layer(environment, { timeout: "60 seconds", excludeTestServices: true })(
  "a maintenance window that follows a tag",
  (it) => {
    it.effect("covers monitors from when they gain it until they lose it", () =>
      Effect.gen(function* () {
        const { monitor, project } = yield* stage({ channels: 1 })
        const [incidents, monitors] = [yield* Incidents, yield* Monitors]
        const statusAt = (minutes: number) =>
          Effect.map(monitors.get(project.id, monitor.id).pipe(when(minutes)), ({ status }) => status)
        yield* tag(monitor, -20, "db")
        const window = {
          title: "Upgrade",
          status: "investigating",
          monitorIds: [],
          tags: ["db"],
          maintenance: true,
          scheduledStart: noon,
          scheduledEnd: noon + 30 * minute,
          recurrence: null,
          timezone: null
        } as const
        const made = yield* incidents.create(project.id, window, "We upgrade.").pipe(when(-10))
        assert.deepStrictEqual([made.monitorIds, made.tags], [[], ["db"]])
        yield* evaluate(monitor, 0, "up", "down")
        assert.strictEqual(yield* statusAt(1), "maintenance")
        assert.deepStrictEqual(yield* history(project.id), [])

        yield* tag(monitor, 2)
        assert.strictEqual(yield* statusAt(2), "down")
        yield* evaluate(monitor, 3, "down")
        assert.lengthOf(yield* history(project.id), 1)
        yield* tag(monitor, 4, "db")
        assert.strictEqual(yield* statusAt(4), "maintenance")
        yield* incidents
          .update(project.id, made.id, (current) =>
            Effect.succeed({ draft: { ...current, tags: ["web"] }, message: undefined })
          )
          .pipe(when(5))
        assert.strictEqual(yield* statusAt(5), "down")
      })
    )
  }
)

layer(environment, { timeout: "60 seconds", excludeTestServices: true })("a status page that follows a tag", (it) => {
  it.effect("shows the monitors that carry it after those it names, with the incidents about them", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 0 })
      const [incidents, monitors] = [yield* Incidents, yield* Monitors]
      const [pages, publicPages] = [yield* StatusPages, yield* PublicPages]
      const draft = { ...monitor, regions: [], paused: false }
      const beta = yield* monitors.create(project.id, { ...draft, name: "Beta", tags: ["public"] })
      const alpha = yield* monitors.create(project.id, { ...draft, name: "alpha", tags: ["public", "eu"] })
      const slug = `tags-${project.id.slice(-10)}`
      const page = yield* pages.create(project.id, {
        name: "Acme",
        slug,
        monitors: [{ monitorId: monitor.id, displayGroup: "Shop" }],
        tags: ["public"],
        customDomain: null
      })
      assert.deepStrictEqual([page.monitorIds, page.tags], [[monitor.id], ["public"]])
      yield* incidents.create(
        project.id,
        {
          title: "Slow in Europe",
          status: "investigating",
          monitorIds: [],
          tags: ["eu"],
          maintenance: false,
          scheduledStart: null,
          scheduledEnd: null,
          recurrence: null,
          timezone: null
        },
        "We look."
      )
      const shown = Effect.map(publicPages.load(slug), (loaded) => loaded!.page)
      const before = yield* shown
      assert.deepStrictEqual(
        before.monitors.map(({ id }) => id),
        [monitor.id, alpha.id, beta.id]
      )
      assert.deepStrictEqual(
        before.incidents.map(({ monitorIds }) => monitorIds),
        [[alpha.id]]
      )
      yield* tag(alpha, 0)
      const after = yield* shown
      assert.deepStrictEqual(
        after.monitors.map(({ id }) => id),
        [monitor.id, beta.id]
      )
      assert.deepStrictEqual(after.incidents, [])
    })
  )
})
