import { assert, it } from "@effect/vitest"
import type { ProjectId } from "@kanmon/domain/Ids"
import { Effect, Fiber, Latch } from "effect"
import { make, maxTrials, maxTrialsOfAccount } from "../../src/checks/Trials.ts"

it.effect("limits the concurrent tests of a project and of an account over all its projects", () =>
  Effect.gen(function* () {
    const trials = make()
    const over = yield* Latch.make()
    const trial = (projectId: string, account = "ada") => trials.within(projectId as ProjectId, account, over.await)
    const begin = (projectId: string, account?: string) =>
      Effect.forkChild(trial(projectId, account), { startImmediately: true })
    const running = yield* Effect.replicateEffect(begin("prj_1"), maxTrials)
    assert.match((yield* Effect.flip(trial("prj_1"))).detail, /^The project already runs 3 tests/)
    running.push(...(yield* Effect.replicateEffect(begin("prj_2"), maxTrialsOfAccount - maxTrials)))
    assert.match((yield* Effect.flip(trial("prj_3"))).detail, /^The account already runs 6 tests/)
    running.push(yield* begin("prj_4", "ben"))
    yield* over.open
    yield* Fiber.joinAll(running)
    yield* trial("prj_1")
  })
)
