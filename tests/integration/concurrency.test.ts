/** Concurrent changes and evaluations of the same monitors on a real PostgreSQL succeed without deadlocks. */
import { assert, layer } from "@effect/vitest"
import { Incidents } from "@kanmon/monitoring/incidents"
import { Monitors } from "@kanmon/monitoring/testing/monitors/Monitors.ts"
import { Projects } from "@kanmon/identity/testing/projects/Projects.ts"
import { Partitions } from "@kanmon/monitoring/evaluation"
import { Transaction } from "@kanmon/platform/Transaction"
import { utcDay } from "@kanmon/domain/Timestamp"
import { Effect, Fiber, Latch, Layer } from "effect"
import * as LockWaits from "../support/LockWaits.ts"
import { at, environment, evaluate, minute, noon, stage } from "../support/Stage.ts"

const rounds = 60

layer(environment, { timeout: "60 seconds", excludeTestServices: true })("concurrent changes", (it) => {
  it.effect("evaluates, renames, pauses, resumes and maintains a monitor", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 2 })
      const monitors = yield* Monitors
      const incidents = yield* Incidents
      const evaluations = Effect.forEach(Array.from({ length: rounds }), (_, round) =>
        evaluate(monitor, round * 2, "down", "up")
      )
      const changed = Effect.forEach(Array.from({ length: rounds }), (_, round) =>
        monitors
          .update(project.id, monitor.id, (current) =>
            Effect.succeed({ ...current, passive: false, name: `Web ${round}`, paused: round % 4 === 1 })
          )
          .pipe(at(noon + round * minute))
      )
      const maintained = Effect.forEach(Array.from({ length: rounds }), (_, round) =>
        incidents
          .create(
            project.id,
            {
              title: "Upgrade",
              status: "investigating",
              monitorIds: [monitor.id],
              maintenance: true,
              scheduledStart: noon + round * minute,
              scheduledEnd: noon + (round + 1) * minute,
              recurrence: null,
              timezone: null
            },
            "We upgrade."
          )
          .pipe(at(noon + round * minute))
      )
      yield* Effect.all([evaluations, changed, changed, maintained], { concurrency: "unbounded" })
      assert.strictEqual((yield* monitors.get(project.id, monitor.id)).name, `Web ${rounds - 1}`)
    })
  )

  it.effect("deletes monitors and their project during evaluation", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 10; round++) {
        const { monitor, project } = yield* stage({ channels: 1 })
        const monitors = yield* Monitors
        const projects = yield* Projects
        const evaluations = Effect.forEach(Array.from({ length: 6 }), (_, step) =>
          evaluate(monitor, step * 2, "down", "up")
        )
        const gone: Effect.Effect<void, unknown> =
          round % 2 === 0 ? monitors.remove(project.id, monitor.id) : projects.remove(project.id)
        yield* Effect.all([evaluations, Effect.andThen(Effect.yieldNow, gone)], { concurrency: "unbounded" })
        assert.isTrue(yield* Effect.isFailure(monitors.get(project.id, monitor.id)))
      }
    })
  )

  it.effect("creates the partition of a day while results of that day are evaluated", () =>
    Effect.gen(function* () {
      const { monitor } = yield* stage({ channels: 1 })
      const partitions = yield* Partitions
      const transaction = yield* Transaction
      // A month later, for which there is no partition yet.
      const later = 30 * 24 * 60
      const day = utcDay(noon + later * minute).replaceAll("-", "")
      assert.notInclude(yield* partitions.days, day)
      const begun = yield* Latch.make()
      const creation = Effect.gen(function* () {
        yield* partitions.makeDays([day])
        yield* begun.open
        yield* LockWaits.waiting(1)
      })
      const creating = yield* Effect.forkChild(transaction.run(creation))
      yield* begun.await
      yield* evaluate(monitor, later, "up")
      yield* Fiber.join(creating)
      assert.include(yield* partitions.days, day)
    }).pipe(Effect.provide(Layer.merge(Partitions.layer, Transaction.layer)))
  )
})
