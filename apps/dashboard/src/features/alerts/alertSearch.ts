/** The address of the list of alerts: its filters are in it, so that it can be shared. */
import type { AlertFilter } from "./queries.ts"
import { severities, type Severity } from "../../locales/severities.ts"

const states: ReadonlyArray<Exclude<AlertFilter, "active">> = ["open", "acknowledged", "snoozed", "resolved"]

export interface AlertSearch {
  /** Everything that is not resolved, when it is left out. */
  readonly state?: Exclude<AlertFilter, "active"> | undefined
  readonly monitor?: string | undefined
  readonly severity?: Severity | undefined
}

export const parseAlertSearch = ({ monitor, severity, state }: Record<string, unknown>): AlertSearch => ({
  state: states.find((each) => each === state),
  severity: severities.find((each) => each === severity),
  monitor: typeof monitor === "string" && monitor !== "" ? monitor : undefined
})
