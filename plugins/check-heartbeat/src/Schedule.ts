/** When a job is expected: by a cron expression in a time zone, read and run as crond does. */
import { nextDay, parse } from "@kanmon/domain/CronExpression"
import * as CronSchedule from "@kanmon/domain/CronSchedule"
import { zoneOf } from "@kanmon/domain/LocalTime"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Result } from "effect"

/** Why an expression is invalid; undefined when it is valid. */
export const scheduleProblem = (expression: string): string | undefined =>
  Result.match(parse(expression), {
    onFailure: (problem) => problem,
    onSuccess: (parsed) => (nextDay(parsed, 0) === undefined ? "This schedule never occurs" : undefined)
  })

/** Why a time zone is invalid; undefined when it is valid. */
export const timezoneProblem = (timezone: string): string | undefined =>
  zoneOf(timezone) === undefined ? "Expected an IANA time zone such as Europe/Berlin" : undefined

/** The first scheduled time after an instant; null when there is none. Takes some microseconds, also for rare schedules. */
export const nextRun = (expression: string, timezone: string, after: EpochMillis): EpochMillis | null => {
  const parsed = parse(expression)
  const zone = zoneOf(timezone)
  return Result.isFailure(parsed) || zone === undefined ? null : CronSchedule.next(parsed.success, zone, after)
}

/**
 * The scheduled time that a signal leaves expected. A signal that is early by at most the grace time, and by at most half the
 * distance to the time before, counts for its time: the clock of a job may be ahead of ours.
 */
export const expectedAfter = (
  expression: string,
  timezone: string,
  signal: EpochMillis,
  graceMillis: number
): EpochMillis | null => {
  const time = nextRun(expression, timezone, signal)
  if (time === null) return null
  const early = time - signal
  const isItsSignal = early <= graceMillis && nextRun(expression, timezone, signal - early) === time
  return isItsSignal ? nextRun(expression, timezone, time) : time
}
