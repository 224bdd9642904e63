/** When to try a notice again. Pure. */
import type { DeliveryError } from "@kanmon/core/Channel"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import type { Outcome } from "@kanmon/store/alerts/Deliveries"

/** A notice this old is of no use any more. */
const longestLife = 24 * 3_600_000
const firstPause = 5_000
const longestPause = 15 * 60_000

/** So many failures in a row, and the whole channel rests: each of its notices would fail the same way. */
const failuresToRest = 3

/** What follows from a failed attempt. `random` in `[0, 1)` keeps channels that failed together from coming back together. */
export const afterFailure = (options: {
  readonly reason: DeliveryError["reason"]
  /** Attempts of this notice before this one. */
  readonly attempts: number
  /** The channel's failures in a row before this one. */
  readonly failures: number
  readonly createdAt: EpochMillis
  readonly now: EpochMillis
  readonly random: number
}): Outcome => {
  const { attempts, createdAt, failures, now, random, reason } = options
  if (reason._tag === "Rejected" || reason._tag === "Gone") return { _tag: "Failed", disable: reason._tag === "Gone" }
  const rest = restMillis(reason, pause(failures, random), failures)
  const at = now + Math.max(reason._tag === "Throttled" ? rest : 0, pause(attempts, random))
  if (at - createdAt > longestLife) return { _tag: "Failed", disable: false }
  return { _tag: "Retry", at, restUntil: rest === 0 ? null : now + rest }
}

/**
 * How long the channel's other notices wait as well. A destination that throttles does so for all of them: for as long as it
 * says, or else from five seconds on, since somebody may be waiting to be paged.
 */
const restMillis = (reason: DeliveryError["reason"], pause: number, failures: number): number => {
  if (reason._tag === "Throttled")
    return reason.retryAfter === undefined ? pause : Math.max(1000, reason.retryAfter * 1000)
  return failures + 1 >= failuresToRest ? pause : 0
}

/** Doubles from five seconds to a quarter of an hour, give or take a fifth. */
const pause = (before: number, random: number): number =>
  Math.round(Math.min(longestPause, firstPause * 2 ** Math.min(before, 20)) * (0.8 + 0.4 * random))
