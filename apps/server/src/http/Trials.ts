/**
 * How many monitors that are not saved a project may have checked at once: whoever could try any number of targets would have
 * a scanner. Counted in this process.
 */
import type { ProjectId } from "@kanmon/domain/Ids"
import { Problem } from "@kanmon/protocol/Problem"
import { Effect } from "effect"

/** Most trials of one project at once. */
export const mostTrials = 3

const retryAfter = 5

export interface Trials {
  /** Runs a trial in one of the project's places, or refuses. */
  readonly within: <A, E, R>(projectId: ProjectId, trial: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Problem, R>
}

export const make = (): Trials => {
  const taken = new Map<ProjectId, number>()

  const enter = (projectId: ProjectId) =>
    Effect.suspend(() => {
      const count = taken.get(projectId) ?? 0
      if (count >= mostTrials) {
        return Effect.fail(
          new Problem({
            code: "rate_limited",
            detail: `The project tests ${count} monitors already, and may test ${mostTrials} at once; wait for one of them`,
            retryAfter
          })
        )
      }
      taken.set(projectId, count + 1)
      return Effect.void
    })

  const leave = (projectId: ProjectId) =>
    Effect.sync(() => {
      const rest = taken.get(projectId)! - 1
      if (rest > 0) taken.set(projectId, rest)
      else taken.delete(projectId)
    })

  return {
    within: (projectId, trial) =>
      Effect.acquireUseRelease(
        enter(projectId),
        () => trial,
        () => leave(projectId)
      )
  }
}
