/** Describes a plan as text, without secrets. */
import type { Schema } from "effect"
import { type Change, count, type ApplyPlan, type HiddenFields, type Step } from "./ApplyPlan.ts"
import type { Said } from "./Applying.ts"
import { difference } from "./Difference.ts"
import { type Kind, nameOf } from "./Resource.ts"

const marks = { create: "+", update: "~", delete: "-" } as const

/** One line for each step and each changed field, and a summary. */
export const describe = (plan: ApplyPlan): ReadonlyArray<string> => [
  ...plan.steps.flatMap((step) => [
    `  ${marks[step.action]} ${nameOf(step)}${hint(step)}`,
    ...fields(step),
    ...reach(step).map((text) => `      ! ${text}`)
  ]),
  ...(plan.steps.length > 0 ? [""] : []),
  summary(plan),
  ...(plan.left.length === 0
    ? []
    : ["", "No longer in any file, and kept (--prune deletes them):", ...plan.left.map((one) => `  ${nameOf(one)}`)]),
  ...notCompared(plan.hidden)
]

/** Fields that the caller may not read, after the plan or the comparison that says nothing about them. */
export const notCompared = (hidden: ReadonlyArray<HiddenFields>): ReadonlyArray<string> =>
  hidden.length === 0
    ? []
    : ["", "Not compared, because these fields need the role editor to be read:", ...fieldLines(hidden)]

/** A line for each record with the names of its fields. */
export const fieldLines = (records: ReadonlyArray<HiddenFields>): ReadonlyArray<string> =>
  records.map((one) => `  ${nameOf(one)}: ${one.fields.join(", ")}`)

/** An empty list of a rule means all: the plan says so where a step makes it so. */
const reach = (step: Step): ReadonlyArray<string> => {
  if (step.action === "delete" || step.kind !== "rule") return []
  const { fields } = step.wanted
  const since = step.action === "update" ? " from now on" : ""
  const begins = (...names: ReadonlyArray<string>): boolean =>
    names.every((name) => isEmpty(fields[name])) &&
    (step.action === "create" || step.changes.some(({ field, from }) => names.includes(field) && !isEmpty(from)))
  return [
    ...(begins("monitors", "tags") ? [`watches every monitor of the project${since}`] : []),
    // With a policy, a rule without channels tells none by itself.
    ...(begins("channels", "escalationPolicy") ? [`notifies every channel of the project${since}`] : [])
  ]
}

const isEmpty = (json: Schema.Json | undefined): boolean =>
  json === undefined || json === null || (Array.isArray(json) && json.length === 0)

const summary = (plan: ApplyPlan): string =>
  plan.steps.length === 0
    ? `Nothing to do: ${plan.unchanged} unchanged.`
    : `${count(plan, "create")} to create, ${count(plan, "update")} to update, ${count(plan, "delete")} to delete, ${plan.unchanged} unchanged.`

/** No file has the address, and an answer shows it once. */
const addressHint =
  "      its address is shown when it is rotated: in the dashboard, or with POST /integrations/{id}/rotate"

/** A completed step with the answer of the server. */
export const done = (step: Step, { moved, warnings }: Said): string =>
  [
    `${{ create: "created", update: "updated", delete: "deleted" }[step.action]} ${nameOf(step)}`,
    ...(step.action === "create" && step.kind === "integration" ? [addressHint] : []),
    ...(moved.length === 0 ? [] : [`      moves shifts of ${moved.join(", ")}`]),
    ...warnings.map((warning) => `      warning: ${warning}`)
  ].join("\n")

/** The answer of the server about a step that was judged. */
export const judged = (step: Step, { moved, warnings }: Said): string =>
  [
    ...(moved.length === 0 ? [] : [`${nameOf(step)} moves shifts of ${moved.join(", ")}`]),
    ...warnings.map((warning) => `warning: ${nameOf(step)}: ${warning}`)
  ].join("\n")

/** The history that a deletion takes with it, or leaves. */
const lost: Readonly<Record<Kind, string>> = {
  monitor: "  with its results and uptime; the alert history stays",
  rule: "  its open alerts are closed; the alert history stays",
  integration: "  its address stops working, and its open alerts close without a notification",
  maintenance: "  its series ends; windows that are over stay as history",
  schedule: "  with its overrides and shifts",
  policy: "  open alerts keep its steps",
  channel: "  with its deliveries; the alert history stays",
  page: "  its address becomes free; monitors and incidents stay"
}

const hint = (step: Step): string => {
  if (step.action === "delete") return lost[step.kind]
  if (step.action === "update") return ""
  const { name, title, type } = step.wanted.fields
  return `  ${JSON.stringify(name ?? title)}${type === undefined ? "" : ` (${String(type)})`}`
}

const fields = (step: Step): ReadonlyArray<string> =>
  step.action === "update" ? step.changes.map((change) => `      ${changeText(change)}`) : []

/** A changed field: `degradedThreshold: 800 → 900`. */
export const changeText = (change: Change): string => `${change.field}: ${values(change)}`

const values = ({ from, shown, to }: Change): string => {
  if (shown === "whole") return difference(from, to)
  const masked = shown === "nothing" ? () => "(secret)" : (json: Schema.Json) => address(String(json))
  const [was, becomes] = [from, to].map((json) => (json === undefined ? "(none)" : masked(json)))
  const isAlike = shown === "address" && was === becomes && was !== "(secret)"
  return `${was} → ${becomes}${isAlike ? " (they differ in what is not shown)" : ""}`
}

/** A URL without user, password and query, which may be secret. */
const address = (text: string): string => {
  const url = URL.parse(text)
  if (url === null) return "(secret)"
  const user = url.username === "" && url.password === "" ? "" : "…@"
  return JSON.stringify(`${url.protocol}//${user}${url.host}${url.pathname}${url.search === "" ? "" : "?…"}`)
}
