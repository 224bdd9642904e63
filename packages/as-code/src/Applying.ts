/**
 * Applies the steps of a plan, or has the server judge them. The server makes the changes of one request together: a plan of
 * usual size is applied completely or not at all.
 */
import type { ChangeResult } from "@kanmon/protocol/ChangesBody"
import { Effect } from "effect"
import type { ApplyPlan, Step } from "./ApplyPlan.ts"
import * as Changes from "./Changes.ts"
import { type Directory, namesIn } from "./Directory.ts"
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

const knownIn = (current: ReadonlyArray<Current>, directory: Directory) => ({
  ids: new Map([...directory, ...current.map((one) => [nameOf(one), one.id] as const)]),
  over: new Set(current.filter((one) => one.over).map(({ id }) => id)),
  updatedAt: new Map(current.flatMap(({ id, updatedAt }) => (updatedAt === undefined ? [] : [[id, updatedAt]])))
})

/** The answer of the server about a step. */
export interface Said {
  readonly warnings: ReadonlyArray<string>
  /** The people whose shifts a changed schedule moves, by their addresses. */
  readonly moved: ReadonlyArray<string>
}

/** `completed` runs after every successful step, with the answer of the server about it. */
export const apply = Effect.fnUntraced(function* (
  { steps }: ApplyPlan,
  current: ReadonlyArray<Current>,
  completed: (step: Step, said: Said) => Effect.Effect<void>,
  directory: Directory = new Map()
): Effect.fn.Return<ApplyOutcome, never, Remote> {
  const remote = yield* Remote
  const known = knownIn(current, directory)
  const done: Array<Step> = []
  while (done.length < steps.length) {
    const bundle = Changes.bundle(steps.slice(done.length), known)
    const made = yield* Effect.result(remote.change(bundle.changes, false))
    if (made._tag === "Failure") return { done, refused: refusedOf(bundle, made.failure) }
    for (const [index, { id }] of made.success.entries())
      if (bundle.changes[index]!.action === "create") known.ids.set(nameOf(bundle.stepOf[index]!), id)
    for (const step of bundle.steps) {
      done.push(step)
      yield* completed(step, saidOf(bundle, made.success, step, directory))
    }
  }
  return { done, refused: undefined }
})

/** The answer that the server would give if the plan were applied. */
export interface Judgement {
  /** The number of judged steps: those that are made together with the first one. */
  readonly judged: number
  readonly refused: Refused | undefined
  readonly said: ReadonlyArray<Said & { readonly step: Step }>
}

/** Has the server judge the steps with the code that makes them. Nothing is changed. */
export const judge = Effect.fnUntraced(function* (
  { steps }: ApplyPlan,
  current: ReadonlyArray<Current>,
  directory: Directory = new Map()
): Effect.fn.Return<Judgement, never, Remote> {
  if (steps.length === 0) return { judged: 0, refused: undefined, said: [] }
  const bundle = Changes.bundle(steps, knownIn(current, directory))
  const judged = bundle.steps.length
  const made = yield* Effect.result((yield* Remote).change(bundle.changes, true))
  if (made._tag === "Failure") return { judged, refused: refusedOf(bundle, made.failure), said: [] }
  const said = bundle.steps.map((step) => ({ step, ...saidOf(bundle, made.success, step, directory) }))
  return { judged, refused: undefined, said: said.filter((one) => one.warnings.length + one.moved.length > 0) }
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

const saidOf = (
  { stepOf }: Changes.Bundle,
  results: ReadonlyArray<ChangeResult>,
  step: Step,
  directory: Directory
): Said => {
  const own = results.filter((_, index) => stepOf[index] === step)
  const names = namesIn(directory)
  return {
    warnings: own.flatMap(({ warnings = [] }) => warnings.map(({ message }) => message)),
    moved: own.flatMap(({ movedUserIds = [] }) => movedUserIds.map((id) => names.get(id) ?? id))
  }
}
