/**
 * How many monitors that are not saved a project, and an account, may have checked at once: whoever could try any number of
 * targets would have a scanner. Counted in this process.
 */
import type { ProjectId } from "@kanmon/domain/Ids"
import type { Problem } from "@kanmon/protocol/Problem"
import { Effect } from "effect"
import * as Places from "./Places.ts"

/** Most trials at once of one project, and of all projects of an account. */
export const mostTrials = 3
export const mostTrialsOfAccount = 6

const retryAfter = 5

export interface Trials {
  /** Runs a trial in one of the places of the project and of its account, or refuses. */
  readonly within: <A, E, R>(
    projectId: ProjectId,
    account: string,
    trial: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | Problem, R>
}

export const make = (): Trials => {
  const places = Places.make(retryAfter)
  const holder = (whose: string, name: string, limit: number): Places.Holder => ({
    name,
    limit,
    refusal: (taken) =>
      `The ${whose} tests ${taken} monitors already, and may test ${limit} at once; wait for one of them`
  })
  return {
    within: (projectId, account, trial) => {
      const holders = [
        holder("project", projectId, mostTrials),
        holder("account", `account ${account}`, mostTrialsOfAccount)
      ]
      return Effect.acquireUseRelease(
        places.enter(holders),
        () => trial,
        () => places.leave(holders)
      )
    }
  }
}
