/** Quiet hours as a form has them. Pure. */
import type { QuietHours as QuietHoursSchema } from "@kanmon/domain/QuietHours"
import { type Hours, type HoursDraft, keyed, unkeyed } from "./hours.ts"

export type QuietHours = typeof QuietHoursSchema.Encoded

export interface QuietHoursDraft {
  readonly timezone: string
  /** None: there are no quiet hours. */
  readonly windows: ReadonlyArray<HoursDraft>
  readonly holdBelow: QuietHours["holdBelow"]
}

/** Hours that a reader begins with. */
export const usualNight: Hours = {
  weekdays: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
  from: "22:00",
  to: "07:00"
}

/** `zone` is where the reader begins. */
export const quietDraftOf = (hours: QuietHours | null, zone: string): QuietHoursDraft =>
  hours === null ? { timezone: zone, windows: [], holdBelow: "critical" } : { ...hours, windows: keyed(hours.windows) }

/** What is sent: null without hours. */
export const quietHoursOf = ({ holdBelow, timezone, windows }: QuietHoursDraft): QuietHours | null =>
  windows.length === 0 ? null : { timezone, windows: windows.map(unkeyed), holdBelow }
