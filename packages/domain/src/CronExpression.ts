/**
 * Cron expressions of five fields, as Debian's crond reads them (`entry.c` of cron 3.0): `*`, numbers, ranges, lists,
 * steps over `*` and ranges, names of months and weekdays, and `@daily` and the like. Pure.
 * ¶ Day of month and weekday are joined with AND when the text of either begins with `*`, such as the steps `*` `/2`,
 * and with OR otherwise. Fields that crond misreads silently are refused: it reads `MON#2` as every Monday, and `5-3`
 * as never.
 */
import { Result } from "effect"
import { type Day, dayMillis } from "./LocalTime.ts"

/** The times that an expression stands for. Numbers ascend. */
export interface CronExpression {
  readonly minutes: ReadonlyArray<number>
  readonly hours: ReadonlyArray<number>
  readonly daysOfMonth: ReadonlySet<number>
  readonly months: ReadonlySet<number>
  /** 0 is Sunday. */
  readonly weekdays: ReadonlySet<number>
  /** Whether a day needs both its day of the month and its weekday. */
  readonly needsBothDays: boolean
  /** Whether minute or hour begins with `*`: such jobs run by the clock on the wall, also when it is set back. */
  readonly isWild: boolean
}

interface Field {
  readonly name: string
  readonly low: number
  readonly high: number
  readonly names?: ReadonlyArray<string>
}

const minute: Field = { name: "minute", low: 0, high: 59 }
const hour: Field = { name: "hour", low: 0, high: 23 }
const dayOfMonth: Field = { name: "day of month", low: 1, high: 31 }
const monthNames = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
const month: Field = { name: "month", low: 1, high: 12, names: monthNames }
/** Both 0 and 7 are Sunday. */
const weekday: Field = { name: "weekday", low: 0, high: 7, names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] }
const fields = [minute, hour, dayOfMonth, month, weekday] as const

/** Abbreviations for all five fields. */
export const nicknames: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *"
}

/** Longer texts are not read. */
const maxLength = 200

/** Reads an expression, or says what is wrong with it. */
export const parse = (text: string): Result.Result<CronExpression, string> => {
  if (text.length > maxLength) return Result.fail(`Expected at most ${maxLength} characters`)
  const trimmed = text.trim()
  if (trimmed.startsWith("@") && !Object.hasOwn(nicknames, trimmed))
    return Result.fail(`Expected five fields, or one of ${Object.keys(nicknames).join(", ")}`)
  const texts = (Object.hasOwn(nicknames, trimmed) ? nicknames[trimmed]! : trimmed).split(/[ \t]+/)
  if (texts.length !== fields.length)
    return Result.fail(
      `Expected the five fields minute, hour, day of month, month and weekday, such as "30 3 * * *", and not ${texts.length}`
    )
  const read = Result.all(fields.map((field, index) => valuesOf(texts[index]!, field)))
  return Result.map(read, ([minutes, hours, days, months, weekdays]) => {
    const isStar = texts.map((each) => each.startsWith("*"))
    return {
      minutes: sorted(minutes!),
      hours: sorted(hours!),
      daysOfMonth: days!,
      months: months!,
      weekdays: new Set([...weekdays!].map((each) => each % 7)),
      needsBothDays: isStar[2]! || isStar[4]!,
      isWild: isStar[0]! || isStar[1]!
    }
  })
}

const sorted = (values: ReadonlySet<number>): ReadonlyArray<number> => [...values].toSorted((one, other) => one - other)

const valuesOf = (text: string, field: Field): Result.Result<ReadonlySet<number>, string> =>
  Result.map(Result.all(text.split(",").map((part) => rangeOf(part, field))), (ranges) => new Set(ranges.flat()))

const rangeOf = (part: string, field: Field): Result.Result<ReadonlyArray<number>, string> => {
  const [range = "", stepText, ...more] = part.split("/")
  const [from = "", to, ...rest] = range.split("-")
  const isStar = range === "*"
  const low = isStar ? field.low : numberOf(from, field)
  const high = isStar ? field.high : to === undefined ? low : numberOf(to, field)
  const step = stepText === undefined ? 1 : /^\d{1,9}$/.test(stepText) ? Number(stepText) : 0
  const wrong = (why: string) => Result.fail(`The ${field.name} ${JSON.stringify(part.slice(0, 40))} ${why}`)
  if (more.length > 0 || rest.length > 0 || low === undefined || high === undefined)
    return wrong(`is not read by cron; expected ${expected(field)}`)
  if (low < field.low || high > field.high || low > field.high || high < field.low)
    return wrong(`is not between ${field.low} and ${field.high}`)
  if (low > high)
    return wrong("runs backwards, which cron reads as never; name the smaller value first, or list both parts")
  if (step < 1) return wrong("has a step that is not a number from 1")
  if (stepText !== undefined && !isStar && to === undefined)
    return wrong(`has a step without a range, which cron refuses; write ${low}-${field.high}/${step}`)
  return Result.succeed(Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, index) => low + index * step))
}

const expected = ({ high, low, names }: Field): string =>
  `*, numbers from ${low} to ${high}${names === undefined ? "" : ` or names such as ${names[1]}`}, ranges, lists and steps`

const numberOf = (text: string, { low, names = [] }: Field): number | undefined => {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const index = names.indexOf(text.toLowerCase())
  return index === -1 ? undefined : index + low
}

/** Days within which every combination of a date and a weekday occurs: 29 February is a given weekday at least every 40 years. */
const everyDate = 41 * 366

/** The first day from `from` on that fits; undefined when there is none. Looks at each day of 41 years at most. */
export const nextDay = (
  { daysOfMonth, months, needsBothDays, weekdays }: CronExpression,
  from: Day
): Day | undefined => {
  for (let day = from; day < from + everyDate;) {
    const date = new Date(day * dayMillis)
    if (!months.has(date.getUTCMonth() + 1)) {
      day = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / dayMillis
      continue
    }
    const dateFits = daysOfMonth.has(date.getUTCDate())
    const weekdayFits = weekdays.has(date.getUTCDay())
    if (needsBothDays ? dateFits && weekdayFits : dateFits || weekdayFits) return day
    day++
  }
  return undefined
}

/** The first minute of a day from `from` on that fits. */
export const nextMinute = ({ hours, minutes }: CronExpression, from: number): number | undefined => {
  for (const each of hours) {
    if (each * 60 + 59 < from) continue
    const found = minutes.find((candidate) => each * 60 + candidate >= from)
    if (found !== undefined) return each * 60 + found
  }
  return undefined
}
