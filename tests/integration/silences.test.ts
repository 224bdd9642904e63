/** Silences keep back notifications, and nothing else. */
import { assert, layer } from "@effect/vitest"
import { AlertHistory } from "@kanmon/monitoring/testing/alerts/AlertHistory.ts"
import { AlertHandlings } from "@kanmon/monitoring/testing/alerts/AlertHandlings.ts"
import { OpenAlerts } from "@kanmon/monitoring/testing/alerts/OpenAlerts.ts"
import { Silences } from "@kanmon/monitoring/testing/alerts/Silences.ts"
import { Channels } from "@kanmon/monitoring/testing/channels/Channels.ts"
import { Monitors } from "@kanmon/monitoring/testing/monitors/Monitors.ts"
import type { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import { Effect } from "effect"
import { at, environment, evaluate, history, minute, noon, stage } from "../support/Stage.ts"

const ada = { kind: "user", name: "Ada" } as const
const responder = { actor: ada, userId: null }

const silence = (
  projectId: ProjectId,
  minutes: number,
  draft: { monitorIds?: Array<MonitorId>; tags?: Array<string> }
) =>
  Effect.flatMap(Silences, (silences) =>
    silences
      .create(
        projectId,
        { monitorIds: [], tags: [], until: noon + minutes * minute, reason: "Migration", ...draft },
        ada
      )
      .pipe(at(noon - minute))
  )

const release = (minutes: number) =>
  Effect.flatMap(OpenAlerts, (openAlerts) => openAlerts.release.pipe(at(noon + minutes * minute)))

/** What was queued for each entry of a project, oldest entry first. */
const queued = (projectId: ProjectId) =>
  Effect.gen(function* () {
    const alertHistory = yield* AlertHistory
    const entries = yield* history(projectId)
    return yield* Effect.forEach(entries.toReversed(), (entry) =>
      Effect.map(alertHistory.deliveries(projectId, entry.id), (all) => all.map(({ event }) => event))
    )
  })

layer(environment, { timeout: "60 seconds", excludeTestServices: true })("silences", (it) => {
  it.effect("open and close alerts without a notification", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 1 })
      const other = yield* stage({ channels: 1 })
      yield* silence(project.id, 10, { monitorIds: [monitor.id] })
      for (const { monitor: one } of [{ monitor }, other]) yield* evaluate(one, 0, "up", "down")
      const [entry] = yield* history(project.id)
      assert.deepInclude(entry!, { status: "pending", resolvedAt: null })
      assert.match(entry!.error ?? "", /^Not sent before .*: silenced\. Migration$/)
      const alerts = yield* AlertHandlings
      const page = yield* alerts.list(project.id, {
        limit: 10,
        cursor: undefined,
        states: ["open"],
        severities: [],
        monitorId: undefined
      })
      assert.isTrue(page.items[0]!.silenced)
      yield* evaluate(monitor, 2, "up")
      assert.deepStrictEqual(yield* queued(project.id), [[]])
      const [over] = yield* history(project.id)
      assert.deepInclude(over!, { status: "failed", resolvedAt: noon + 2 * minute })
      assert.include(over!.error ?? "", "the alert ended while its monitor was silenced")
      assert.deepStrictEqual(yield* queued(other.project.id), [["monitor_down"]])
    })
  )

  it.effect("send what is still open when they end", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 2 })
      yield* silence(project.id, 10, { monitorIds: [monitor.id] })
      yield* evaluate(monitor, 0, "up", "down", "down")
      assert.strictEqual(yield* release(9), 0)
      assert.strictEqual(yield* release(10), 2)
      assert.strictEqual(yield* release(11), 0)
      assert.deepStrictEqual(yield* queued(project.id), [["monitor_down"], ["monitor_down"]])
      yield* evaluate(monitor, 12, "up")
      assert.deepStrictEqual(yield* queued(project.id), [
        ["monitor_down", "monitor_up"],
        ["monitor_down", "monitor_up"]
      ])
    })
  )

  it.effect("end when they are deleted", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 1 })
      const silences = yield* Silences
      const { id } = yield* silence(project.id, 1000, { monitorIds: [monitor.id] })
      yield* evaluate(monitor, 0, "up", "down")
      yield* silences.remove(project.id, id)
      assert.strictEqual(yield* release(2), 1)
      assert.strictEqual((yield* Effect.flip(silences.remove(project.id, id)))._tag, "SilenceNotFound")
    })
  )

  it.effect("send no recovery of what was told before, except where an incident is open at a paging service", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 1 })
      const channels = yield* Channels
      const pager = { name: "Pager", type: "pagerduty", config: { integrationKey: "0".repeat(32) } }
      const { id } = yield* channels.create(project.id, pager)
      yield* evaluate(monitor, 0, "up", "down")
      yield* silence(project.id, 10, { monitorIds: [monitor.id] })
      yield* evaluate(monitor, 2, "up")
      const entries = (yield* history(project.id)).toReversed()
      assert.deepStrictEqual(
        yield* queued(project.id),
        entries.map(({ channelId }) => (channelId === id ? ["monitor_down", "monitor_up"] : ["monitor_down"]))
      )
    })
  )

  it.effect("follow the tags of monitors, also those that are tagged later", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 1 })
      const monitors = yield* Monitors
      yield* silence(project.id, 10, { tags: ["prod"] })
      yield* evaluate(monitor, 0, "up", "down", "up")
      yield* monitors
        .update(project.id, monitor.id, (current) => Effect.succeed({ ...current, tags: ["prod", "web"] }))
        .pipe(at(noon + 2 * minute))
      yield* evaluate(monitor, 3, "down", "up")
      assert.deepStrictEqual(yield* queued(project.id), [["monitor_down", "monitor_up"], []])
    })
  )

  it.effect("keep back what somebody has acknowledged meanwhile", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 1 })
      yield* silence(project.id, 10, { monitorIds: [monitor.id] })
      yield* evaluate(monitor, 0, "up", "down")
      const alerts = yield* AlertHandlings
      const all = yield* alerts.actOnMonitor(project.id, monitor.id, { _tag: "Acknowledge", note: null }, responder)
      assert.deepStrictEqual(
        all.map(({ state }) => state),
        ["acknowledged"]
      )
      assert.strictEqual(yield* release(11), 0)
      yield* alerts.actOnMonitor(project.id, monitor.id, { _tag: "Unacknowledge" }, responder)
      assert.strictEqual(yield* release(12), 1)
    })
  )
})
