/** The address of the list of incidents. It contains the filters, so that it can be shared. */

export type View = "incidents" | "maintenance" | "calendar"

export const incidentStates = ["open", "resolved", "all"] as const
export const windowStates = ["now", "next", "past"] as const

export interface IncidentSearch {
  /** `incidents` when it is left out. */
  readonly view?: Exclude<View, "incidents"> | undefined
  /** The first one when it is left out. */
  readonly state?: "resolved" | "all" | "now" | "next" | "past" | undefined
  /** The first day of the calendar's week or month. */
  readonly day?: string | undefined
  readonly span?: "week" | undefined
}

const find = <A extends string>(all: ReadonlyArray<A>, value: unknown): A | undefined =>
  all.find((each) => each === value)

export const parseIncidentSearch = ({ day, span, state, view }: Record<string, unknown>): IncidentSearch => ({
  view: find(["maintenance", "calendar"] as const, view),
  state: find(["resolved", "all", "now", "next", "past"] as const, state),
  day: typeof day === "string" && /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day)) ? day : undefined,
  span: find(["week"] as const, span)
})
