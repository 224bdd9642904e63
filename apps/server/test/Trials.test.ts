import { assert, it } from "@effect/vitest"
import type { ProjectId } from "@kanmon/domain/Ids"
import { Effect, Fiber, Latch } from "effect"
import { make, mostTrials, mostTrialsOfAccount } from "../src/http/Trials.ts"

it.effect("lets a project, and an account over all its projects, test so many monitors at once", () =>
  Effect.gen(function* () {
    const trials = make()
    const over = yield* Latch.make()
    const trial = (projectId: string, account = "ada") => trials.within(projectId as ProjectId, account, over.await)
    const begin = (projectId: string, account?: string) =>
      Effect.forkChild(trial(projectId, account), { startImmediately: true })
    const running = yield* Effect.replicateEffect(begin("prj_1"), mostTrials)
    assert.match((yield* Effect.flip(trial("prj_1"))).detail, /^The project tests 3 monitors already/)
    running.push(...(yield* Effect.replicateEffect(begin("prj_2"), mostTrialsOfAccount - mostTrials)))
    assert.match((yield* Effect.flip(trial("prj_3"))).detail, /^The account tests 6 monitors already/)
    running.push(yield* begin("prj_4", "ben"))
    yield* over.open
    yield* Fiber.joinAll(running)
    yield* trial("prj_1")
  })
)
