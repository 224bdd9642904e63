/**
 * Applies the steps of a plan in order and stops at the first failure; completed steps are not undone. Monitors that follow
 * each other are created with one request, and one by one when the server refuses them together, so that the failing one is
 * known and those before it exist.
 */
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
  /** The steps before this one are created one by one. */
  let single = 0
  for (let index = 0; index < steps.length;) {
    const together = index < single ? [] : creations(steps, index)
    if (together.length > 1) {
      const rows = yield* Effect.result(remote.createMonitors(together.map(({ wanted }) => Body.whole(wanted, ids))))
      if (rows._tag === "Success") {
        for (const [place, step] of together.entries()) {
          const row = rows.success[place]!
          ids.set(nameOf(step.wanted), row.id)
          done.push(step)
          yield* completed(step, warningsOf(row))
        }
        index += together.length
        continue
      }
      if (!isRefusal(rows.failure)) return { done, failed: { step: together[0]!, failure: rows.failure } }
      // A server of an earlier release does not know the request, and would not know the next one either.
      single = isUnknown(rows.failure) ? steps.length : index + together.length
    }
    const step = steps[index++]!
    const result = yield* Effect.result(take(step))
    if (result._tag === "Failure") return { done, failed: { step, failure: result.failure } }
    done.push(step)
    yield* completed(step, warningsOf(result.success))
  }
  return { done, failed: undefined }
})

type Creation = Extract<Step, { readonly action: "create" }>

/** The most monitors of one request: those of usual size fit into the server's limit for a body. */
const maxTogether = 500

/** The creations of monitors from this step on, none of which depends on another one of them. */
const creations = (steps: ReadonlyArray<Step>, from: number): ReadonlyArray<Creation> => {
  const found: Array<Creation> = []
  const keys = new Set<unknown>()
  for (const step of steps.slice(from, from + maxTogether)) {
    if (step.action !== "create" || step.kind !== "monitor") break
    const parents = step.wanted.fields["dependsOn"]
    if (Array.isArray(parents) && parents.some((parent) => keys.has(parent))) break
    keys.add(step.key)
    found.push(step)
  }
  return found
}

/** The server has understood the request, and has created nothing. */
const isRefusal = ({ status }: RemoteFailure): boolean =>
  status !== undefined && status >= 400 && status < 500 && status !== 401 && status !== 403 && status !== 429

const isUnknown = ({ status }: RemoteFailure): boolean => status === 404 || status === 405

/** The server's warnings about an accepted record; older servers send none. */
const warningsOf = (row: Row | void): ReadonlyArray<string> => {
  const warnings = row?.["warnings"]
  return Array.isArray(warnings) ? (warnings as ReadonlyArray<Warning>).map(({ message }) => message) : []
}
