/** Concurrent changes and evaluations of the same monitors on a real PostgreSQL succeed without deadlocks. */
import { assert, layer } from "@effect/vitest"
import { Incidents } from "@kanmon/monitoring/incidents"
import { Monitors } from "@kanmon/monitoring/testing/monitors/Monitors.ts"
import { Projects } from "@kanmon/identity/testing/projects/Projects.ts"
import { Effect } from "effect"
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
})
