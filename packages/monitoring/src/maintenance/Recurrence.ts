/** Recurring maintenance: which recurrence rules are accepted (RFC 5545, §3.3.10), and when the next window begins. */
import { zoneOf } from "@kanmon/domain/LocalTime"
import * as Beginnings from "@kanmon/domain/Recurrence"
import type { Series } from "@kanmon/domain/Recurrence"
import { parse } from "@kanmon/domain/RecurrenceRule"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Result } from "effect"

/** The input of a recurrence. */
export interface Recurrence {
  /** An RRULE, with or without `RRULE:` before it. */
  readonly rule: string
  /** IANA name of the time zone. */
  readonly timezone: string
  /** The first beginning. */
  readonly start: EpochMillis
}

/** Hourly and more frequent windows are not accepted. */
const frequencies = ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"]
/** The accepted parts of a rule, with their largest values. */
const parts: Readonly<Record<string, number>> = {
  FREQ: 0,
  UNTIL: Number.POSITIVE_INFINITY,
  WKST: 0,
  BYDAY: 53,
  COUNT: 10_000,
  INTERVAL: 366,
  BYSETPOS: 366,
  BYYEARDAY: 366,
  BYWEEKNO: 53,
  BYMONTH: 12,
  BYMONTHDAY: 31,
  BYHOUR: 23,
  BYMINUTE: 59
}
/** Limits the windows of a day, and the combinations of all BY parts. */
const maxOfDay = 24
const maxCombinations = 400
/** How many windows are checked for overlaps. */
const checkedWindows = 60

/** The error in the text of a rule; undefined if it can be evaluated. */
export const textObjection = (rule: string): string | undefined => {
  const text = rule.replace(/^RRULE:/i, "").toUpperCase()
  if (!/^[A-Z0-9=;,+-]{1,500}$/.test(text)) return "Expected an RRULE such as FREQ=WEEKLY;BYDAY=SU (RFC 5545)"
  const given = new Map<string, ReadonlyArray<string>>()
  for (const part of text.split(";")) {
    const [name = "", values] = part.split("=", 2)
    if (part === "") continue
    if (values === undefined) return "Expected an RRULE such as FREQ=WEEKLY;BYDAY=SU (RFC 5545)"
    if (!Object.hasOwn(parts, name)) return `${name} cannot be used here; expected ${Object.keys(parts).join(", ")}`
    if (given.has(name)) return `${name} occurs twice; remove one`
    given.set(name, values.split(","))
    const max = parts[name]!
    const tooLarge = given.get(name)!.find((value) => Math.abs(Number.parseInt(value, 10)) > max)
    if (tooLarge !== undefined) return `${name} is at most ${max}, not ${tooLarge}`
  }
  const [frequency] = given.get("FREQ") ?? []
  if (frequency === undefined) return "Expected an RRULE such as FREQ=WEEKLY;BYDAY=SU (RFC 5545)"
  if (!frequencies.includes(frequency))
    return `Expected FREQ to be one of ${frequencies.join(", ")}; for several windows a day, list their hours in BYHOUR`
  const count = (names: ReadonlyArray<string>) =>
    names.reduce((all, name) => all * new Set(given.get(name) ?? [""]).size, 1)
  if (count(["BYHOUR", "BYMINUTE"]) > maxOfDay)
    return `BYHOUR and BYMINUTE together make more than ${maxOfDay} windows a day: list fewer`
  return count([...given.keys()].filter((name) => name.startsWith("BY") && name !== "BYSETPOS")) > maxCombinations
    ? `The BY parts together make more than ${maxCombinations} combinations: list fewer`
    : undefined
}

/** The series, or why its rule cannot be used, in words. */
const seriesOf = ({ rule, start, timezone }: Recurrence): Result.Result<Series, string> => {
  const zone = zoneOf(timezone)
  if (zone === undefined) return Result.fail(`there is no time zone ${timezone}`)
  return Result.map(parse(rule), (parsed) => ({ rule: parsed, start, zone }))
}

/** The first beginning after an instant, undefined when the series is over; or why its rule cannot be used, in words. */
export const next = (recurrence: Recurrence, after: EpochMillis): Result.Result<EpochMillis | undefined, string> =>
  Result.map(seriesOf(recurrence), (series) => Beginnings.next(series, after))

/** The error of a rule for windows of this length; undefined if it can be used. */
export const objection = (recurrence: Recurrence, millis: number): string | undefined => {
  const unfit = textObjection(recurrence.rule)
  if (unfit !== undefined) return unfit
  const series = seriesOf(recurrence)
  if (Result.isFailure(series)) return `The rule cannot be used: ${series.failure}`
  const at = Beginnings.first(series.success, checkedWindows)
  if (!at.some((beginning) => beginning > recurrence.start)) return "This rule has no window after the first one"
  const overlaps = at.some((beginning, index) => index > 0 && beginning - at[index - 1]! < millis)
  return overlaps ? "The windows would overlap: make them shorter or less frequent" : undefined
}

/** Whether such a time zone is known. */
export const isTimezone = (name: string): boolean => zoneOf(name) !== undefined
