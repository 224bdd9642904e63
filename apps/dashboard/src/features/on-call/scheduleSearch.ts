/** The days in the address of a schedule. */

export interface ScheduleSearch {
  /** A day of what is shown, `2026-11-20`; today if it is not given. */
  readonly day?: string
  readonly view?: "month"
  /** Opens the form with which the reader takes over for two hours. */
  readonly take?: true
}

export const parseScheduleSearch = ({ day, take, view }: Record<string, unknown>): ScheduleSearch => ({
  ...(typeof day === "string" && /^\d{4}-\d{2}-\d{2}$/.test(day.slice(0, 20)) ? { day } : {}),
  ...(view === "month" ? { view } : {}),
  ...(take === true || take === "true" ? { take: true as const } : {})
})
