/**
 * Limits concurrent tests of unsaved settings per project and per account, so that they cannot be used as a port scanner.
 * Counted in this process.
 */
import type { ProjectId } from "@kanmon/domain/Ids"
import type { Problem } from "@kanmon/protocol/Problem"
import { Effect, type Scope } from "effect"
import * as Places from "@kanmon/platform/http/Places"

/** Concurrent tests of a project, and of all projects of an account. */
export const maxTrials = 3
export const maxTrialsOfAccount = 6

const retryAfter = 5

export interface Trials {
  /** Counts a test against the limits of the project and its account until the scope closes; refuses beyond them. */
  readonly enter: (projectId: ProjectId, account: string) => Effect.Effect<void, Problem<"rate_limited">, Scope.Scope>
  /** Runs a test if the project and its account are within their limits; refuses otherwise. */
  readonly within: <A, E, R>(
    projectId: ProjectId,
    account: string,
    trial: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | Problem<"rate_limited">, R>
}

export const make = (): Trials => {
  const places = Places.make(retryAfter)
  const holder = (whose: string, name: string, limit: number): Places.Holder => ({
    key: name,
    limit,
    refusal: (taken) => `The ${whose} already runs ${taken} tests of at most ${limit}; wait for one to finish`
  })
  const holders = (projectId: ProjectId, account: string) => [
    holder("project", projectId, maxTrials),
    holder("account", `account ${account}`, maxTrialsOfAccount)
  ]
  return {
    enter: (projectId, account) => {
      const taken = holders(projectId, account)
      return Effect.acquireRelease(places.enter(taken), () => places.leave(taken))
    },
    within: (projectId, account, trial) => {
      const taken = holders(projectId, account)
      return Effect.acquireUseRelease(
        places.enter(taken),
        () => trial,
        () => places.leave(taken)
      )
    }
  }
}
