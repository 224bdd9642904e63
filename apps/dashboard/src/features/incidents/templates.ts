/** Texts to begin an update with, in the reader's language. */
import { t, type Text } from "../../locales/text.ts"
import type { Status } from "./queries.ts"

export interface Template {
  readonly id: string
  readonly label: string
  readonly text: string
}

const incidentTexts = {
  investigating: [
    "We are investigating problems with {what}. We will post an update as soon as we know more.",
    "Some requests to {what} fail or take longer than usual. We are looking into it."
  ],
  identified: [
    "We have found the cause of the problems with {what} and are working on a fix.",
    "The problems with {what} come from one of our providers. We are in contact with them."
  ],
  monitoring: ["A fix is in place and {what} works again. We keep watching it."],
  resolved: ["The problems with {what} are resolved. We apologise for the disruption."]
} as const satisfies Record<Status, ReadonlyArray<Text>>

const plannedTexts = [
  "We will carry out maintenance. During this time {what} may be unavailable for a few minutes.",
  "We will carry out maintenance. We expect no interruption of {what}."
] as const satisfies ReadonlyArray<Text>

const runningTexts = [
  "The maintenance is proceeding as planned.",
  "The maintenance takes longer than planned. We will post an update."
] as const satisfies ReadonlyArray<Text>

/** `what`: the names of what is affected, in the sentence. */
export const templatesOf = (
  status: Status,
  kind: "incident" | "planned" | "running",
  what: string
): ReadonlyArray<Template> => {
  const texts: ReadonlyArray<Text> =
    kind === "planned" ? plannedTexts : kind === "running" ? runningTexts : incidentTexts[status]
  return texts.map((text) => ({ id: text, label: t(text, { what }), text: t(text, { what }) }))
}

/** A text added to what was typed already, which is kept. */
export const withTemplate = (typed: string, text: string): string =>
  typed.trim() === "" ? text : `${typed.trimEnd()}\n\n${text}`
