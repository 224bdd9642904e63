/** The address of the list of alerts: its filters are in it, so that it can be shared. */
import type { AlertFilter } from "./queries.ts"

const states: ReadonlyArray<Exclude<AlertFilter, "active">> = ["open", "acknowledged", "snoozed", "resolved"]

export interface AlertSearch {
  /** Everything that is not resolved, when it is left out. */
  readonly state?: Exclude<AlertFilter, "active"> | undefined
  readonly monitor?: string | undefined
}

export const parseAlertSearch = ({ monitor, state }: Record<string, unknown>): AlertSearch => ({
  state: states.find((each) => each === state),
  monitor: typeof monitor === "string" && monitor !== "" ? monitor : undefined
})
