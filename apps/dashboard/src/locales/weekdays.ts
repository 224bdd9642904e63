/** Weekdays and hours of the week in words. */
import type { WeeklyWindow } from "@kanmon/domain/WeeklyWindows"
import { listWords } from "./lists.ts"
import { formatLocale } from "./text.ts"

type Hours = typeof WeeklyWindow.Encoded
export type Weekday = Hours["weekdays"][number]

const order = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const

/** From Monday on. */
export const weekdays: ReadonlyArray<Weekday> = order

/** The name of a weekday. */
export const weekdayName = (day: Weekday, length: "short" | "long" = "short"): string =>
  // 2024-01-01 was a Monday.
  new Intl.DateTimeFormat(formatLocale(), { weekday: length, timeZone: "UTC" }).format(
    Date.UTC(2024, 0, 1 + order.indexOf(day))
  )

/** "Mon–Fri" for days in a row, else their names. */
const daysWords = (days: ReadonlyArray<Weekday>): string => {
  const sorted = order.filter((day) => days.includes(day))
  const first = order.indexOf(sorted[0] ?? "mon")
  const isRow = sorted.length > 2 && sorted.every((day, index) => order.indexOf(day) === first + index)
  return isRow
    ? `${weekdayName(sorted[0]!)}–${weekdayName(sorted.at(-1)!)}`
    : listWords(sorted.map((day) => weekdayName(day)))
}

/** "Mon–Fri 08:00–18:00 and Sat 10:00–14:00" */
export const hoursWords = (hours: ReadonlyArray<Hours>): string =>
  listWords(hours.map(({ from, to, weekdays }) => `${daysWords(weekdays)} ${from}–${to}`))
