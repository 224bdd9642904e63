/** When a notice is tried again. Pure. */
import type { DeliveryError } from "@kanmon/core/Channel"
import type { EpochMillis } from "@kanmon/domain/Timestamp"

/** The next step for the recipient of a failed attempt, or for a channel without recipients. */
export type AfterFailure =
  /** The whole channel rests until `restUntil`. */
  | { readonly _tag: "Retry"; readonly at: EpochMillis; readonly restUntil: EpochMillis | null }
  /** `disable`: nothing is sent there any more. */
  | { readonly _tag: "Failed"; readonly disable: boolean }

/** An older notice is not sent any more. */
export const maxAge = 24 * 3_600_000
const firstPause = 5_000
const maxPause = 15 * 60_000

/** Consecutive failures after which the whole channel rests: each of its notices would fail the same way. */
const failuresToRest = 3

/** A page is given up so long after its first attempt: by then the next method or the next person has been tried. */
const pageMillis = 600_000

/** When a page to a person is given up, by its first attempt. */
export const pageDeadline = (firstAttemptAt: EpochMillis): EpochMillis => firstAttemptAt + pageMillis

/** Whether a notice is too old to be sent at an instant. */
export const isTooOld = (createdAt: EpochMillis, at: EpochMillis): boolean => at - createdAt > maxAge

/** The next step after a failed attempt. `random` in `[0, 1)` spreads the retries of channels that failed together. */
export const afterFailure = (options: {
  readonly reason: DeliveryError["reason"]
  /** Attempts of this notice before this one. */
  readonly attempts: number
  /** Consecutive failures of the channel before this one. */
  readonly failures: number
  readonly createdAt: EpochMillis
  /** When it is given up; null: as every notice is. */
  readonly deadline: EpochMillis | null
  readonly now: EpochMillis
  readonly random: number
}): AfterFailure => {
  const { attempts, createdAt, deadline, failures, now, random, reason } = options
  if (reason._tag === "Rejected" || reason._tag === "Gone") return { _tag: "Failed", disable: reason._tag === "Gone" }
  const rest = restMillis(reason, pause(failures, random), failures)
  const end = deadline ?? Number.POSITIVE_INFINITY
  // The last attempt is at the deadline, so that what waits for this one to fail need not wait longer.
  const at = Math.min(end, now + Math.max(reason._tag === "Throttled" ? rest : 0, pause(attempts, random)))
  if (isTooOld(createdAt, at) || now >= end) return { _tag: "Failed", disable: false }
  return { _tag: "Retry", at, restUntil: rest === 0 ? null : Math.min(end, now + rest) }
}

/**
 * How long the channel's other notices wait as well. A destination that throttles does so for all of them: for the time that it
 * gave, or else for the same pauses as retries.
 */
const restMillis = (reason: DeliveryError["reason"], pause: number, failures: number): number => {
  if (reason._tag === "Throttled")
    return reason.retryAfter === undefined ? pause : Math.max(1000, reason.retryAfter * 1000)
  return failures + 1 >= failuresToRest ? pause : 0
}

/**
 * Doubles from five seconds up to 15 minutes, plus up to 40 percent. Never less than five seconds, which Pushover's
 * documentation demands after a 5xx.
 */
const pause = (before: number, random: number): number =>
  Math.round(Math.min(maxPause, firstPause * 2 ** Math.min(before, 20)) * (1 + 0.4 * random))
