/** Describes a plan as text, without secrets. */
import type { Schema } from "effect"
import { type Change, count, type ApplyPlan, type Step } from "./ApplyPlan.ts"
import { nameOf } from "./Resource.ts"

const marks = { create: "+", update: "~", delete: "-" } as const

/** One line for each step and each changed field, and a summary. */
export const describe = (plan: ApplyPlan): ReadonlyArray<string> => [
  ...plan.steps.flatMap((step) => [`  ${marks[step.action]} ${nameOf(step)}${hint(step)}`, ...fields(step)]),
  ...(plan.steps.length > 0 ? [""] : []),
  summary(plan),
  ...(plan.left.length === 0
    ? []
    : [`No longer in any file, and kept: ${plan.left.map(nameOf).join(", ")}. --prune deletes them.`])
]

const summary = (plan: ApplyPlan): string =>
  plan.steps.length === 0
    ? `Nothing to do: ${plan.unchanged} unchanged.`
    : `${count(plan, "create")} to create, ${count(plan, "update")} to update, ${count(plan, "delete")} to delete, ${plan.unchanged} unchanged.`

/** A completed step with the server's warnings. */
export const done = (step: Step, warnings: ReadonlyArray<string>): string =>
  [
    `${{ create: "created", update: "updated", delete: "deleted" }[step.action]} ${nameOf(step)}`,
    ...warnings.map((warning) => `      warning: ${warning}`)
  ].join("\n")

/** The server's warnings about a step that was judged. */
export const warned = (step: Step, warnings: ReadonlyArray<string>): string =>
  warnings.map((warning) => `warning: ${nameOf(step)}: ${warning}`).join("\n")

const hint = (step: Step): string => {
  if (step.action !== "create") return ""
  const { name, title, type } = step.wanted.fields
  return `  ${JSON.stringify(name ?? title)}${type === undefined ? "" : ` (${String(type)})`}`
}

const fields = (step: Step): ReadonlyArray<string> =>
  step.action === "update" ? step.changes.map((change) => `      ${changeText(change)}`) : []

/** A changed field: `degradedThreshold: 800 → 900`. */
export const changeText = (change: Change): string =>
  `${change.field}: ${value(change, change.from)} → ${value(change, change.to)}`

const longest = 120

const value = ({ shown }: Change, json: Schema.Json | undefined): string => {
  if (json === undefined) return "(none)"
  if (shown === "nothing") return "(secret)"
  if (shown === "address") return address(String(json))
  const text = JSON.stringify(json)
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

/** A URL without user, password and query, which may be secret. */
const address = (text: string): string => {
  const url = URL.parse(text)
  if (url === null) return "(secret)"
  const user = url.username === "" && url.password === "" ? "" : "…@"
  return JSON.stringify(`${url.protocol}//${user}${url.host}${url.pathname}${url.search === "" ? "" : "?…"}`)
}
