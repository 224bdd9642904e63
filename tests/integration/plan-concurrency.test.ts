/** Concurrent changes of plans, monitors and status on a real PostgreSQL keep the limits and cause no conflicts. */
import { assert, layer } from "@effect/vitest"
import type { ProjectId } from "@kanmon/domain/Ids"
import { look } from "@kanmon/identity/testing/billing/SubscriptionWorker.ts"
import { Monitors } from "@kanmon/monitoring/testing/monitors/Monitors.ts"
import { Plans } from "@kanmon/identity/testing/billing/Plans.ts"
import { Projects } from "@kanmon/identity/testing/projects/Projects.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { environmentWith, evaluate, stage } from "../support/Stage.ts"
import { create, hear, monitorsOf, plan, two } from "../support/Subscribers.ts"

layer(environmentWith("plan_free"), { timeout: "60 seconds", excludeTestServices: true })(
  "concurrent changes of plans",
  (it) => {
    it.effect("changes plans while monitors are evaluated, created, changed and deleted", () =>
      Effect.gen(function* () {
        const small = yield* two
        const { monitor, project, organization } = yield* stage({ channels: 1 })
        const monitors = yield* Monitors
        const projects = yield* Projects
        const plans = yield* Plans
        const other = yield* projects.create(organization, "Other")
        const second = yield* create(other.id)
        const rounds = Array.from({ length: 25 }, (_, round) => round)
        const evaluations = Effect.forEach(rounds, (round) => evaluate(monitor, round * 2, "down", "up"))
        const turned = Effect.forEach(rounds, (round) =>
          hear(organization, round % 2 === 0 ? plan("enterprise") : small)
        )
        const changed = (id: typeof second.id, projectId: ProjectId) =>
          Effect.forEach(rounds, (round) =>
            Effect.ignore(
              monitors.update(projectId, id, (current) =>
                Effect.succeed({
                  ...current,
                  paused: round % 3 === 0,
                  interval: round % 2 === 0 ? 10 : 60,
                  timeout: 10
                })
              )
            )
          )
        const made = Effect.forEach(rounds, () =>
          Effect.flatMap(Effect.option(create(other.id)), (found) =>
            found._tag === "Some" ? Effect.ignore(monitors.remove(other.id, found.value.id)) : Effect.void
          )
        )
        const edited = Effect.forEach(rounds, (round) =>
          Effect.andThen(
            plans.update(small, (current) => Effect.succeed({ ...current, monitors: 1 + (round % 3) })),
            look
          )
        )
        yield* Effect.all(
          [evaluations, turned, changed(monitor.id, project.id), changed(second.id, other.id), made, made, edited],
          { concurrency: "unbounded" }
        )
        yield* plans.update(small, (current) => Effect.succeed({ ...current, monitors: 1 }))
        assert.include(["Written", "Outdated"], yield* hear(organization, small))
        yield* look
        const all = [...(yield* monitorsOf(project.id)), ...(yield* monitorsOf(other.id))]
        assert.isAtMost(all.filter(({ paused }) => !paused).length, 1)
        for (const { interval } of all) assert.isAtLeast(interval, 60)
        // Each status history ends with the monitor's status.
        const sql = yield* SqlClient.SqlClient
        for (const { id, paused } of all) {
          const [last] = yield* sql<{ status: string }>`SELECT status FROM status_changes WHERE monitor_id = ${id}
          ORDER BY sequence DESC LIMIT 1`
          assert.strictEqual(last!.status === "paused", paused)
        }
        yield* projects.remove(other.id)
      })
    )

    it.effect("gives the last place to one monitor, and counts resumed ones", () =>
      Effect.gen(function* () {
        const small = yield* two
        const { project, organization } = yield* stage({ channels: 0 })
        const monitors = yield* Monitors
        const made = yield* Effect.forEach([1, 2, 3, 4], () => create(project.id))
        yield* hear(organization, small)
        const resumed = yield* Effect.all(
          made.map(({ id }) =>
            Effect.result(
              monitors.update(project.id, id, (current) =>
                Effect.succeed({ ...current, paused: false, name: "Resumed" })
              )
            )
          ),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(resumed.filter(({ _tag }) => _tag === "Success").length, 1)
        const running = (yield* monitorsOf(project.id)).filter(({ paused }) => !paused)
        assert.lengthOf(running, 2)
      })
    )
  }
)
