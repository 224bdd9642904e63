/** What the address of a schedule says: the days that are shown. */

export interface ScheduleSearch {
  /** A day of what is shown, `2026-11-20`; today if it is not given. */
  readonly day?: string
  readonly view?: "month"
}

export const parseScheduleSearch = ({ day, view }: Record<string, unknown>): ScheduleSearch => ({
  ...(typeof day === "string" && /^\d{4}-\d{2}-\d{2}$/.test(day.slice(0, 20)) ? { day } : {}),
  ...(view === "month" ? { view } : {})
})
