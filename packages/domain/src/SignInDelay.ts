/**
 * How failed attempts to sign in to one account slow down the next ones. Pure. The pause is bounded, so that a stranger who
 * keeps guessing cannot lock the owner out for long.
 */
import { dayMillis, type EpochMillis } from "./Timestamp.ts"

/** Attempts that failed since the last good one. */
export interface SignInFailures {
  readonly count: number
  readonly lastAt: EpochMillis
}

/** So many may fail without a pause: people mistype. */
export const freeFailures = 5
const firstPause = 10_000
export const longestPause = 15 * 60_000
/** After so long without a failure the earlier ones are forgotten. */
export const forgottenAfter = dayMillis

/** When the next attempt may be made; in the past when it may be made now. */
export const nextAttemptAt = ({ count, lastAt }: SignInFailures): EpochMillis =>
  count <= freeFailures ? lastAt : lastAt + Math.min(longestPause, firstPause * 2 ** (count - freeFailures - 1))

/** The failures after one more. */
export const failedAgain = (before: SignInFailures | undefined, now: EpochMillis): SignInFailures => ({
  count: before === undefined || before.lastAt + forgottenAfter <= now ? 1 : before.count + 1,
  lastAt: now
})
