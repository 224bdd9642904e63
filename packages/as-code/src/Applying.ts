/** Applies the steps of a plan in order and stops at the first failure; completed steps are not undone. */
import type { Warning } from "@kanmon/protocol/MonitorBody"
import { Effect } from "effect"
import type { ApplyPlan, Step } from "./ApplyPlan.ts"
import { Remote, type RemoteFailure, type Row } from "./Remote.ts"
import * as Body from "./RequestBody.ts"
import { type Current, nameOf, type Wanted } from "./Resource.ts"

export interface ApplyOutcome {
  readonly done: ReadonlyArray<Step>
  /** The step that failed, and why; undefined if all succeeded. */
  readonly failed: { readonly step: Step; readonly failure: RemoteFailure } | undefined
}

/** `completed` runs after every successful step, with the server's warnings about it. */
export const apply = Effect.fnUntraced(function* (
  { steps }: ApplyPlan,
  current: ReadonlyArray<Current>,
  completed: (step: Step, warnings: ReadonlyArray<string>) => Effect.Effect<void>
): Effect.fn.Return<ApplyOutcome, never, Remote> {
  const remote = yield* Remote
  const ids = new Map(current.map((one) => [nameOf(one), one.id]))
  const over = new Set(current.filter((one) => one.over).map(({ id }) => id))
  const create = ({ kind, wanted }: Extract<Step, { readonly wanted: Wanted }>) =>
    Effect.tap(remote.create(kind, Body.whole(wanted, ids)), ({ id }) => Effect.sync(() => ids.set(nameOf(wanted), id)))
  const take = (step: Step): Effect.Effect<Row | void, RemoteFailure> => {
    switch (step.action) {
      case "create":
        return create(step)
      case "update":
        if (over.has(step.id) && step.changes.some(({ field }) => Body.scheduling.has(field)))
          return Effect.andThen(remote.update(step.kind, step.id, Body.released), create(step))
        return remote.update(step.kind, step.id, Body.change(step.wanted, step.changes, ids))
      case "delete":
        return over.has(step.id) ? remote.update(step.kind, step.id, Body.released) : remote.remove(step.kind, step.id)
    }
  }
  const done: Array<Step> = []
  for (const step of steps) {
    const result = yield* Effect.result(take(step))
    if (result._tag === "Failure") return { done, failed: { step, failure: result.failure } }
    done.push(step)
    yield* completed(step, warningsOf(result.success))
  }
  return { done, failed: undefined }
})

/** The server's warnings about an accepted record; older servers send none. */
const warningsOf = (row: Row | void): ReadonlyArray<string> => {
  const warnings = row?.["warnings"]
  return Array.isArray(warnings) ? (warnings as ReadonlyArray<Warning>).map(({ message }) => message) : []
}
