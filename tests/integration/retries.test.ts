/** How often the probes repeat a failed check: by the monitor's retry interval, and by the rules that watch it. */
import { assert, layer } from "@effect/vitest"
import { AlertRules } from "@kanmon/monitoring/testing/alerts/AlertRules.ts"
import { Monitors } from "@kanmon/monitoring/testing/monitors/Monitors.ts"
import { OutboxQueue } from "@kanmon/platform/outbox/OutboxQueue"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { environment, stage } from "../support/Stage.ts"

layer(environment, { timeout: "60 seconds" })("the retries of a monitor", (it) => {
  it.effect("follow the rule that waits for the most failures", () =>
    Effect.gen(function* () {
      const { monitor, project, rule } = yield* stage({ channels: 0 })
      const monitors = yield* Monitors
      const rules = yield* AlertRules
      const queue = yield* OutboxQueue
      const sql = yield* SqlClient.SqlClient
      const retry = Effect.map(monitors.specs([monitor.id]), ([spec]) => spec!.spec.retry)
      const change = (change: object) =>
        monitors.update(project.id, monitor.id, (current) => Effect.succeed({ ...current, ...change }))
      const counting = (consecutiveFailures: number) =>
        rules.update(project.id, rule.id, (current) => Effect.succeed({ ...current, consecutiveFailures }))
      assert.isUndefined(yield* retry)
      yield* change({ retryInterval: 20 })
      assert.isUndefined(yield* retry)
      yield* counting(3)
      assert.deepStrictEqual(yield* retry, { interval: 20, failures: 3 })

      const draft = { name: "Late", channelIds: [], resendEvery: 0 }
      const others = { ...draft, monitorIds: [monitor.id], consecutiveFailures: 5 }
      const late = yield* rules.create(project.id, { ...others, triggers: ["monitor_down", "ssl_expired"] })
      yield* rules.create(project.id, { ...others, consecutiveFailures: 9, triggers: ["monitor_degraded"] })
      assert.deepStrictEqual(yield* retry, { interval: 20, failures: 5 })

      yield* sql`DELETE FROM outbox`
      yield* rules.remove(project.id, late.id)
      assert.deepStrictEqual(yield* retry, { interval: 20, failures: 3 })
      const waiting = yield* queue.peek(10)
      assert.deepStrictEqual(
        waiting.flatMap((message) => (message._tag === "Spec" ? [message.monitorId] : [])),
        [monitor.id]
      )
    })
  )
})
