/** A recurring window in words: "every Sunday 03:00–04:00 Europe/Berlin". The translation is a parameter. */
import type { Text, Values } from "../../locales/catalogue.ts"
import type { Recurrence } from "./recurrence.ts"
import { dayOf, timeOf, wallOf } from "./zone.ts"

export interface Language {
  readonly say: (text: Text, values?: Values) => string
  readonly locale: string
}

/** 2024-01-01 was a Monday. */
const dayName = (day: number, locale: string): string =>
  new Intl.DateTimeFormat(locale, { weekday: "long", timeZone: "UTC" }).format(Date.UTC(2024, 0, 1 + day))

export const dayNames = (locale: string): ReadonlyArray<string> =>
  Array.from({ length: 7 }, (_, day) => dayName(day, locale))

const dateIn = (day: string, locale: string, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" }).format(new Date(`${day}T00:00Z`))

const workdays = [0, 1, 2, 3, 4]

const isWorkdays = (days: ReadonlyArray<number>): boolean =>
  days.length === workdays.length && days.every((day, index) => day === index)

/** How often, without the time. */
const rhythm = (recurrence: Recurrence, first: string, { locale, say }: Language): string => {
  const { days, every, interval: count, monthBy, monthDay, nth, weekday } = recurrence
  switch (every) {
    case "day":
      return say("{count, plural, one {every day} other {every # days}}", { count })
    case "week":
      if (count === 1 && days.length === 7)
        return say("{count, plural, one {every day} other {every # days}}", { count })
      if (count === 1 && isWorkdays(days)) return say("from Monday to Friday")
      return say("{count, plural, one {every {days}} other {every # weeks on {days}}}", {
        count,
        days: new Intl.ListFormat(locale, { type: "conjunction" }).format(days.map((day) => dayName(day, locale)))
      })
    case "month":
      if (monthBy === "weekday")
        return say(
          "{count, plural, one {on the {nth, select, 1 {first} 2 {second} 3 {third} 4 {fourth} other {last}} {day} of every month} other {on the {nth, select, 1 {first} 2 {second} 3 {third} 4 {fourth} other {last}} {day} of every # months}}",
          { count, nth: String(nth), day: dayName(weekday, locale) }
        )
      return monthDay === -1
        ? say("{count, plural, one {on the last day of every month} other {on the last day of every # months}}", {
            count
          })
        : say("{count, plural, one {on day {day} of every month} other {on day {day} of every # months}}", {
            count,
            day: String(monthDay)
          })
    case "year":
      return say("{count, plural, one {every year on {date}} other {every # years on {date}}}", {
        count,
        date: dateIn(first, locale, { day: "numeric", month: "long" })
      })
  }
}

export interface Window {
  /** Milliseconds since the epoch. */
  readonly start: number
  readonly end: number
  readonly zone: string
}

export const describeRecurrence = (
  recurrence: Recurrence,
  { end, start, zone }: Window,
  language: Language
): string => {
  const { locale, say } = language
  const [from, to] = [wallOf(start, zone), wallOf(end, zone)]
  const time = `${timeOf(from)}–${timeOf(to)}`
  const text = `${rhythm(recurrence, dayOf(from), language)} ${time} ${zone}`
  if (recurrence.until !== undefined)
    return say("{text}, until {date}", { text, date: dateIn(recurrence.until, locale, { dateStyle: "long" }) })
  return recurrence.count === undefined
    ? text
    : say("{count, plural, one {{text}, once} other {{text}, # times}}", { text, count: recurrence.count })
}
