/** Takes the steps of a plan, one after the other, and stops at the first that fails: what was done stays done. */
import type { Warning } from "@kanmon/protocol/MonitorBody"
import { Effect } from "effect"
import type { Plan, Step } from "./Plan.ts"
import { Remote, type RemoteFailure, type Row } from "./Remote.ts"
import * as Body from "./RequestBody.ts"
import { type Current, nameOf } from "./Resource.ts"

export interface Outcome {
  readonly done: ReadonlyArray<Step>
  /** The step that failed first, and why; undefined when all were taken. */
  readonly failed: { readonly step: Step; readonly failure: RemoteFailure } | undefined
}

/** `told` is called after every step that was taken, with the server's warnings about what it made of it. */
export const apply = Effect.fnUntraced(function* (
  { steps }: Plan,
  current: ReadonlyArray<Current>,
  told: (step: Step, warnings: ReadonlyArray<string>) => Effect.Effect<void>
): Effect.fn.Return<Outcome, never, Remote> {
  const remote = yield* Remote
  const ids = new Map(current.map((one) => [nameOf(one), one.id]))
  const take = (step: Step): Effect.Effect<Row | void, RemoteFailure> => {
    switch (step.action) {
      case "create":
        return Effect.tap(remote.create(step.kind, Body.whole(step.wanted, ids)), ({ id }) =>
          Effect.sync(() => ids.set(nameOf(step), id))
        )
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
    yield* told(step, warningsOf(result.success))
  }
  return { done, failed: undefined }
})

/** What the server says of a record that it accepted; an older one says nothing. */
const warningsOf = (row: Row | void): ReadonlyArray<string> => {
  const warnings = row?.["warnings"]
  return Array.isArray(warnings) ? (warnings as ReadonlyArray<Warning>).map(({ message }) => message) : []
}
