/** The way of a changed monitor to the probes begins in the transaction of the change, and with nothing else. */
import { assert, layer } from "@effect/vitest"
import { AuditLog } from "@kanmon/identity/audit"
import { monitorEvent } from "@kanmon/domain/MonitorEvents"
import { MonitorId } from "@kanmon/domain/Ids"
import { Monitors } from "@kanmon/monitoring/testing/monitors/Monitors.ts"
import { SpecUpdates } from "@kanmon/monitoring/specs"
import { Outbox } from "@kanmon/platform/outbox/Outbox"
import { OutboxQueue } from "@kanmon/platform/outbox/OutboxQueue"
import { Transaction } from "@kanmon/platform/Transaction"
import { Effect } from "effect"
import { environment, noon, stage } from "../support/Stage.ts"

const waiting = Effect.flatMap(OutboxQueue, ({ peek }) =>
  Effect.map(peek(10_000), (all) =>
    all.map((message) =>
      message._tag === "Spec"
        ? `spec ${message.monitorId}`
        : message.event.subject.replace(/^.*\.(?=\w+\.\w+\.\w+$)/, "")
    )
  )
)

const emptied = Effect.flatMap(OutboxQueue, ({ confirm, peek }) =>
  Effect.flatMap(peek(10_000), (all) => confirm(all.map(({ sequence }) => sequence)))
)

layer(environment, { timeout: "60 seconds" })("updates of specs", (it) => {
  it.effect("leave before the event and the audit entry of the same change", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 0 })
      const monitors = yield* Monitors
      yield* emptied
      yield* monitors.update(project.id, monitor.id, (current) => Effect.succeed({ ...current, interval: 120 }))
      const [spec, event, entry, ...others] = yield* waiting
      assert.strictEqual(spec, `spec ${monitor.id}`)
      assert.strictEqual(event, `monitor.${monitor.id}.updated`)
      assert.match(entry!, /^audit\./)
      assert.deepStrictEqual(others, [])
    })
  )

  it.effect("do not leave because something was recorded in the audit log", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 0 })
      const audit = yield* AuditLog
      const monitors = yield* Monitors
      yield* emptied
      const target = { id: monitor.id, name: monitor.name }
      yield* audit.record([{ action: "monitor.updated", target, projectId: project.id, before: {}, after: {} }])
      yield* monitors.update(project.id, monitor.id, (current) =>
        Effect.succeed({ ...current, description: "Only a note" })
      )
      assert.isEmpty((yield* waiting).filter((message) => message.startsWith("spec")))
    })
  )

  it.effect("are written once for all that is appended together, and not at all when it fails", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 0 })
      const outbox = yield* Outbox
      const specs = yield* SpecUpdates
      const transaction = yield* Transaction
      yield* emptied
      const event = monitorEvent({ ...monitor, projectId: project.id }, "updated", noon, "01")
      const [first, second] = [monitor.id, MonitorId.make("mon_other")]
      const appended = Effect.gen(function* () {
        yield* outbox.append([event])
        yield* specs.append([first])
        yield* outbox.together(specs.append([second]))
        assert.isEmpty(yield* waiting, "nothing is written before the end")
      })
      yield* transaction.run(outbox.together(appended))
      assert.deepStrictEqual(yield* waiting, [`spec ${first}`, `spec ${second}`, `monitor.${monitor.id}.updated`])
      yield* emptied
      yield* Effect.exit(transaction.run(outbox.together(Effect.andThen(appended, Effect.fail("refused")))))
      assert.isEmpty(yield* waiting)
    })
  )
})
