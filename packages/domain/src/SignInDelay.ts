/**
 * Delays sign-in after failed attempts on an account. Pure. The delay is bounded, so that a stranger who guesses passwords
 * cannot lock the owner out for long.
 */
import { dayMillis, type EpochMillis } from "./Timestamp.ts"

/** Failed attempts since the last success. */
export interface SignInFailures {
  readonly count: number
  readonly lastAt: EpochMillis
}

/** Attempts without a delay, for typing mistakes. */
export const freeFailures = 5
const firstPause = 10_000
export const longestPause = 15 * 60_000
/** Failures are forgotten after this time without another one. */
export const forgottenAfter = dayMillis

/** When the next attempt is allowed; in the past when it is allowed now. */
export const nextAttemptAt = ({ count, lastAt }: SignInFailures): EpochMillis =>
  count <= freeFailures ? lastAt : lastAt + Math.min(longestPause, firstPause * 2 ** (count - freeFailures - 1))

/** Adds one failure. */
export const failedAgain = (before: SignInFailures | undefined, now: EpochMillis): SignInFailures => ({
  count: before === undefined || before.lastAt + forgottenAfter <= now ? 1 : before.count + 1,
  lastAt: now
})
