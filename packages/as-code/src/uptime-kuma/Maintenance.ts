/** Converts maintenance windows to bodies of `POST /incidents`, without their monitors. */
import * as IncidentBody from "@kanmon/protocol/IncidentBody"
import { DateTime, Option, Result } from "effect"
import { flag, type Loose, nameOf, number, text } from "./Backup.ts"
import { cut } from "./Draft.ts"
import { dayOf, type Fields, fieldsOf, occurrences, ruleOf } from "./Occurrences.ts"

/** A window as it is sent. */
export interface WindowRequest {
  readonly title: string
  readonly message: string
  readonly maintenance: true
  readonly scheduledStart: string
  readonly scheduledEnd: string
  readonly recurrence?: string
  readonly timezone?: string
}

export interface Converted {
  /** Absent if the window cannot be carried over. */
  readonly request?: WindowRequest
  readonly notes: ReadonlyArray<string>
}

export interface Surroundings {
  /** Milliseconds since 1970. */
  readonly now: number
  /** The time zone in the server's settings. */
  readonly serverTimezone: string | undefined
}

/** The request of a window, without regard to its monitors. */
export const convert = (window: Loose, { now, serverTimezone }: Surroundings): Converted => {
  if (!flag(window, "active")) return { notes: ["it is not active"] }
  const own = text(window, "timezone")
  const unknown = (own === "" || own === "SAME_AS_SERVER") && serverTimezone === undefined
  const timezone = own === "" || own === "SAME_AS_SERVER" ? (serverTimezone ?? "UTC") : own
  if (Option.isNone(DateTime.zoneMakeNamed(timezone))) return { notes: [`its time zone ${timezone} is not known`] }
  const found = timesOf(window, timezone, now)
  if (typeof found === "string") return { notes: [found] }
  const request: WindowRequest = {
    title: cut(nameOf(window).replaceAll(/\p{Cc}+/gu, " "), 200),
    message: cut(text(window, "description") || nameOf(window), 10_000),
    maintenance: true,
    scheduledStart: iso(found.start),
    scheduledEnd: iso(found.end),
    ...(found.recurrence === undefined ? {} : { recurrence: found.recurrence, timezone })
  }
  const decoded = IncidentBody.decodeNew(request)
  if (Result.isFailure(decoded))
    return { notes: decoded.failure.errors.map(({ message, path }) => `it does not fit: ${path}: ${message}`) }
  return { request, notes: unknown ? ["its times are in UTC: the time zone of the server is not in the database"] : [] }
}

const iso = (at: number): string => DateTime.formatIso(DateTime.makeUnsafe(at))

interface Times {
  readonly start: number
  readonly end: number
  readonly recurrence?: string
}

/** How many windows of a series the API checks for overlaps. */
const checked = 60

const timesOf = (window: Loose, timezone: string, now: number): Times | string => {
  const strategy = text(window, "strategy")
  const [starts, ends] = [localTime(window, "start_date", timezone), localTime(window, "end_date", timezone)]
  if (strategy === "manual")
    return "it lasts until somebody ends it; pause the monitors, or create a silence or a window with an end"
  if (ends !== undefined && ends <= now) return "it is over"
  if (strategy === "single")
    return starts === undefined || ends === undefined ? "it has no start and end" : { start: starts, end: ends }
  const fields = recurring(window, strategy, timezone, starts, now)
  if (typeof fields === "string") return fields
  const duration = durationOf(window) * 1000
  if (duration <= 0) return "it has no duration"
  const from = Math.max(now - duration + 1, starts ?? 0)
  const found = occurrences(fields, timezone, from, checked).filter((at) => ends === undefined || at < ends)
  const [start] = found
  if (start === undefined) return "it does not begin again"
  if (found.some((at, index) => index > 0 && at - found[index - 1]! < duration)) return "its windows overlap"
  const until = ends === undefined ? undefined : DateTime.makeUnsafe(ends)
  return { start, end: start + duration, ...(found.length === 1 ? {} : { recurrence: ruleOf(fields, until) }) }
}

