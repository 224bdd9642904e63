/** Recurring maintenance: RFC 5545 recurrence rules (§3.3.10), reckoned in a time zone, so that 02:00 stays 02:00 when clocks change. */
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Result } from "effect"
import { RRuleTemporal } from "rrule-temporal"
import { Temporal } from "temporal-polyfill"

/** What a recurrence is asked by. */
export interface Recurrence {
  /** An RRULE, with or without `RRULE:` before it. */
  readonly rule: string
  /** IANA name of the time zone. */
  readonly timezone: string
  /** The first beginning. */
  readonly start: EpochMillis
}

/** Windows that begin more often are not maintenance. */
const frequencies = ["HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"]
/** How many windows are looked at to see whether they overlap. */
const looked = 60

/** Whether such a time zone is known. */
export const isTimezone = (name: string): boolean => {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId !== ""
  } catch {
    return false
  }
}

const parse = ({ rule, start, timezone }: Recurrence): RRuleTemporal =>
  new RRuleTemporal({
    rruleString: `RRULE:${rule.replace(/^RRULE:/i, "")}`,
    dtstart: Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(timezone),
    maxIterations: 10_000
  })

/** The first beginning after an instant; none when the series is over. */
export const next = (recurrence: Recurrence, after: EpochMillis): EpochMillis | undefined =>
  parse(recurrence).next(new Date(after), false)?.epochMilliseconds

/** What is wrong with a rule for windows of this length, in words; nothing when it can be used. */
export const objection = (recurrence: Recurrence, millis: number): string | undefined => {
  const text = recurrence.rule.replace(/^RRULE:/i, "")
  const frequency = /(?:^|;)FREQ=([^;]*)/i.exec(text)?.[1]?.toUpperCase()
  if (!/^[A-Za-z0-9=;,+-]{1,500}$/.test(text) || frequency === undefined)
    return "Expected an RRULE such as FREQ=WEEKLY;BYDAY=SU (RFC 5545)"
  if (!frequencies.includes(frequency)) return `Expected FREQ to be one of ${frequencies.join(", ")}`
  const beginnings = Result.try(() => parse(recurrence).all((_date, index) => index < looked))
  if (beginnings._tag === "Failure") return `Not a rule that can be used: ${wordsOf(beginnings.failure)}`
  const instants = beginnings.success.map(({ epochMilliseconds }) => epochMilliseconds)
  if (!instants.some((at) => at > recurrence.start)) return "This rule has no window after the first one"
  const overlaps = instants.some((at, index) => index > 0 && at - instants[index - 1]! < millis)
  return overlaps ? "The windows would overlap: make them shorter or rarer" : undefined
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : "it could not be read")
