/** Checks the new and changed monitors of a plan once, before it is applied. Nothing is stored, and no alert opens. */
import type { Check } from "@kanmon/core/Check"
import { Effect } from "effect"
import type { ApplyPlan, Step } from "./ApplyPlan.ts"
import { Remote } from "./Remote.ts"
import * as Body from "./RequestBody.ts"

/** A monitor with a failed check. */
export interface Failing {
  readonly step: Step
  readonly message: string
}

/** As many as the server runs for one project at once. */
const concurrency = 3

/** The monitors that the plan creates or changes, but for those that are paused or wait for signals. */
const testable = ({ steps }: ApplyPlan, checks: ReadonlyMap<string, Check>) =>
  steps.flatMap((step) => {
    if (step.action === "delete" || step.kind !== "monitor") return []
    const { paused, type } = step.wanted.fields
    return paused === true || checks.get(String(type))?.passive !== undefined ? [] : [step]
  })

/** How many monitors were checked, and those that did not pass: a check that cannot be made has not passed. */
export const run = Effect.fnUntraced(function* (plan: ApplyPlan, checks: ReadonlyMap<string, Check>) {
  const remote = yield* Remote
  const steps = testable(plan, checks)
  const found = yield* Effect.forEach(
    steps,
    (step) => {
      // Dependencies say when alerts are held back, not what is checked; they may not exist yet.
      const { dependsOn: _, key: __, ...body } = Body.whole(step.wanted, new Map())
      return Effect.match(remote.test(body), {
        onFailure: ({ message }): ReadonlyArray<Failing> => [{ step, message: `The check cannot be made: ${message}` }],
        onSuccess: ({ failure, status }): ReadonlyArray<Failing> =>
          status === "up" || status === "degraded"
            ? []
            : [
                {
                  step,
                  message: `The check does not pass (${status}): ${failure?.message ?? "no region could make it"}`
                }
              ]
      })
    },
    { concurrency }
  )
  return { tested: steps.length, failing: found.flat() }
})
