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
  const throttled = reason._tag === "Throttled" ? Math.max(1000, reason.retryAfter * 1000) : 0
  const at = now + Math.max(throttled, pause(attempts, random))
  if (at - createdAt > longestLife) return { _tag: "Failed", disable: false }
  const rest = throttled > 0 ? now + throttled : failures + 1 >= failuresToRest ? now + pause(failures, random) : null
  return { _tag: "Retry", at, restUntil: rest }
}

/** Doubles from five seconds to a quarter of an hour, give or take a fifth. */
const pause = (before: number, random: number): number =>
  Math.round(Math.min(longestPause, firstPause * 2 ** Math.min(before, 20)) * (0.8 + 0.4 * random))
