/** Takes the steps of a plan, one after the other, and stops at the first that fails: what was done stays done. */
import { Effect } from "effect"
import type { Plan, Step } from "./Plan.ts"
import { Remote, type RemoteFailure } from "./Remote.ts"
import * as Body from "./RequestBody.ts"
import { type Current, nameOf } from "./Resource.ts"

export interface Outcome {
  readonly done: ReadonlyArray<Step>
  /** The step that failed first, and why; undefined when all were taken. */
  readonly failed: { readonly step: Step; readonly failure: RemoteFailure } | undefined
}

/** `told` hears of every step that was taken. */
export const apply = Effect.fnUntraced(function* (
  { steps }: Plan,
  current: ReadonlyArray<Current>,
  told: (step: Step) => Effect.Effect<void>
): Effect.fn.Return<Outcome, never, Remote> {
  const remote = yield* Remote
  const ids = new Map(current.map((one) => [nameOf(one), one.id]))
  const take = (step: Step): Effect.Effect<unknown, RemoteFailure> => {
    switch (step.action) {
      case "create":
        return Effect.map(remote.create(step.kind, Body.whole(step.wanted, ids)), ({ id }) => ids.set(nameOf(step), id))
      case "update":
        return remote.update(step.kind, step.id, Body.change(step.wanted, step.changes, ids))
      case "delete":
        return remote.remove(step.kind, step.id)
    }
  }
  const done: Array<Step> = []
  for (const step of steps) {
    const result = yield* Effect.result(take(step))
    if (result._tag === "Failure") return { done, failed: { step, failure: result.failure } }
    done.push(step)
    yield* told(step)
  }
  return { done, failed: undefined }
})
