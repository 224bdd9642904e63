/**
 * Recurrence rules (RFC 5545, §3.3.10) of daily, weekly, monthly and yearly series, read into the sets of days and times that
 * they stand for. Pure.
 */
import { Result } from "effect"
import { type Day, dayMillis } from "./LocalTime.ts"
import type { EpochMillis } from "./Timestamp.ts"

type Frequency = "DAILY" | "WEEKLY" | "MONTHLY" | "YEARLY"

interface Weekday {
  /** 0 is Sunday. */
  readonly weekday: number
  /** The which of the month or year, from its end if negative; undefined means every. */
  readonly ordinal: number | undefined
}

export interface RecurrenceRule {
  readonly frequency: Frequency
  readonly interval: number
  readonly count: number | undefined
  /** The last instant at which it may begin, or the last local time, in milliseconds since 1970. */
  readonly until: { readonly at: EpochMillis; readonly isLocal: boolean } | undefined
  /** The first day of a week; 0 is Sunday. */
  readonly weekStart: number
  readonly months: ReadonlyArray<number> | undefined
  readonly monthDays: ReadonlyArray<number> | undefined
  readonly yearDays: ReadonlyArray<number> | undefined
  readonly weekNumbers: ReadonlyArray<number> | undefined
  readonly weekdays: ReadonlyArray<Weekday> | undefined
  readonly positions: ReadonlyArray<number> | undefined
  readonly hours: ReadonlyArray<number> | undefined
  readonly minutes: ReadonlyArray<number> | undefined
}

const frequencies: ReadonlyArray<Frequency> = ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"]
const weekdayNames = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]
/** A rule is a line of text; longer ones are not read. */
const maxLength = 600

/** Reads a rule, with or without `RRULE:` before it, or says what is wrong with it. */
export const parse = (text: string): Result.Result<RecurrenceRule, string> => {
  if (text.length > maxLength) return Result.fail("it is too long")
  const parts = new Map(
    text
      .toUpperCase()
      .replace(/^RRULE:/, "")
      .split(";")
      .filter((part) => part !== "")
      .map((part) => {
        const at = part.indexOf("=")
        return [part.slice(0, at), part.slice(at + 1)] as const
      })
  )
  const problems: Array<string> = []
  const numbers = (name: string, low: number, high: number, negative: boolean) => {
    const given = parts.get(name)?.split(",")
    const values = given?.map((each) => (/^[+-]?\d{1,5}$/.test(each) ? Number(each) : Number.NaN))
    const fits = (value: number) => (value >= low && value <= high) || (negative && value <= -1 && value >= -high)
    if (values !== undefined && !values.every(fits))
      problems.push(`${name} is ${low} to ${high}${negative ? `, or -${high} to -1` : ""}, not ${parts.get(name)}`)
    return values
  }
  const frequency = frequencies.find((each) => each === parts.get("FREQ"))
  if (frequency === undefined) return Result.fail(`FREQ is one of ${frequencies.join(", ")}`)
  const weekdays = parts.get("BYDAY")?.split(",").map(weekdayOf)
  if (weekdays?.includes(undefined)) problems.push(`BYDAY is a list such as MO,-1FR, not ${parts.get("BYDAY")}`)
  const hasOrdinal = weekdays?.some((each) => each?.ordinal !== undefined) === true
  if (hasOrdinal && (frequency === "DAILY" || frequency === "WEEKLY"))
    problems.push("BYDAY has numbers only with FREQ=MONTHLY and FREQ=YEARLY")
  if (hasOrdinal && parts.has("BYWEEKNO")) problems.push("BYDAY has no numbers beside BYWEEKNO")
  const until = parts.has("UNTIL") ? untilOf(parts.get("UNTIL")!) : undefined
  if (parts.has("UNTIL") && until === undefined) problems.push("UNTIL is a time such as 20271231T235959Z")
  const weekStart = weekdayNames.indexOf(parts.get("WKST") ?? "MO")
  if (weekStart === -1) problems.push(`WKST is a weekday such as MO, not ${parts.get("WKST")}`)
  const rule: RecurrenceRule = {
    frequency,
    interval: numbers("INTERVAL", 1, 10_000, false)?.[0] ?? 1,
    count: numbers("COUNT", 1, 10_000, false)?.[0],
    until,
    weekStart,
    months: numbers("BYMONTH", 1, 12, false),
    monthDays: numbers("BYMONTHDAY", 1, 31, true),
    yearDays: numbers("BYYEARDAY", 1, 366, true),
    weekNumbers: numbers("BYWEEKNO", 1, 53, true),
    weekdays: weekdays?.flatMap((each) => each ?? []),
    positions: numbers("BYSETPOS", 1, 366, true),
    hours: numbers("BYHOUR", 0, 23, false),
    minutes: numbers("BYMINUTE", 0, 59, false)
  }
  return problems.length === 0 ? Result.succeed(rule) : Result.fail(problems[0]!)
}

