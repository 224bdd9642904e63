/**
 * How wide the buckets of response times are, so that there are neither more than a limit nor needlessly few. They follow the
 * hours that have points, not the window that was asked for, and begin at round times. Pure.
 */
import type { EpochMillis } from "@kanmon/domain/Timestamp"

export const hourMillis = 3_600_000
/** When the hour of an instant began. */
export const floorHour = (at: EpochMillis): EpochMillis => Math.floor(at / hourMillis) * hourMillis
const dayHours = 24

const perHour = [
  3600, 1800, 1200, 900, 720, 600, 360, 300, 240, 180, 120, 90, 80, 60, 30, 20, 15, 12, 10, 6, 5, 4, 3, 2, 1
]

/** Width in milliseconds, an hour at most, for points that fall into so many hours; undefined when the hours are too many. */
export const withinHour = (hours: number, limit: number): number | undefined => {
  const most = perHour.find((buckets) => buckets * hours <= limit)
  return most === undefined ? undefined : hourMillis / most
}

/**
 * Widths in whole hours, ascending, among which the smallest that gives at most `limit` buckets is to be chosen. The last one
 * does so for any points in the window.
 */
export const wholeHours = (windowMillis: number, limit: number): ReadonlyArray<number> => {
  const enough = (hours: number): boolean => Math.ceil(windowMillis / (hours * hourMillis)) + 1 <= limit
  const widths: Array<number> = []
  for (const hours of [1, 2, 3, 4, 6, 8, 12]) {
    widths.push(hours)
    if (enough(hours)) return widths
  }
  for (let hours = dayHours; ; hours += dayHours) {
    widths.push(hours)
    if (enough(hours)) return widths
  }
}
