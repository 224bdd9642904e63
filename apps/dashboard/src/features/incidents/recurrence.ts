/** Recurring windows: the rules (RFC 5545) that the form can write, read back as its fields, and their next windows. Pure. */
import { dayOf, daysBetween, instantOf, shifted, timeOf, wallOf, weekdayOf } from "./zone.ts"

/** From Monday. */
const dayCodes = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"] as const

export interface Recurrence {
  readonly every: "day" | "week" | "month" | "year"
  /** Every so many of them. */
  readonly interval: number
  /** Days of the week: 0 is Monday; sorted, at least one. */
  readonly days: ReadonlyArray<number>
  /** The day of the month (-1 is the last one), or the nth weekday (-1 is the last one). */
  readonly monthDay: number
  readonly nth: number
  readonly weekday: number
  readonly monthBy: "date" | "weekday"
  /** The last day on which a window may begin, in the zone. */
  readonly until: string | undefined
  readonly count: number | undefined
}

export const weekly: Recurrence = {
  every: "week",
  interval: 1,
  days: [6],
  monthDay: 1,
  nth: 1,
  weekday: 6,
  monthBy: "date",
  until: undefined,
  count: undefined
}

const frequencies = { day: "DAILY", week: "WEEKLY", month: "MONTHLY", year: "YEARLY" } as const

const compact = (at: number): string => new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, "")

/** The rule of a recurrence. Its end is the last minute of its last day in the zone. */
export const ruleOf = (recurrence: Recurrence, zone: string): string => {
  const { count, days, every, interval, monthBy, monthDay, nth, until, weekday } = recurrence
  const parts = [`FREQ=${frequencies[every]}`]
  if (interval > 1) parts.push(`INTERVAL=${interval}`)
  if (every === "week") parts.push(`BYDAY=${days.map((day) => dayCodes[day]!).join(",")}`)
  if (every === "month") parts.push(monthBy === "date" ? `BYMONTHDAY=${monthDay}` : `BYDAY=${nth}${dayCodes[weekday]!}`)
  if (until !== undefined) parts.push(`UNTIL=${compact(instantOf(`${until}T23:59`, zone))}`)
  else if (count !== undefined) parts.push(`COUNT=${count}`)
  return parts.join(";")
}

const isDay = (code: string): code is (typeof dayCodes)[number] => dayCodes.some((each) => each === code)

const untilOf = (text: string, zone: string): string | undefined => {
  const [, year, month, day, hour, minute] = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\dZ?)?$/.exec(text) ?? []
  if (year === undefined) return undefined
  const date = `${year}-${month}-${day}`
  return hour === undefined ? date : dayOf(wallOf(Date.parse(`${date}T${hour}:${minute}Z`), zone))
}

/** The fields of a rule; undefined if the form cannot express it. Missing parts come from the first window. */
export const recurrenceOf = (rule: string, start: number, zone: string): Recurrence | undefined => {
  const given = new Map(
    rule
      .toUpperCase()
      .replace(/^RRULE:/, "")
      .split(";")
      .filter((part) => part !== "")
      .map((part): [string, string] => {
        const [name = "", value = ""] = part.split("=", 2)
        return [name, value]
      })
  )
  const take = (name: string): string | undefined => {
    const value = given.get(name)
    given.delete(name)
    return value
  }
  const frequency = take("FREQ")
  const every = (["day", "week", "month", "year"] as const).find((each) => frequencies[each] === frequency)
  const interval = Number(take("INTERVAL") ?? 1)
  const count = take("COUNT")
  const endText = take("UNTIL")
  const until = endText === undefined ? undefined : untilOf(endText, zone)
  // Only relevant to rules that skip weeks. The form's weeks begin on Monday, which is the default.
  if (take("WKST") !== undefined && interval > 1) return undefined
  if (every === undefined || !Number.isInteger(interval) || interval < 1) return undefined
  if (endText !== undefined && until === undefined) return undefined
  const day = dayOf(wallOf(start, zone))
  const common: Recurrence = {
    ...weekly,
    every,
    interval,
    until,
    count: count === undefined ? undefined : Number(count),
    days: [weekdayOf(day)],
    weekday: weekdayOf(day),
    monthDay: Number(day.slice(8))
  }
  const byDay = every === "week" || every === "month" ? take("BYDAY") : undefined
  const byDate = every === "month" ? take("BYMONTHDAY") : undefined
  if (given.size > 0 || (byDay !== undefined && byDate !== undefined)) return undefined
  if (every === "week" && byDay !== undefined) {
    const codes = byDay.split(",")
    if (!codes.every(isDay)) return undefined
    return { ...common, days: [...new Set(codes.map((code) => dayCodes.indexOf(code)))].sort((a, b) => a - b) }
  }
  if (byDay !== undefined) {
    const [, nth, code = ""] = /^(-1|[1-4])([A-Z]{2})$/.exec(byDay) ?? []
    return nth === undefined || !isDay(code)
      ? undefined
      : { ...common, monthBy: "weekday", nth: Number(nth), weekday: dayCodes.indexOf(code) }
  }
  if (byDate !== undefined) {
    const monthDay = Number(byDate)
    return Number.isInteger(monthDay) && (monthDay === -1 || (monthDay >= 1 && monthDay <= 31))
      ? { ...common, monthDay }
      : undefined
  }
  return common
}

const lastOfMonth = (year: number, month: number): number => new Date(Date.UTC(year, month + 1, 0)).getUTCDate()

const monthsBetween = (from: string, to: string): number =>
  (Number(to.slice(0, 4)) - Number(from.slice(0, 4))) * 12 + Number(to.slice(5, 7)) - Number(from.slice(5, 7))

/** Whether a window of a series that began on `first` begins on `day`, its end left aside. */
const isOn = (recurrence: Recurrence, first: string, day: string): boolean => {
  const { days, every, interval, monthBy, monthDay, nth, weekday } = recurrence
  const [year, month, date] = [Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1, Number(day.slice(8))]
  switch (every) {
    case "day":
      return daysBetween(first, day) % interval === 0
    case "week": {
      const weeks = (daysBetween(first, day) + weekdayOf(first) - weekdayOf(day)) / 7
      return days.includes(weekdayOf(day)) && weeks % interval === 0
    }
    case "year":
      return first.slice(5) === day.slice(5) && (year - Number(first.slice(0, 4))) % interval === 0
    case "month": {
      if (monthsBetween(first, day) % interval !== 0) return false
      const last = lastOfMonth(year, month)
      if (monthBy === "date") return date === (monthDay === -1 ? last : monthDay)
      return weekdayOf(day) === weekday && (nth === -1 ? date > last - 7 : Math.ceil(date / 7) === nth)
    }
  }
}

/** Days that are looked at: more windows than this are not shown ahead. */
const maxDays = 800

/** The beginnings after the first one, in `[from, to)`. A series that ends after a number of windows has no more than that. */
export const beginnings = (
  recurrence: Recurrence,
  start: number,
  zone: string,
  from: number,
  to: number
): ReadonlyArray<number> => {
  const wall = wallOf(start, zone)
  const [first, time] = [dayOf(wall), timeOf(wall)]
  const found: Array<number> = []
  let begun = 1
  for (let ahead = 1; ahead <= maxDays; ahead++) {
    const day = dayOf(shifted(wall, ahead))
    if (recurrence.until !== undefined && day > recurrence.until) break
    if (!isOn(recurrence, first, day)) continue
    if (recurrence.count !== undefined && ++begun > recurrence.count) break
    const at = instantOf(`${day}T${time}`, zone)
    if (at >= to) break
    if (at >= from) found.push(at)
  }
  return found
}