const weekdayOf = (text: string): Weekday | undefined => {
  const [, number, name = ""] = /^([+-]?[1-9]\d?)?([A-Z]{2})$/.exec(text) ?? []
  const weekday = weekdayNames.indexOf(name)
  return weekday === -1 ? undefined : { weekday, ordinal: number === undefined ? undefined : Number(number) }
}

/** A day alone counts as a whole. */
const untilOf = (text: string): RecurrenceRule["until"] => {
  const [, year, month, day, hour = "23", minute = "59", second = "59", zulu] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z)?)?$/.exec(text) ?? []
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(at) ? undefined : { at, isLocal: zulu === undefined }
}

/** A day of the calendar with its places in month and year. */
interface DateParts {
  readonly month: number
  readonly monthDay: number
  readonly daysOfMonth: number
  readonly yearDay: number
  readonly daysOfYear: number
  readonly weekday: number
}

export const partsOf = (day: Day): DateParts => {
  const date = new Date(day * dayMillis)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  const newYear = Date.UTC(year, 0, 1) / dayMillis
  return {
    month: month + 1,
    monthDay: date.getUTCDate(),
    daysOfMonth: new Date(Date.UTC(year, month + 1, 0)).getUTCDate(),
    yearDay: day - newYear + 1,
    daysOfYear: Date.UTC(year + 1, 0, 1) / dayMillis - newYear,
    weekday: date.getUTCDay()
  }
}

/** Whether a number of a list is this place, counted from the beginning or from the end. */
const has = (list: ReadonlyArray<number>, place: number, length: number): boolean =>
  list.includes(place) || list.includes(place - length - 1)

/** The week of a day in the year to which most of that week belongs, and how many weeks that year has. */
const weekOf = (day: Day, weekStart: number): { readonly number: number; readonly weeks: number } => {
  const weekday = (((day + 4 - weekStart) % 7) + 7) % 7
  // The fourth day of a week decides about its year.
  const middle = new Date((day - weekday + 3) * dayMillis)
  const firstWeek = (year: number): Day => {
    const fourth = Date.UTC(year, 0, 4) / dayMillis
    return fourth - ((((fourth + 4 - weekStart) % 7) + 7) % 7)
  }
  const begin = firstWeek(middle.getUTCFullYear())
  return {
    number: Math.floor((day - begin) / 7) + 1,
    weeks: Math.round((firstWeek(middle.getUTCFullYear() + 1) - begin) / 7)
  }
}

/** Whether a day of a period belongs to the series that began on `first`. */
export const fits = (rule: RecurrenceRule, day: Day, first: DateParts): boolean => {
  const { frequency, monthDays, months, weekNumbers, weekdays, yearDays } = rule
  const date = partsOf(day)
  if (months !== undefined && !months.includes(date.month)) return false
  if (monthDays !== undefined && !has(monthDays, date.monthDay, date.daysOfMonth)) return false
  if (yearDays !== undefined && !has(yearDays, date.yearDay, date.daysOfYear)) return false
  if (weekNumbers !== undefined) {
    const { number, weeks } = weekOf(day, rule.weekStart)
    if (!has(weekNumbers, number, weeks)) return false
  }
  if (weekdays !== undefined) {
    const isOfMonth = frequency === "MONTHLY" || months !== undefined
    const [place, length] = isOfMonth ? [date.monthDay, date.daysOfMonth] : [date.yearDay, date.daysOfYear]
    return weekdays.some(
      ({ ordinal, weekday }) =>
        weekday === date.weekday &&
        (ordinal === undefined || ordinal === Math.ceil(place / 7) || -ordinal === Math.ceil((length - place + 1) / 7))
    )
  }
  if (monthDays !== undefined || yearDays !== undefined || frequency === "DAILY") return true
  // Without a day of its own, the series has that of its beginning.
  if (frequency === "WEEKLY" || weekNumbers !== undefined) return date.weekday === first.weekday
  if (date.monthDay !== first.monthDay) return false
  return frequency === "MONTHLY" || months !== undefined || date.month === first.month
}
