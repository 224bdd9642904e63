/**
 * Recurrence rules (RFC 5545, §3.3.10), reckoned in a time zone, so that 02:00 stays 02:00 when clocks change. A short rule can
 * ask for hours of work, so these functions are for the bounded evaluator alone, which loads this module in its processes.
 */
import { extname } from "node:path"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { RRuleTemporal } from "rrule-temporal"
import { Temporal } from "temporal-polyfill"

/** By which the evaluator finds this module; compiled, it is a file of its own beside those that use it. */
export const url = new URL(`./RecurrenceRule${extname(import.meta.url)}`, import.meta.url).href

/** What a recurrence is asked by. */
export interface Recurrence {
  /** An RRULE, with or without `RRULE:` before it. */
  readonly rule: string
  /** IANA name of the time zone. */
  readonly timezone: string
  /** The first beginning. */
  readonly start: EpochMillis
}

/** Beginnings, or why the rule cannot be used, in words. */
export type Beginnings =
  | { readonly _tag: "Found"; readonly at: ReadonlyArray<EpochMillis> }
  | { readonly _tag: "Unusable"; readonly why: string }

const parse = ({ rule, start, timezone }: Recurrence): RRuleTemporal =>
  new RRuleTemporal({
    rruleString: `RRULE:${rule.replace(/^RRULE:/i, "")}`,
    dtstart: Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(timezone),
    maxIterations: 10_000
  })

const found = (find: () => ReadonlyArray<Temporal.ZonedDateTime>): Beginnings => {
  try {
    return { _tag: "Found", at: find().map(({ epochMilliseconds }) => epochMilliseconds) }
  } catch (error) {
    return { _tag: "Unusable", why: error instanceof Error ? error.message : "it could not be read" }
  }
}

/** The first beginnings, as many as `count`. */
export const first = (recurrence: Recurrence, count: number): Beginnings =>
  found(() => parse(recurrence).all((_date, index) => index < count))

/** The first beginning after an instant; none when the series is over. */
export const next = (recurrence: Recurrence, after: EpochMillis): Beginnings =>
  found(() => {
    const beginning = parse(recurrence).next(new Date(after), false)
    return beginning === null ? [] : [beginning]
  })

/** Whether such a time zone is known. */
export const isTimezone = (name: string): boolean => {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId !== ""
  } catch {
    return false
  }
}
