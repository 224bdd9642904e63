/**
 * Applies the steps of a plan, or has the server judge them. The server makes the changes of one request together: a plan of
 * usual size is applied completely or not at all.
 */
import type { ChangeResult } from "@kanmon/protocol/ChangesBody"
import { Effect } from "effect"
import type { ApplyPlan, Step } from "./ApplyPlan.ts"
import * as Changes from "./Changes.ts"
import { Remote, type RemoteFailure } from "./Remote.ts"
import { type Current, nameOf } from "./Resource.ts"

/** An objection of the server to a step; `path` is that of the field in the API. */
interface Objection {
  readonly step: Step
  readonly path: string
  readonly message: string
}

/** The server refused, or could not be reached. */
export interface Refused {
  readonly failure: RemoteFailure
  /** Empty if no single step is refused. */
  readonly objections: ReadonlyArray<Objection>
}

export interface ApplyOutcome {
  readonly done: ReadonlyArray<Step>
  /** Why the steps after those were not done; undefined if all succeeded. */
  readonly refused: Refused | undefined
}

const knownIn = (current: ReadonlyArray<Current>) => ({
  ids: new Map(current.map((one) => [nameOf(one), one.id])),
  over: new Set(current.filter((one) => one.over).map(({ id }) => id)),
  updatedAt: new Map(current.flatMap(({ id, updatedAt }) => (updatedAt === undefined ? [] : [[id, updatedAt]])))
})

/** `completed` runs after every successful step, with the server's warnings about it. */
export const apply = Effect.fnUntraced(function* (
  { steps }: ApplyPlan,
  current: ReadonlyArray<Current>,
  completed: (step: Step, warnings: ReadonlyArray<string>) => Effect.Effect<void>
): Effect.fn.Return<ApplyOutcome, never, Remote> {
  const remote = yield* Remote
  const known = knownIn(current)
  const done: Array<Step> = []
  while (done.length < steps.length) {
    const bundle = Changes.bundle(steps.slice(done.length), known)
    const made = yield* Effect.result(remote.change(bundle.changes, false))
    if (made._tag === "Failure") return { done, refused: refusedOf(bundle, made.failure) }
    for (const [index, { id }] of made.success.entries())
      if (bundle.changes[index]!.action === "create") known.ids.set(nameOf(bundle.stepOf[index]!), id)
    for (const step of bundle.steps) {
      done.push(step)
      yield* completed(step, warningsOf(bundle, made.success, step))
    }
  }
  return { done, refused: undefined }
})

/** The answer that the server would give if the plan were applied. */
export interface Judgement {
  /** The number of judged steps: those that are made together with the first one. */
  readonly judged: number
  readonly refused: Refused | undefined
  readonly warnings: ReadonlyArray<{ readonly step: Step; readonly warnings: ReadonlyArray<string> }>
}

/** Has the server judge the steps with the code that makes them. Nothing is changed. */
export const judge = Effect.fnUntraced(function* (
  { steps }: ApplyPlan,
  current: ReadonlyArray<Current>
): Effect.fn.Return<Judgement, never, Remote> {
  if (steps.length === 0) return { judged: 0, refused: undefined, warnings: [] }
  const bundle = Changes.bundle(steps, knownIn(current))
  const judged = bundle.steps.length
  const made = yield* Effect.result((yield* Remote).change(bundle.changes, true))
  if (made._tag === "Failure") return { judged, refused: refusedOf(bundle, made.failure), warnings: [] }
  const warnings = bundle.steps.map((step) => ({ step, warnings: warningsOf(bundle, made.success, step) }))
  return { judged, refused: undefined, warnings: warnings.filter((one) => one.warnings.length > 0) }
})

const place = /^changes\[(\d{1,9})\](?:\.body)?\.?/

const refusedOf = ({ stepOf }: Changes.Bundle, failure: RemoteFailure): Refused => ({
  failure,
  objections: failure.errors.flatMap(({ message, path }): ReadonlyArray<Objection> => {
    const found = place.exec(path)
    const step = found === null ? undefined : stepOf[Number(found[1])]
    if (step === undefined) return []
    const field = path.slice(found![0].length)
    // The condition of a change is about the whole record.
    return [{ step, path: field === "ifUpdatedAt" ? "" : field, message }]
  })
})

const warningsOf = (
  { stepOf }: Changes.Bundle,
  results: ReadonlyArray<ChangeResult>,
  step: Step
): ReadonlyArray<string> =>
  results.flatMap(({ warnings = [] }, index) => (stepOf[index] === step ? warnings.map(({ message }) => message) : []))
