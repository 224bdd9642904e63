/** Maintenance windows on a real PostgreSQL: effects on alerts, uptime and status. */
import { assert, layer } from "@effect/vitest"
import type { Incident } from "@kanmon/domain/Incident"
import type { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import { dayMillis } from "@kanmon/domain/Timestamp"
import { advance, continueSeries } from "@kanmon/monitoring/testing/maintenance/MaintenanceWorker.ts"
import { History } from "@kanmon/monitoring/testing/evaluation/History.ts"
import { type IncidentDraft, Incidents } from "@kanmon/monitoring/incidents"
import { Monitors } from "@kanmon/monitoring/testing/monitors/Monitors.ts"
import { OutboxQueue } from "@kanmon/platform/outbox/OutboxQueue"
import { OpenAlerts } from "@kanmon/monitoring/testing/alerts/OpenAlerts.ts"
import { Retention } from "@kanmon/monitoring/testing/retention/Retention.ts"
import { Effect } from "effect"
import { at, environment, history, evaluate, minute, noon, stage } from "../support/Stage.ts"

const when = (minutes: number) => at(noon + minutes * minute)

const window = (
  monitorIds: ReadonlyArray<MonitorId>,
  from: number,
  to: number,
  more: Partial<IncidentDraft> = {}
): IncidentDraft => ({
  title: "Database upgrade",
  status: "investigating",
  monitorIds,
  maintenance: true,
  scheduledStart: noon + from * minute,
  scheduledEnd: noon + to * minute,
  recurrence: null,
  timezone: null,
  ...more
})

const schedule = (projectId: ProjectId, draft: IncidentDraft, minutes = -10) =>
  Effect.flatMap(Incidents, (incidents) => incidents.create(projectId, draft, "We upgrade.").pipe(when(minutes)))

const change = (incident: Incident, minutes: number, draft: Partial<IncidentDraft>, message?: string) =>
  Effect.flatMap(Incidents, (incidents) =>
    incidents
      .update(incident.projectId, incident.id, (current) =>
        Effect.succeed({ draft: { ...current, ...draft }, message })
      )
      .pipe(when(minutes))
  )

/** Alerts of a project as `[opened, resolved]` in minutes after noon, oldest first. */
const alerts = (projectId: ProjectId) =>
  Effect.map(history(projectId), (entries) =>
    entries
      .map(({ resolvedAt, triggeredAt }) => [
        (triggeredAt - noon) / minute,
        resolvedAt === null ? null : (resolvedAt - noon) / minute
      ])
      .reverse()
  )

const statusAt = (projectId: ProjectId, id: MonitorId, minutes: number) =>
  Effect.flatMap(Monitors, (monitors) =>
    Effect.map(monitors.get(projectId, id).pipe(when(minutes)), ({ status }) => status)
  )

/** Uptime over the 24 hours before a minute. */
const uptime = (projectId: ProjectId, id: MonitorId, minutes: number) =>
  Effect.flatMap(History, (found) =>
    Effect.map(found.stats(projectId, id).pipe(when(minutes)), ({ uptime24h }) => uptime24h)
  )

const events = (id: string) =>
  Effect.flatMap(OutboxQueue, (outbox) =>
    Effect.map(outbox.peek(10_000), (messages) =>
      messages.flatMap((message) =>
        message._tag === "Event" && message.event.subject.includes(id)
          ? [message.event.subject.split(".").at(-1)! + phaseIn(message.event.payload)]
          : []
      )
    )
  )

const phaseIn = (payload: string): string => {
  const { phase } = JSON.parse(payload) as { readonly phase: string | null }
  return phase === null ? "" : ` ${phase}`
}

layer(environment, { timeout: "60 seconds", excludeTestServices: true })("maintenance", (it) => {
  it.effect("prevents alerts, and alerts for what is still down when it ends", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 1 })
      const incident = yield* schedule(project.id, window([monitor.id], 5, 15))
      assert.strictEqual(incident.startedAt, noon + 5 * minute)
      yield* advance.pipe(when(5))
      yield* evaluate(monitor, 4, "up", "up", "down", "up", "down", "down")
      assert.deepStrictEqual(yield* alerts(project.id), [])
      assert.strictEqual(yield* statusAt(project.id, monitor.id, 9), "maintenance")
      yield* advance.pipe(when(14))
      assert.deepStrictEqual(yield* alerts(project.id), [])
      yield* advance.pipe(when(15))
      assert.deepStrictEqual(yield* alerts(project.id), [[15, null]])
      assert.strictEqual(yield* statusAt(project.id, monitor.id, 15), "down")
      yield* advance.pipe(when(16))
      yield* evaluate(monitor, 16, "down", "up")
      assert.deepStrictEqual(yield* alerts(project.id), [[15, 17]])

      const incidents = yield* Incidents
      const over = yield* incidents.get(project.id, incident.id)
      assert.deepInclude(over, { status: "resolved", resolvedAt: noon + 15 * minute })
      assert.deepStrictEqual(
        over.updates.map(({ message, status }) => [status, message]),
        [
          ["resolved", "The maintenance window has ended."],
          ["investigating", "We upgrade."]
        ]
      )
      assert.deepStrictEqual(yield* events(incident.id), [
        "opened scheduled",
        "updated in_progress",
        "resolved completed"
      ])
    })
  )

  it.effect("excludes the window from uptime, exactly", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 0 })
      yield* schedule(project.id, window([monitor.id], 2, 6))
      // Up 0–3 (known from noon), down 3–8, up 8–10: outside of 2–6 that is up 0–2, down 6–8, up 8–10.
      yield* evaluate(monitor, 0, "up", "up", "up", "down", "down", "down", "down", "down", "up", "up", "up")
      assert.strictEqual(yield* uptime(project.id, monitor.id, 10), 66.6667)
    })
  )

  it.effect("lets an earlier alert end, without reminders meanwhile", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 1, rule: { resendEvery: 10 } })
      const openAlerts = yield* OpenAlerts
      yield* schedule(project.id, window([monitor.id], 5, 60))
      yield* evaluate(monitor, 0, "up", "down", "down")
      yield* Effect.flatMap(history(project.id), (entries) => Effect.sync(() => assert.strictEqual(entries.length, 1)))
      assert.strictEqual(yield* openAlerts.remind.pipe(when(30)), 0)
      yield* evaluate(monitor, 31, "down", "up", "down")
      assert.deepStrictEqual(yield* alerts(project.id), [[1, 32]])
    })
  )

  it.effect("ends when it is resolved or deleted, and alerts for what is still down", () =>
    Effect.gen(function* () {
      for (const ending of ["resolve", "delete", "remove the monitor"] as const) {
        const { monitor, project } = yield* stage({ channels: 1 })
        const incident = yield* schedule(project.id, window([monitor.id], 0, 60))
        yield* evaluate(monitor, 0, "up", "down", "down")
        yield* advance.pipe(when(10))
        assert.deepStrictEqual(yield* alerts(project.id), [], ending)
        if (ending === "resolve") yield* change(incident, 10, { status: "resolved" }, "Done early.")
        else if (ending === "delete")
          yield* Effect.flatMap(Incidents, (incidents) => incidents.remove(project.id, incident.id).pipe(when(10)))
        else yield* change(incident, 10, { monitorIds: [] })
        assert.strictEqual(yield* statusAt(project.id, monitor.id, 10), "down", ending)
        yield* advance.pipe(when(10.01))
        assert.deepStrictEqual(
          (yield* alerts(project.id)).map(([opened]) => Math.floor(opened!)),
          [10],
          ending
        )
        // The window is excluded from uptime: of 0–12 only 10–12 counts, all of it down.
        yield* evaluate(monitor, 11, "down", "down")
        assert.strictEqual(yield* uptime(project.id, monitor.id, 12), 0, ending)
      }
    })
  )

  it.effect("continues while another window covers the monitor", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 1 })
      yield* schedule(project.id, window([monitor.id], 0, 10))
      yield* schedule(project.id, window([monitor.id], 5, 20))
      yield* evaluate(monitor, 0, "up", "down")
      yield* advance.pipe(when(10))
      yield* evaluate(monitor, 11, "down")
      assert.deepStrictEqual(yield* alerts(project.id), [])
      assert.strictEqual(yield* statusAt(project.id, monitor.id, 11), "maintenance")
      yield* advance.pipe(when(20))
      assert.deepStrictEqual(yield* alerts(project.id), [[20, null]])
    })
  )

  it.effect("starts for a monitor when it is added, and again when it is added again", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 1 })
      const incident = yield* schedule(project.id, window([], 0, 60))
      yield* evaluate(monitor, 0, "up", "up")
      yield* change(incident, 2, { monitorIds: [monitor.id] })
      yield* evaluate(monitor, 2, "down", "up")
      yield* change(incident, 4, { monitorIds: [] })
      yield* evaluate(monitor, 4, "up", "up")
      yield* change(incident, 6, { monitorIds: [monitor.id] })
      yield* evaluate(monitor, 6, "down")
      assert.deepStrictEqual(yield* alerts(project.id), [])
      assert.strictEqual(yield* statusAt(project.id, monitor.id, 6), "maintenance")
      assert.strictEqual(yield* uptime(project.id, monitor.id, 7), 100)
    })
  )

  it.effect("follows edits: later, longer, and reopened", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 1 })
      const incident = yield* schedule(project.id, window([monitor.id], 0, 10))
      yield* change(incident, -5, { scheduledStart: noon + 5 * minute, scheduledEnd: noon + 20 * minute })
      assert.strictEqual(yield* statusAt(project.id, monitor.id, 4), "pending")
      assert.strictEqual(yield* statusAt(project.id, monitor.id, 19), "maintenance")
      yield* advance.pipe(when(6))
      yield* change(incident, 8, { status: "resolved" })
      assert.strictEqual(yield* statusAt(project.id, monitor.id, 9), "pending")
      yield* change(incident, 10, { status: "monitoring" })
      assert.strictEqual(yield* statusAt(project.id, monitor.id, 9), "pending", "what was over stays over")
      assert.strictEqual(yield* statusAt(project.id, monitor.id, 11), "maintenance")
      yield* advance.pipe(when(20))
      const incidents = yield* Incidents
      assert.strictEqual((yield* incidents.get(project.id, incident.id)).resolvedAt, noon + 20 * minute)
    })
  )

  it.effect("changes the figures of closed days if it is created afterwards", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 0 })
      const retention = yield* Retention
      const found = yield* History
      yield* evaluate(monitor, 0, "up", "down", "down", "up", "up")
      const tomorrow = dayMillis / minute
      yield* retention.rollups.pipe(when(tomorrow))
      const day = (minutes: number) =>
        Effect.map(
          found.dailyUptime(project.id, monitor.id, noon - dayMillis / 2, noon + dayMillis / 2).pipe(when(minutes)),
          (days) => days.map(({ uptime }) => uptime)
        )
      const before = yield* day(tomorrow)
      assert.isBelow(before[0]!, 100)
      yield* schedule(project.id, window([monitor.id], 1, 3), tomorrow)
      yield* retention.rollups.pipe(when(tomorrow + 1))
      assert.deepStrictEqual(yield* day(tomorrow + 1), [100])
    })
  )

  it.effect("recurs as a separate incident, at the same hour when clocks change, until the series ends", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 0 })
      const incidents = yield* Incidents
      // 02:00 in Berlin on Sunday, 18 October; clocks go back on the 25th.
      const first = Date.UTC(2026, 9, 18, 0)
      const hour = 60 * minute
      yield* incidents
        .create(
          project.id,
          window([monitor.id], 0, 0, {
            scheduledStart: first,
            scheduledEnd: first + hour,
            recurrence: "FREQ=WEEKLY;BYDAY=SU;COUNT=4",
            timezone: "Europe/Berlin"
          }),
          "We upgrade."
        )
        .pipe(at(first - hour))
      const starts = Effect.map(
        incidents.list(project.id, { limit: 10, cursor: undefined }).pipe(at(first)),
        ({ items }) => items.map(({ scheduledStart }) => new Date(scheduledStart!).toISOString()).reverse()
      )
      const pass = Effect.andThen(advance, continueSeries)
      yield* pass.pipe(at(first))
      assert.strictEqual((yield* starts).length, 1)
      yield* pass.pipe(at(first + hour))
      assert.deepStrictEqual(yield* starts, ["2026-10-18T00:00:00.000Z", "2026-10-25T00:00:00.000Z"])
      // No engine ran for two weeks: missed windows are not created later.
      yield* pass.pipe(at(first + 15 * dayMillis))
      yield* pass.pipe(at(first + 15 * dayMillis))
      assert.deepStrictEqual((yield* starts).slice(2), ["2026-11-08T01:00:00.000Z"])
      const [upcoming] = (yield* incidents.list(project.id, { limit: 1, cursor: undefined })).items
      assert.strictEqual(upcoming!.updates[0]!.message, "We upgrade.")
      yield* incidents
        .update(project.id, upcoming!.id, (current) =>
          Effect.succeed({ draft: { ...current, status: "resolved" }, message: "Not this time." })
        )
        .pipe(at(first + 16 * dayMillis))
      yield* pass.pipe(at(first + 16 * dayMillis))
      assert.strictEqual((yield* starts).length, 3, "the fourth of four was the last")
    })
  )

  it.effect("passes its key on to the next window of the series, until the series ends", () =>
    Effect.gen(function* () {
      const { project } = yield* stage({ channels: 0 })
      const incidents = yield* Incidents
      const made = yield* schedule(
        project.id,
        window([], 0, 10, { key: "daily", recurrence: "FREQ=DAILY;COUNT=2", timezone: "UTC" })
      )
      const listed = (options: { readonly keyed?: boolean }) =>
        Effect.map(incidents.list(project.id, { limit: 10, cursor: undefined, ...options }), ({ items }) => items)
      for (const day of [0, 1]) {
        const [keyed, ...others] = yield* listed({ keyed: true })
        assert.deepInclude(keyed, {
          key: "daily",
          scheduledStart: noon + day * dayMillis,
          series: { start: noon, end: noon + 10 * minute }
        })
        assert.deepStrictEqual([others.length, keyed!.id === made.id], [0, day === 0])
        yield* Effect.andThen(advance, continueSeries).pipe(when(10 + (day * dayMillis) / minute))
      }
      assert.deepStrictEqual(
        (yield* listed({})).map(({ key, status }) => [key, status]),
        [
          ["daily", "resolved"],
          [null, "resolved"]
        ]
      )
    })
  )

  it.effect("ends a series with a rule that cannot be evaluated, reports it, and continues others", () =>
    Effect.gen(function* () {
      const { project } = yield* stage({ channels: 0 })
      const incidents = yield* Incidents
      const create = (recurrence: string, timezone = "UTC") =>
        schedule(project.id, window([], 0, 10, { recurrence, timezone }))
      const poison = yield* Effect.forEach(
        [create("FREQ=DAILY;BYDAY=NEVER"), create("FREQ=DAILY", "Mars/Olympus")],
        (make) => make
      )
      // There are never 366 windows on one day: its series is over after the first.
      yield* create(`FREQ=DAILY;BYHOUR=${[...Array(24).keys()].join()};BYMINUTE=0,1,2,3,4,5;BYSETPOS=366`)
      const good = yield* create("FREQ=DAILY")
      yield* advance.pipe(when(10))
      for (const _turn of [1, 2]) yield* continueSeries.pipe(when(10))
      const { items } = yield* incidents.list(project.id, { limit: 20, cursor: undefined })
      assert.deepStrictEqual(
        items.filter(({ resolvedAt }) => resolvedAt === null).map(({ scheduledStart }) => scheduledStart),
        [good.scheduledStart! + dayMillis]
      )
      for (const { id } of poison) {
        const { updates } = items.find((item) => item.id === id)!
        assert.match(updates[0]!.message, /No further window .* cannot be evaluated/)
        assert.lengthOf(updates, 3, "it is said once")
        assert.lengthOf(
          (yield* events(id)).filter((event) => event.startsWith("updated")),
          1
        )
      }
    })
  )
})