const recurring = (
  window: Loose,
  strategy: string,
  timezone: string,
  starts: number | undefined,
  now: number
): Fields | string => {
  if (strategy === "cron") {
    const fields = fieldsOf(text(window, "cron"))
    return typeof fields === "string" ? `its cron expression ${text(window, "cron")}: ${fields}` : fields
  }
  const time = minutesOf(text(window, "start_time"))
  if (time === undefined) return "it has no start time"
  const at = { minutes: [time % 60], hours: [Math.floor(time / 60)] }
  switch (strategy) {
    case "recurring-interval": {
      const days = text(window, "interval_day") === "" ? 1 : number(window, "interval_day")
      if (days === undefined) return `its interval of days is no number (${cut(text(window, "interval_day"), 40)})`
      if (!Number.isInteger(days) || days < 1 || days > 366) return `its interval of ${days} days is not possible here`
      const last = Date.parse(`${text(window, "last_start_date").replace(" ", "T")}Z`)
      return { ...at, every: { days, from: dayOf(Number.isNaN(last) ? (starts ?? now) : last, timezone) } }
    }
    case "recurring-weekday": {
      const given = list(window, "weekdays").map(Number)
      if (!given.every(Number.isInteger)) return "some of its weekdays are no numbers"
      const weekdays = given.map((day) => day % 7)
      return weekdays.length === 0 ? "it has no weekdays" : { ...at, weekdays: [...new Set(weekdays)].toSorted() }
    }
    case "recurring-day-of-month": {
      // Uptime Kuma itself ignores lastDay2 to lastDay4.
      const ignored = new Set<unknown>(["lastDay2", "lastDay3", "lastDay4"])
      const days = list(window, "days_of_month").filter((day) => !ignored.has(day))
      const given = days.map((day) => (day === "lastDay1" ? -1 : Number(day)))
      if (!given.every(Number.isInteger)) return "some of its days are no numbers"
      const usable = [...new Set(given)].toSorted((one, other) => one - other)
      return usable.length === 0 ? "it has no days" : { ...at, days: usable }
    }
    default:
      return `its strategy ${strategy} is not known`
  }
}

const list = (window: Loose, field: string): ReadonlyArray<unknown> => {
  const value = window[field]
  return Array.isArray(value) ? value : []
}

/** Seconds. Windows of the form "from 23:00 to 01:00" end on the next day. */
const durationOf = (window: Loose): number => {
  const [from, to] = [minutesOf(text(window, "start_time")), minutesOf(text(window, "end_time"))]
  if (text(window, "strategy") === "cron" || from === undefined || to === undefined)
    return number(window, "duration") ?? 0
  return ((to - from + 24 * 60) % (24 * 60)) * 60
}

/** Minutes after midnight of `02:30` or `02:30:00`. */
const minutesOf = (time: string): number | undefined => {
  const match = /^(\d{1,2}):(\d{2})(?::\d{2})?$/.exec(time)
  return match === null ? undefined : Number(match[1]) * 60 + Number(match[2])
}

/** A date and time without zone, in the time zone of the window. */
const localTime = (window: Loose, field: string, timeZone: string): number | undefined => {
  const match = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?)?/.exec(text(window, field))
  if (match === null) return undefined
  const [year, month, day, hour, minute, second] = match.slice(1).map((part) => Number(part ?? 0))
  return Option.getOrUndefined(
    Option.map(
      DateTime.makeZoned(new Date(Date.UTC(year!, month! - 1, day, hour, minute, second)), {
        timeZone,
        adjustForTimeZone: true
      }),
      DateTime.toEpochMillis
    )
  )
}

/** The ids of the monitors and groups of a window. */
export const monitorIds = (window: Loose): ReadonlySet<string> => new Set(list(window, "monitors").map(String))
