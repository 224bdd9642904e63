/** When a recurring window begins: the fields of a cron expression, as a recurrence rule (RFC 5545) and as instants. */
import { nicknames } from "@kanmon/domain/CronExpression"
import { DateTime, Option } from "effect"

/** Values of each field; undefined means all. -1 is the last day of a month. Weekdays: 0 is Sunday. */
export interface Fields {
  readonly minutes: ReadonlyArray<number>
  readonly hours: ReadonlyArray<number>
  readonly days?: ReadonlyArray<number> | undefined
  readonly months?: ReadonlyArray<number> | undefined
  readonly weekdays?: ReadonlyArray<number> | undefined
  /** Every so many days from a day on, which is counted from 1970. */
  readonly every?: { readonly days: number; readonly from: number } | undefined
}

const monthNames = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]
const dayNames = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"]
const ruleDays = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]
/** The number of windows of one day that the API accepts. */
const maxOfDay = 24

/** Reads a cron expression, or says why it has no counterpart. */
export const fieldsOf = (cron: string): Fields | string => {
  const given = (nicknames[cron.trim().toLowerCase()] ?? cron).trim().toUpperCase().split(/\s+/)
  const [minute, hour, day, month, weekday] = given.length === 6 && given[0] === "0" ? given.slice(1) : given
  if (given.length < 5 || weekday === undefined) return "it is not a cron expression of five fields"
  const minutes = valuesOf(minute!, 0, 59)
  const hours = valuesOf(hour!, 0, 23)
  const days = day === "*" || day === "?" ? undefined : valuesOf(day!, 1, 31, [], true)
  const months = month === "*" ? undefined : valuesOf(named(month!, monthNames, 1), 1, 12)
  const weekdays = weekday === "*" || weekday === "?" ? undefined : valuesOf(named(weekday, dayNames, 0), 0, 7, [7])
  if (minutes === null || hours === null || days === null || months === null || weekdays === null)
    return "it has fields that have no counterpart in a recurrence rule"
  if (days !== undefined && weekdays !== undefined) return "it begins on days of the month and on weekdays too"
  if (minutes.length * hours.length > maxOfDay) return `it begins more than ${maxOfDay} times a day`
  return { minutes, hours, days, months, weekdays }
}

const named = (field: string, names: ReadonlyArray<string>, first: number): string =>
  names.reduce((text, name, index) => text.replaceAll(name, String(index + first)), field)

/** The values of a field, ascending; null if it cannot be read. `folded`: numbers that also mean 0. */
const valuesOf = (
  field: string,
  least: number,
  most: number,
  folded: ReadonlyArray<number> = [],
  last = false
): ReadonlyArray<number> | null => {
  const found = new Set<number>()
  for (const part of field.split(",")) {
    if (last && part === "L") {
      found.add(-1)
      continue
    }
    const match = /^(?:\*|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part)
    if (match === null) return null
    const [, from, to, step] = match
    const begin = from === undefined ? least : Number(from)
    const end = to === undefined ? (from === undefined || step !== undefined ? most : begin) : Number(to)
    if (begin < least || end > most || begin > end || step === "0") return null
    for (let value = begin; value <= end; value += Number(step ?? 1)) found.add(folded.includes(value) ? 0 : value)
  }
  return [...found].toSorted((one, other) => one - other)
}

/** The rule of a series that begins at an occurrence. */
export const ruleOf = (
  { days, every, hours, minutes, months, weekdays }: Fields,
  until: DateTime.DateTime | undefined
): string =>
  [
    weekdays === undefined ? (days === undefined ? "FREQ=DAILY" : "FREQ=MONTHLY") : "FREQ=WEEKLY",
    every === undefined || every.days === 1 ? "" : `INTERVAL=${every.days}`,
    months === undefined ? "" : `BYMONTH=${months.join(",")}`,
    days === undefined ? "" : `BYMONTHDAY=${days.join(",")}`,
    weekdays === undefined ? "" : `BYDAY=${weekdays.map((day) => ruleDays[day]).join(",")}`,
    // A single time of the day is that of the first window.
    hours.length * minutes.length === 1 ? "" : `BYHOUR=${hours.join(",")};BYMINUTE=${minutes.join(",")}`,
    until === undefined ? "" : `UNTIL=${DateTime.formatIso(until).replaceAll(/[-:]|\.\d+/g, "")}`
  ]
    .filter((part) => part !== "")
    .join(";")

const dayMillis = 86_400_000
const maxDays = 366 * 9

/** The first `count` beginnings from an instant on, in milliseconds since 1970. */
export const occurrences = (fields: Fields, timeZone: string, from: number, count: number): ReadonlyArray<number> => {
  const found: Array<number> = []
  const first = dayOf(from, timeZone)
  for (let day = first; day < first + maxDays && found.length < count; day++) {
    if (!fits(fields, day)) continue
    for (const hour of fields.hours)
      for (const minute of fields.minutes) {
        const at = instantOf(day, hour, minute, timeZone)
        if (at !== undefined && at >= from && found.length < count) found.push(at)
      }
  }
  return found
}

const fits = ({ days, every, months, weekdays }: Fields, day: number): boolean => {
  const date = new Date(day * dayMillis)
  const last = new Date((day + 1) * dayMillis).getUTCDate() === 1
  return (
    (days === undefined || days.includes(date.getUTCDate()) || (last && days.includes(-1))) &&
    (months === undefined || months.includes(date.getUTCMonth() + 1)) &&
    (weekdays === undefined || weekdays.includes(date.getUTCDay())) &&
    (every === undefined || (day - every.from) % every.days === 0)
  )
}

/** The day of an instant in a time zone, counted from 1970. */
export const dayOf = (at: number, timeZone: string): number => {
  const { day, month, year } = DateTime.toParts(DateTime.makeZonedUnsafe(at, { timeZone }))
  return Date.UTC(year, month - 1, day) / dayMillis
}

/** The instant of a time of the day in a time zone. */
const instantOf = (day: number, hour: number, minute: number, timeZone: string): number | undefined => {
  const local = new Date(day * dayMillis + (hour * 60 + minute) * 60_000)
  return Option.getOrUndefined(
    Option.map(DateTime.makeZoned(local, { timeZone, adjustForTimeZone: true }), DateTime.toEpochMillis)
  )
}
