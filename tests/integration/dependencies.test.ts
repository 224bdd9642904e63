/** Alerts of monitors that depend on others are held while these are down. */
import { assert, layer } from "@effect/vitest"
import { look } from "@kanmon/monitoring/testing/evaluation/HoldWorker.ts"
import { Evaluation } from "@kanmon/monitoring/evaluation"
import { OpenAlerts } from "@kanmon/monitoring/testing/alerts/OpenAlerts.ts"
import { Monitors } from "@kanmon/monitoring/testing/monitors/Monitors.ts"
import type { RuleDraft } from "@kanmon/monitoring/testing/alerts/AlertRules.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { at, environment, evaluate, evaluateBatch, history, minute, noon, observed, stage } from "../support/Stage.ts"

/** A router, and a shop behind it. */
const behindRouter = (rule: Partial<RuleDraft> = {}) =>
  Effect.gen(function* () {
    const made = yield* stage({ channels: 1, rule })
    const monitors = yield* Monitors
    const { id: _, ...draft } = made.monitor
    const child = yield* monitors
      .create(made.project.id, {
        name: "Shop",
        type: draft.type,
        interval: 60,
        timeout: 30,
        regions: [],
        paused: false,
        config: draft.config,
        dependsOn: [made.monitor.id]
      })
      .pipe(at(noon - 30 * minute))
    const alerted = Effect.map(history(made.project.id), (entries) =>
      entries.toReversed().map(({ monitorId, triggeredAt }) => ({
        who: monitorId === child.id ? "child" : "parent",
        minute: (triggeredAt - noon) / minute
      }))
    )
    return { ...made, parent: made.monitor, child, alerted }
  })

layer(environment, { timeout: "60 seconds", excludeTestServices: true })("dependencies", (it) => {
  it.effect("hold the alerts of a child while its parent is down, and store every check", () =>
    Effect.gen(function* () {
      const { alerted, child, parent } = yield* behindRouter({ consecutiveFailures: 2 })
      yield* evaluate(parent, 0, "up", "down", "down", "down", "down")
      yield* evaluate(child, 0, "up", "down", "down", "down", "down")
      assert.deepStrictEqual(yield* alerted, [{ who: "parent", minute: 2 }])
      const sql = yield* SqlClient.SqlClient
      const checks = yield* sql`SELECT 1 FROM observations WHERE monitor_id = ${child.id}`
      assert.lengthOf(checks, 5)
      // The parent is up: the child has to fail as often as its rule says once more.
      yield* evaluate(parent, 5, "up")
      yield* evaluate(child, 5, "down")
      assert.lengthOf(yield* alerted, 1)
      yield* evaluate(child, 6, "down")
      assert.deepStrictEqual((yield* alerted).at(-1), { who: "child", minute: 6 })
    })
  )

  it.effect("send the recovery of a child while its parent is down, and no reminders", () =>
    Effect.gen(function* () {
      const { alerted, child, parent, project } = yield* behindRouter({ resendEvery: 1 })
      const openAlerts = yield* OpenAlerts
      const sql = yield* SqlClient.SqlClient
      yield* evaluate(parent, 0, "up", "up", "up")
      yield* evaluate(child, 0, "up", "down", "down")
      assert.deepStrictEqual(yield* alerted, [{ who: "child", minute: 1 }])
      yield* evaluate(parent, 3, "down")
      yield* sql`UPDATE deliveries SET status = 'delivered'`
      yield* sql`UPDATE alerts SET acknowledged_at = now() WHERE monitor_id = ${parent.id}`
      assert.strictEqual(yield* openAlerts.remind.pipe(at(noon + 10 * minute)), 0)
      yield* evaluate(child, 4, "up")
      const entry = (yield* history(project.id)).find(({ monitorId }) => monitorId === child.id)
      assert.strictEqual(entry!.resolvedAt, noon + 4 * minute)
      const [closing] = yield* sql<{ event: string }>`SELECT notice->>'event' AS event FROM deliveries
        WHERE entry_id = ${entry!.id} AND purpose = 'close'`
      assert.deepStrictEqual(closing, { event: "monitor_up" })
    })
  )

  it.effect("wait for the next check of the parent after the first failure of the child", () =>
    Effect.gen(function* () {
      const { alerted, child, parent } = yield* behindRouter()
      const then = (millis: number) => noon + minute + millis
      yield* evaluate(parent, 0, "up")
      yield* evaluate(child, 0, "up", "down")
      assert.deepStrictEqual(yield* alerted, [], "the parent was last checked before the child failed")
      assert.strictEqual(yield* look.pipe(at(then(1000))), 0)
      yield* evaluateBatch([{ ...observed(parent, 1, "down"), checkedAt: then(5000) }])
      assert.strictEqual(yield* look.pipe(at(then(6000))), 1)
      assert.deepStrictEqual(yield* alerted, [{ who: "parent", minute: 1 + 5 / 60 }])
      assert.strictEqual(yield* look.pipe(at(then(120_000))), 0)
    })
  )

  it.effect("alert as soon as the parent was seen to be up", () =>
    Effect.gen(function* () {
      const { alerted, child, parent } = yield* behindRouter()
      yield* evaluate(parent, 0, "up")
      yield* evaluate(child, 0, "up", "down")
      yield* evaluateBatch([{ ...observed(parent, 1, "up"), checkedAt: noon + minute + 5000 }])
      assert.strictEqual(yield* look.pipe(at(noon + minute + 6000)), 1)
      assert.deepStrictEqual(yield* alerted, [{ who: "child", minute: 1.1 }])
    })
  )

  it.effect("alert after 90 seconds at the latest", () =>
    Effect.gen(function* () {
      const { alerted, child, parent } = yield* behindRouter()
      yield* evaluate(parent, 0, "up")
      yield* evaluate(child, 0, "up", "down")
      assert.strictEqual(yield* look.pipe(at(noon + minute + 89_000)), 0)
      assert.strictEqual(yield* look.pipe(at(noon + minute + 90_000)), 1)
      assert.deepStrictEqual(yield* alerted, [{ who: "child", minute: 2.5 }])
      assert.strictEqual(yield* look.pipe(at(noon + minute + 95_000)), 0)
    })
  )

  it.effect("forget a held outage when it is over", () =>
    Effect.gen(function* () {
      const { alerted, child, parent } = yield* behindRouter()
      const sql = yield* SqlClient.SqlClient
      const holds = sql`SELECT 1 FROM alert_holds WHERE monitor_id = ${child.id}`
      yield* evaluate(parent, 0, "up", "down", "down")
      yield* evaluate(child, 0, "up", "down", "down")
      assert.lengthOf(yield* holds, 1)
      yield* evaluate(parent, 3, "up")
      yield* evaluate(child, 3, "up")
      assert.lengthOf(yield* holds, 0)
      yield* evaluate(parent, 4, "up")
      yield* evaluate(child, 4, "down")
      assert.deepStrictEqual((yield* alerted).at(-1), { who: "child", minute: 4 })
      const evaluation = yield* Evaluation
      yield* evaluation.reviewAlerts([child.id])
    })
  )
})
