/** Data of a public status page on a real PostgreSQL: the figures of the API, without private data. */
import { assert, layer } from "@effect/vitest"
import type { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import { Incidents } from "@kanmon/monitoring/incidents"
import { History } from "@kanmon/monitoring/testing/evaluation/History.ts"
import { Monitors } from "@kanmon/monitoring/testing/monitors/Monitors.ts"
import { PublicPages } from "@kanmon/monitoring/testing/status-pages/PublicPages.ts"
import { StatusPages } from "@kanmon/monitoring/testing/status-pages/StatusPages.ts"
import { Retention } from "@kanmon/monitoring/testing/retention/Retention.ts"
import { Effect } from "effect"
import { at, environment, evaluate, minute, noon, stage } from "../support/Stage.ts"

const when = (minutes: number) => at(noon + minutes * minute)
const day = 24 * 60

let slugs = 0
const publish = Effect.fnUntraced(function* (
  projectId: ProjectId,
  monitors: ReadonlyArray<readonly [MonitorId, string | null]>,
  tags: ReadonlyArray<string> = []
) {
  const pages = yield* StatusPages
  const slug = `acme-${++slugs}`
  yield* pages.create(projectId, {
    name: "Acme",
    slug,
    monitors: monitors.map(([monitorId, displayGroup]) => ({ monitorId, displayGroup })),
    customDomain: null,
    tags
  })
  return slug
})

const load = (slug: string, minutes: number) =>
  Effect.flatMap(PublicPages, (pages) => Effect.map(pages.load(slug).pipe(when(minutes)), (found) => found!.page))

const report = (projectId: ProjectId, monitorIds: ReadonlyArray<MonitorId>, minutes: number, more: object = {}) =>
  Effect.flatMap(Incidents, (incidents) =>
    incidents
      .create(
        projectId,
        {
          title: "Slow",
          status: "investigating",
          monitorIds,
          maintenance: false,
          scheduledStart: null,
          scheduledEnd: null,
          recurrence: null,
          timezone: null,
          ...more
        },
        "We look."
      )
      .pipe(when(minutes))
  )

layer(environment, { timeout: "60 seconds", excludeTestServices: true })("public pages", (it) => {
  it.effect("limits the size of incidents, like lists", () =>
    Effect.gen(function* () {
      const { project } = yield* stage({ channels: 0 })
      const slug = yield* publish(project.id, [])
      const incidents = yield* Incidents
      for (let index = 0; index < 25; index++) {
        const { id } = yield* report(project.id, [], index)
        for (let entry = 0; entry < 9; entry++) {
          yield* incidents
            .update(project.id, id, (draft) => Effect.succeed({ draft, message: "x".repeat(10_000) }))
            .pipe(when(index))
        }
      }
      const page = yield* load(slug, 30)
      assert.strictEqual(page.incidents.length, 11)
      assert.strictEqual(page.incidents[0]!.startedAt, noon + 24 * minute, "the newest ones")
      const first = yield* incidents.list(project.id, { limit: 1000, cursor: undefined })
      assert.strictEqual(first.items.length, 22)
      const rest = yield* incidents.list(project.id, { limit: 1000, cursor: first.next })
      assert.strictEqual(rest.items.length, 3)
      assert.isUndefined(rest.next)
    })
  )

  it.effect("has the same figures as the API, with rollups and without", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 0 })
      const slug = yield* publish(project.id, [[monitor.id, null]])
      yield* evaluate(monitor, 0, "up", "up", "down", "down", "up", "up", "down", "up", "up", "up")
      // No checks at night; the next day it fails again.
      yield* evaluate(monitor, day, "up", "down", "down", "down", "up", "up")
      const now = day + 6
      const agree = Effect.gen(function* () {
        const [shown] = (yield* load(slug, now)).monitors
        const stats = yield* Effect.flatMap(History, (found) => found.stats(project.id, monitor.id).pipe(when(now)))
        const { status, uptime24h, uptime30d, uptime7d } = stats
        assert.deepInclude(shown, { status, uptime24h, uptime30d, uptime7d })
        const daily = yield* Effect.flatMap(History, (found) =>
          found.dailyUptime(project.id, monitor.id, noon - 100 * day * minute, noon + 2 * day * minute).pipe(when(now))
        )
        assert.strictEqual(shown!.days.length, 90)
        assert.deepStrictEqual(
          shown!.days.flatMap(({ date, downtime, uptime }) => (uptime === null ? [] : [{ date, uptime, downtime }])),
          daily
        )
        return shown!
      })
      const before = yield* agree
      yield* Effect.flatMap(Retention, ({ rollups }) => rollups).pipe(when(now))
      const after = yield* agree
      assert.deepStrictEqual(after.days, before.days)
      assert.deepStrictEqual(
        after.outages.map(({ endedAt, startedAt }) => [(startedAt - noon) / minute, (endedAt! - noon) / minute]),
        [
          [day + 1, day + 4],
          [6, 7],
          [2, 4]
        ]
      )
      assert.deepStrictEqual(
        after.days.filter(({ downtime }) => downtime > 0).map(({ downtime }) => downtime),
        [180, 180]
      )
      assert.strictEqual(after.responseTimes.length, 24)
      assert.deepStrictEqual([...new Set(after.responseTimes)], [20, null])
    })
  )

  it.effect("shows what is down, and since when", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 0 })
      const slug = yield* publish(project.id, [[monitor.id, "Shops"]])
      const fresh = yield* load(slug, 0)
      assert.deepInclude(fresh.monitors[0], { status: "pending", since: null, uptime24h: null, displayGroup: "Shops" })
      assert.strictEqual(fresh.status.indicator, "operational")
      yield* evaluate(monitor, 0, "up", "down", "down")
      const page = yield* load(slug, 3)
      assert.deepInclude(page.monitors[0], { status: "down", since: noon + minute })
      assert.deepStrictEqual(page.monitors[0]!.outages, [{ startedAt: noon + minute, endedAt: null }])
      assert.deepStrictEqual(page.status, { indicator: "major_outage", description: "The system is down" })
    })
  )

  it.effect("shows only incidents of its monitors and of the whole project", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 0 })
      const monitors = yield* Monitors
      const hidden = yield* monitors.create(project.id, { ...monitor, name: "Secret" })
      const slug = yield* publish(project.id, [[monitor.id, null]])
      yield* report(project.id, [hidden.id], 1, { title: "Hidden" })
      yield* report(project.id, [monitor.id, hidden.id], 2, { title: "Half hidden" })
      yield* report(project.id, [], 3, { title: "Of all" })
      const old = yield* report(project.id, [monitor.id], 4, { title: "Over" })
      const incidents = yield* Incidents
      yield* incidents
        .update(project.id, old.id, (current) =>
          Effect.succeed({ draft: { ...current, status: "resolved" as const }, message: "Done." })
        )
        .pipe(when(5))
      const window = (title: string, from: number, to: number) =>
        report(project.id, [monitor.id], 6, {
          title,
          maintenance: true,
          scheduledStart: noon + from * minute,
          scheduledEnd: noon + to * minute
        })
      yield* window("Later", 100, 110)
      yield* window("Now", 5, 50)
      const page = yield* load(slug, 7)
      const titles = (all: ReadonlyArray<{ readonly title: string }>) => all.map(({ title }) => title)
      assert.deepStrictEqual(titles(page.incidents), ["Of all", "Half hidden"])
      assert.deepStrictEqual(page.incidents[1]!.monitorIds, [monitor.id])
      assert.deepStrictEqual(titles(page.history), ["Over"])
      assert.deepStrictEqual(
        page.history[0]!.updates.map(({ message }) => message),
        ["Done.", "We look."]
      )
      assert.deepStrictEqual(
        page.maintenances.map(({ phase, title }) => [title, phase]),
        [
          ["Now", "in_progress"],
          ["Later", "scheduled"]
        ]
      )
      assert.deepInclude(page.monitors[0], { status: "maintenance", since: noon + 5 * minute })
      assert.notInclude(JSON.stringify(page), "Secret")
      assert.notInclude(JSON.stringify(page), hidden.id)
      assert.notInclude(JSON.stringify(page), "shop.example")
      // Resolved incidents disappear after 90 days.
      assert.deepStrictEqual(titles((yield* load(slug, 91 * day)).history), [])
    })
  )

  it.effect("keeps monitors of one group together", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 0 })
      const monitors = yield* Monitors
      const more = yield* Effect.forEach(["b", "c", "d"], (name) => monitors.create(project.id, { ...monitor, name }))
      const [b, c, d] = more.map(({ id }) => id) as [MonitorId, MonitorId, MonitorId]
      const slug = yield* publish(project.id, [
        [b, "One"],
        [monitor.id, null],
        [c, "One"],
        [d, null]
      ])
      const page = yield* load(slug, 1)
      assert.deepStrictEqual(
        page.monitors.map(({ id }) => id),
        [b, c, monitor.id, d]
      )
    })
  )

  it.effect(
    "sorts the monitors of its tags by their names, with numbers by their value, after those that it names",
    () =>
      Effect.gen(function* () {
        const { monitor, project } = yield* stage({ channels: 0 })
        const monitors = yield* Monitors
        for (const name of ["node-10", "Node-2", "äther", "node-100", "node-1"])
          yield* monitors.create(project.id, { ...monitor, name, tags: ["edge"] })
        const slug = yield* publish(project.id, [[monitor.id, null]], ["edge"])
        assert.deepStrictEqual(
          (yield* load(slug, 1)).monitors.map(({ name }) => name),
          ["Web", "äther", "node-1", "Node-2", "node-10", "node-100"]
        )
      })
  )
})
