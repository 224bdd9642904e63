/** Alert rules created or changed while a monitor is down, on a real PostgreSQL. */
import { assert, layer } from "@effect/vitest"
import type { ProjectId } from "@kanmon/domain/Ids"
import { look } from "@kanmon/monitoring/testing/evaluation/RuleReviewWorker.ts"
import { AlertHistory } from "@kanmon/monitoring/testing/alerts/AlertHistory.ts"
import { AlertRules, type RuleDraft } from "@kanmon/monitoring/testing/alerts/AlertRules.ts"
import { Channels } from "@kanmon/monitoring/testing/channels/Channels.ts"
import { Incidents } from "@kanmon/monitoring/incidents"
import { Monitors } from "@kanmon/monitoring/testing/monitors/Monitors.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { at, environment, history, evaluate, minute, noon, stage } from "../support/Stage.ts"

const draft: RuleDraft = {
  name: "Late",
  monitorIds: [],
  channelIds: [],
  triggers: ["monitor_down"],
  consecutiveFailures: 1,
  resendEvery: 0
}

const review = (minutes: number) => look.pipe(at(noon + minutes * minute))

/** Channel and minute of each alert, oldest first, with what is on its way. */
const alerted = (projectId: ProjectId) =>
  Effect.gen(function* () {
    const alertHistory = yield* AlertHistory
    const entries = (yield* history(projectId)).toReversed()
    return yield* Effect.forEach(entries, (entry) =>
      Effect.map(alertHistory.deliveries(projectId, entry.id), (all) => ({
        channelId: entry.channelId,
        minute: (entry.triggeredAt - noon) / minute,
        sent: all.map(({ event }) => event).join(" ")
      }))
    )
  })

