/**
 * Time zones that people choose for their messages, and instants as clocks there show them. Pure. A name that this version of the
 * time zone database does not know, because a newer one accepted it, shows UTC: a message never fails for it.
 */
import { filteredText } from "./BoundedText.ts"
import { dayMillis, dayOf, clocksOf, instantsOf, type Zone, zoneOf } from "./LocalTime.ts"
import { type EpochMillis, instant, utcDay } from "./Timestamp.ts"

/** The longest name of the database has 32 characters. */
const maxName = 64

/** Letters, digits and `/_+-` from a letter on: offsets such as `+02:00` are no zones. */
const isNameLike = (name: string): boolean => name.length <= maxName && /^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name)

/** Whether this version of the time zone database has the zone, by its name or by an alias such as `US/Eastern`. */
export const isTimeZone = (name: string): boolean => isNameLike(name) && zoneOf(name) !== undefined

/** Name of a time zone. */
export const TimeZone = filteredText(
  maxName,
  (name) => (isTimeZone(name) ? undefined : "Expected an IANA time zone such as Europe/Berlin, or UTC"),
  { message: "Expected an IANA time zone such as Europe/Berlin, or UTC" }
)

const utcNames = new Set(["utc", "etc/utc", "gmt", "etc/gmt", "zulu", "etc/zulu", "uct", "etc/uct", "universal"])

const known = (name: string | undefined): Zone | undefined =>
  name === undefined || utcNames.has(name.toLowerCase()) || !isNameLike(name) ? undefined : zoneOf(name)

/** Locales with names for the zones of their own region. */
const regional = ["en-US", "en-GB", "en-AU", "en-IN", "en-ZA", "ja"]

/** Abbreviations by zone, from the first region that has a name for it. */
const formats = new Map<string, ReadonlyArray<Intl.DateTimeFormat>>()
const maxFormats = 200

const formatsOf = (name: string): ReadonlyArray<Intl.DateTimeFormat> => {
  const found = formats.get(name)
  if (found !== undefined) return found
  const made = regional.map(
    (locale) => new Intl.DateTimeFormat(locale, { timeZone: name, timeZoneName: "short", hour: "numeric" })
  )
  if (formats.size >= maxFormats) formats.clear()
  formats.set(name, made)
  return made
}

const offsetInWords = (millis: number): string => {
  const minutes = Math.abs(Math.round(millis / 60_000))
  const two = (value: number) => String(value).padStart(2, "0")
  return `UTC${millis < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/** `CET`, or the offset where no abbreviation is in use, such as `UTC-03:00`. */
const abbreviationOf = (name: string, zone: Zone, at: EpochMillis): string => {
  for (const format of formatsOf(name)) {
    const short = format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value
    if (short !== undefined && /^[A-Z]{2,5}$/.test(short)) return short
  }
  return offsetInWords(zone.offsetAt(at))
}

/** Whether a change of clocks repeats the local time of an instant. */
const isRepeated = (zone: Zone, at: EpochMillis): boolean => {
  const day = dayOf(zone, at)
  return instantsOf(clocksOf(zone, day), day, at + zone.offsetAt(at) - day * dayMillis).length > 1
}

/** The abbreviation of a zone at an instant, with the offset where a change of clocks repeats the local time. */
export const zoneLabel = (at: EpochMillis, name: string | undefined): string => {
  const zone = known(name)
  if (zone === undefined) return "UTC"
  const short = abbreviationOf(name!, zone, at)
  const offset = offsetInWords(zone.offsetAt(at))
  return short !== offset && isRepeated(zone, at) ? `${short} (${offset})` : short
}

/**
 * `2026-11-20 22:00:00 CET`: an instant in a zone, with the abbreviation that is in use there. Where a change of clocks repeats the
 * local time, the offset follows: `2026-10-25 02:30:00 CEST (UTC+02:00)`. Without a zone, or with an unknown one, in UTC.
 */
export const localInstant = (at: EpochMillis, name: string | undefined): string => {
  const zone = known(name)
  if (zone === undefined) return instant(at)
  return `${instant(at + zone.offsetAt(at)).slice(0, -" UTC".length)} ${zoneLabel(at, name)}`
}

/** `22:00 CET`. */
export const localClock = (at: EpochMillis, name: string | undefined): string => {
  const zone = known(name)
  return `${instant(at + (zone?.offsetAt(at) ?? 0)).slice(11, 16)} ${zoneLabel(at, name)}`
}

/** From Sunday on. */
export const shortWeekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const

/** Days within which a weekday names one day only. */
const weekdayDays = 6

/**
 * `Mon 09:00 CET`, or with the date where it is not within six days after another instant: `2026-12-07 09:00 CET`. `weekday` has the
 * reader's word for a day.
 */
export const localDayAndClock = (
  at: EpochMillis,
  name: string | undefined,
  after: EpochMillis,
  weekday: (day: (typeof shortWeekdays)[number]) => string = (day) => day
): string => {
  const day = localDay(at, name)
  const isNear = at >= after && at < after + weekdayDays * dayMillis
  return `${isNear ? weekday(shortWeekdays[new Date(day).getUTCDay()]!) : day} ${localClock(at, name)}`
}

/** The day of an instant in a zone, `YYYY-MM-DD`. */
export const localDay = (at: EpochMillis, name: string | undefined): string =>
  utcDay(at + (known(name)?.offsetAt(at) ?? 0))
