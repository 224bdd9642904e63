/** Times and durations in words, in the reader's language and time zone. */
import { units } from "./durations.ts"
import { formatLocale, t } from "./text.ts"

/** A duration in its largest unit, with the next one where it says more: "3 days", "1 hour 20 minutes". */
export const duration = (seconds: number): string => {
  const whole = Math.max(0, Math.round(seconds))
  const largest = units.findIndex(([length]) => whole >= length)
  if (largest < 0) return t("{count, plural, one {# second} other {# seconds}}", { count: 0 })
  const [length, text] = units[largest]!
  const count = Math.floor(whole / length)
  const words = t(text, { count })
  const next = units[largest + 1]
  if (next === undefined || count >= 3) return words
  const rest = Math.floor((whole - count * length) / next[0])
  return rest === 0 ? words : `${words} ${t(next[1], { count: rest })}`
}

/** Formats for moments on the minute, as people choose them, and for any other. */
let cached:
  | {
      readonly locale: string
      readonly minutes: Intl.DateTimeFormat
      readonly seconds: Intl.DateTimeFormat
    }
  | undefined

const formats = () => {
  const locale = formatLocale()
  if (cached?.locale !== locale)
    cached = {
      locale,
      minutes: new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }),
      seconds: new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" })
    }
  return cached
}

/** A moment in the reader's time zone. */
export const moment = (at: string | number): string => formats().seconds.format(new Date(at))

/** A day in the reader's time zone. */
export const day = (at: string | number): string =>
  new Date(at).toLocaleDateString(formatLocale(), { dateStyle: "medium" })

/** From one moment to another, to the minute, without repeating the day: "24 Nov 2026, 03:00–04:00". */
export const momentRange = (from: string | number, to: string | number): string =>
  formats().minutes.formatRange(new Date(from), new Date(to))

/** The same in UTC, for titles. */
export const utc = (at: string | number): string =>
  new Date(at)
    .toISOString()
    .replace("T", " ")
    .replace(/\.\d+Z$/, " UTC")

/** A figure and its unit. */
export type Measured = readonly [figure: string, unit: string]

/** A number of milliseconds, in seconds from one on. */
export const millisParts = (value: number): Measured =>
  value < 1000
    ? [Math.round(value).toLocaleString(formatLocale()), "ms"]
    : [(value / 1000).toLocaleString(formatLocale(), { maximumFractionDigits: 2 }), "s"]

export const millis = (value: number): string => millisParts(value).join(" ")

/** A percentage that never rounds up to 100. */
export const percentParts = (value: number): Measured => {
  const shown = value === 100 ? 100 : Math.min(99.99, Math.floor(value * 100) / 100)
  return [shown.toLocaleString(formatLocale(), { maximumFractionDigits: 2 }), "%"]
}

export const percent = (value: number): string => percentParts(value).join(" ")

const shortUnits = [
  [31_536_000, "year"],
  [86_400, "day"],
  [3600, "hour"],
  [60, "minute"],
  [1, "second"]
] as const

const shortFormats = new Map<string, Intl.NumberFormat>()

/** A duration in one unit, for columns: "3 days", "5 hr". */
export const shortDuration = (seconds: number): string => {
  const whole = Math.max(0, Math.round(seconds))
  const [length, unit] = shortUnits.find(([length]) => whole >= length) ?? [1, "second"]
  const key = `${formatLocale()} ${unit}`
  const format =
    shortFormats.get(key) ?? new Intl.NumberFormat(formatLocale(), { style: "unit", unit, unitDisplay: "short" })
  shortFormats.set(key, format)
  return format.format(Math.floor(whole / length))
}

/** The reader's own time zone. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** The error of a field with text that is not a duration. */
export const unreadDuration = (): string => t("Write a duration such as 30 seconds, 5 minutes, 1 h 30 min or 1 day.")