layer(environment, { timeout: "60 seconds", excludeTestServices: true })("a rule", (it) => {
  it.effect("alerts once when it is created while a monitor is down, dated to the start of the outage", () =>
    Effect.gen(function* () {
      const { monitor, project, rule } = yield* stage({ channels: 1 })
      const rules = yield* AlertRules
      yield* rules.remove(project.id, rule.id)
      yield* evaluate(monitor, 0, "up", "down", "down")
      yield* rules.create(project.id, draft)
      yield* review(2.5)
      assert.deepInclude((yield* alerted(project.id))[0]!, { minute: 2.5, sent: "monitor_down" })
      yield* review(2.6)
      yield* evaluate(monitor, 3, "down", "up")
      const told = yield* alerted(project.id)
      assert.deepStrictEqual(
        told.map(({ sent }) => sent),
        ["monitor_down monitor_up"]
      )
      const sql = yield* SqlClient.SqlClient
      const [alert] = yield* sql<{ at: Date; notice: { reason: string } }>`SELECT started_at AS at, notice FROM alerts
        WHERE project_id = ${project.id}`
      assert.deepStrictEqual([alert!.at.getTime(), alert!.notice.reason], [noon + minute, "too slow"])
    })
  )

  it.effect("waits for its consecutive failures, and alerts at once if fewer are required", () =>
    Effect.gen(function* () {
      const { monitor, project, rule } = yield* stage({ channels: 1, rule: { consecutiveFailures: 5 } })
      const rules = yield* AlertRules
      yield* evaluate(monitor, 0, "up", "down", "down", "down")
      yield* review(3.2)
      assert.deepStrictEqual(yield* alerted(project.id), [])
      const with_ = (consecutiveFailures: number) =>
        rules.update(project.id, rule.id, (current) => Effect.succeed({ ...current, consecutiveFailures }))
      yield* with_(4)
      yield* review(3.3)
      assert.deepStrictEqual(yield* alerted(project.id), [])
      yield* with_(3)
      yield* review(3.4)
      assert.strictEqual((yield* alerted(project.id)).length, 1)
    })
  )

  it.effect("alerts at once for an added monitor or trigger", () =>
    Effect.gen(function* () {
      const { monitor, project, rule } = yield* stage({ channels: 1, rule: { triggers: ["ssl_expired"] } })
      const rules = yield* AlertRules
      yield* evaluate(monitor, 0, "up", "down")
      yield* review(1.1)
      assert.deepStrictEqual(yield* alerted(project.id), [])
      yield* rules.update(project.id, rule.id, (current) =>
        Effect.succeed({ ...current, triggers: ["ssl_expired" as const, "monitor_down" as const] })
      )
      yield* review(1.2)
      assert.strictEqual((yield* alerted(project.id)).length, 1)
    })
  )

  it.effect("ignores monitors that are up, paused, in maintenance, or another project's", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 1, rule: { triggers: ["ssl_expired"] } })
      const other = yield* stage({ channels: 1, rule: { triggers: ["ssl_expired"] } })
      const monitors = yield* Monitors
      const incidents = yield* Incidents
      const rules = yield* AlertRules
      yield* evaluate(other.monitor, 0, "up", "down")
      yield* evaluate(monitor, 0, "up", "up")
      yield* rules.create(project.id, draft)
      yield* review(1.5)
      assert.deepStrictEqual(yield* alerted(project.id), [])

      yield* incidents
        .create(
          project.id,
          {
            title: "Database upgrade",
            status: "investigating",
            monitorIds: [monitor.id],
            maintenance: true,
            scheduledStart: noon + 2 * minute,
            scheduledEnd: noon + 20 * minute,
            recurrence: null,
            timezone: null
          },
          "We upgrade."
        )
        .pipe(at(noon + minute))
      yield* evaluate(monitor, 3, "down")
      yield* rules.create(project.id, { ...draft, name: "Later" })
      yield* review(4)
      assert.deepStrictEqual(yield* alerted(project.id), [])

      yield* monitors
        .update(other.project.id, other.monitor.id, (current) => Effect.succeed({ ...current, paused: true }))
        .pipe(at(noon + 2 * minute))
      yield* rules.create(other.project.id, draft)
      yield* review(4)
      assert.deepStrictEqual(yield* alerted(other.project.id), [])
    })
  )

  it.effect("notifies an added channel of open alerts, and of their end", () =>
    Effect.gen(function* () {
      const { channels, monitor, project, rule } = yield* stage({ channels: 2 })
      const [first, second] = channels as [(typeof channels)[0], (typeof channels)[0]]
      const rules = yield* AlertRules
      yield* rules.update(project.id, rule.id, (current) => Effect.succeed({ ...current, channelIds: [first] }))
      yield* evaluate(monitor, 0, "up", "down")
      yield* rules.update(project.id, rule.id, (current) => Effect.succeed({ ...current, channelIds: [first, second] }))
      yield* review(1.5)
      yield* review(1.6)
      yield* evaluate(monitor, 2, "down", "up")
      assert.deepStrictEqual(yield* alerted(project.id), [
        { channelId: first, minute: 1, sent: "monitor_down monitor_up" },
        { channelId: second, minute: 1, sent: "monitor_down monitor_up" }
      ])
    })
  )

  it.effect("notifies the first channel of a project of an open outage", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 0 })
      yield* evaluate(monitor, 0, "up", "down")
      yield* review(1.2)
      const channels = yield* Channels
      const made = yield* channels.create(project.id, {
        name: "Hook",
        type: "webhook",
        config: { url: "https://example.org/hook" }
      })
      yield* review(1.5)
      assert.deepStrictEqual(yield* alerted(project.id), [
        { channelId: null, minute: 1, sent: "" },
        { channelId: made.id, minute: 1, sent: "monitor_down" }
      ])
    })
  )

  it.effect("reviews all of its monitors, however many are down", () =>
    Effect.gen(function* () {
      const { monitor, project, rule } = yield* stage({ channels: 1 })
      const rules = yield* AlertRules
      const sql = yield* SqlClient.SqlClient
      yield* rules.remove(project.id, rule.id)
      yield* evaluate(monitor, 0, "up", "down")
      // 1,100 more that are down just as this one is.
      yield* sql`INSERT INTO monitors (id, project_id, name, type, interval_seconds, timeout_seconds, regions, paused,
          config, created_at, updated_at)
        SELECT m.id || n, m.project_id, m.name, m.type, m.interval_seconds, m.timeout_seconds, m.regions, m.paused,
          m.config, m.created_at, m.updated_at
        FROM monitors m, generate_series(1, 1100) AS n WHERE m.id = ${monitor.id}`
      yield* sql`INSERT INTO monitor_states (monitor_id, status, state)
        SELECT s.monitor_id || n, s.status, s.state
        FROM monitor_states s, generate_series(1, 1100) AS n WHERE s.monitor_id = ${monitor.id}`
      yield* rules.create(project.id, draft)
      yield* review(1.5)
      const [count] = yield* sql<{
        n: number
      }>`SELECT count(*)::integer AS n FROM alerts WHERE project_id = ${project.id}`
      assert.strictEqual(count!.n, 1101)
    })
  )
})
