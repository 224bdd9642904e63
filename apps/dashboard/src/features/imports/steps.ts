/** The steps of an import: their references, and sending them one after another. */
import type { ImportPlan } from "@kanmon/protocol/ImportBody"
import { ApiError, formErrors } from "../../api/problem.ts"
import { createAt, recordsAt } from "../../api/imports.ts"
import { type ProjectHeaders, queryOf } from "../../api/message.ts"
import { t } from "../../locales/text.ts"

export type Plan = typeof ImportPlan.Encoded
export type Step = Plan["steps"][number]

/** The result of a step. `there`: a record with its key exists from an earlier import. */
export type Outcome =
  /** `warnings`: the server's warnings about the record, such as a refused target. */
  | { readonly state: "created"; readonly id: string; readonly warnings: ReadonlyArray<string> }
  | { readonly state: "there"; readonly id: string }
  /** `refused`: texts of the body that can be changed before the next attempt, by their paths, with the reasons. */
  | {
      readonly state: "failed"
      readonly reason: string | undefined
      readonly refused: Readonly<Record<string, string>>
    }

export type Outcomes = ReadonlyMap<string, Outcome>

/** Changed texts of the bodies, by the refs of their steps and by their paths in the body. */
export type Edits = ReadonlyMap<string, Readonly<Record<string, string>>>

/** The text at a path of a body, such as `config.url`; undefined where there is none. */
export const textAt = (body: Step["body"], path: string): string | undefined => {
  const found = path.split(".").reduce<unknown>((inner, part) => (isObject(inner) ? inner[part] : undefined), body)
  return typeof found === "string" ? found : undefined
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The body with another text at a path; an empty text takes the field away. */
const withText = (body: Readonly<Record<string, unknown>>, path: string, text: string): Record<string, unknown> => {
  const [first = "", ...rest] = path.split(".")
  const { [first]: value, ...others } = body
  if (rest.length > 0) return { ...body, [first]: withText(isObject(value) ? value : {}, rest.join("."), text) }
  return text.trim() === "" ? others : { ...others, [first]: text.trim() }
}

/** The body as it is sent. */
const edited = ({ body, ref }: Pick<Step, "body" | "ref">, edits: Edits): Readonly<Record<string, unknown>> =>
  Object.entries(edits.get(ref) ?? {}).reduce<Readonly<Record<string, unknown>>>(
    (all, [path, text]) => withText(all, path, text),
    body
  )

/** Replaces references with ids; unresolved ones are added to `missing`. */
const resolved = (value: unknown, idOf: (ref: string) => string | undefined): unknown => {
  if (typeof value === "string") return idOf(value) ?? value
  if (Array.isArray(value)) return value.map((item) => resolved(item, idOf))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, resolved(item, idOf)]))
}

const idIn = (outcome: Outcome | undefined): string | undefined =>
  outcome === undefined || outcome.state === "failed" ? undefined : outcome.id

/** The record that was created from the same key before, if that is why the step was refused. */
const existing = async (step: Step, project: ProjectHeaders): Promise<string | undefined> => {
  const { key } = step.body
  if (typeof key !== "string") return undefined
  const [found] = await recordsAt(`${step.path}${queryOf({ key })}`, project)
  return found?.id
}

const send = async (step: Step, body: unknown, project: ProjectHeaders): Promise<Outcome> => {
  try {
    const { id, warnings = [] } = await createAt(step.path, body, project)
    return { state: "created", id, warnings: warnings.map(({ message }) => message) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // The server is unreachable, or the session has ended: no step would succeed now.
    if (error.status === 0 || error.status === 401 || error.status >= 500) throw error
    const id = error.status === 409 ? await existing(step, project) : undefined
    if (id !== undefined) return { state: "there", id }
    const refused = error.fields.filter(({ path }) => textAt(step.body, path) !== undefined)
    return {
      state: "failed",
      reason: refused.length > 0 && refused.length === error.fields.length ? undefined : formErrors(error, []).general,
      refused: Object.fromEntries(refused.map(({ message, path }) => [path, message]))
    }
  }
}

/**
 * Sends the unfinished steps in order, with the changes of their texts, and reports each result to `onOutcome`. Throws if continuing makes no sense now.
 */
export const apply = async (
  { steps }: Plan,
  done: Outcomes,
  edits: Edits,
  project: ProjectHeaders,
  onOutcome: (ref: string, outcome: Outcome) => void
): Promise<void> => {
  const outcomes = new Map(done)
  const byRef = new Map(steps.map((step) => [step.ref, step]))
  for (const step of steps) {
    if (idIn(outcomes.get(step.ref)) !== undefined) continue
    let needed: Step | undefined
    const body = resolved(edited(step, edits), (ref) => {
      const other = byRef.get(ref)
      if (other === undefined) return undefined
      const id = idIn(outcomes.get(ref))
      if (id === undefined) needed ??= other
      return id
    })
    const outcome: Outcome =
      needed === undefined
        ? await send(step, body, project)
        : { state: "failed", reason: t("It needs {name}, which was not created.", { name: needed.name }), refused: {} }
    outcomes.set(step.ref, outcome)
    onOutcome(step.ref, outcome)
  }
}
