/**
 * Rate limit: `limit` calls at once, then evenly over the period (generic cell rate algorithm: a token bucket stored as one
 * instant). Pure.
 */
import type { EpochMillis } from "./Timestamp.ts"

/** At most `limit` calls in a period. */
export interface Rate {
  readonly limit: number
  readonly periodMillis: number
}

export type Taken =
  /** `usedUpTo` is the state to store. `nextAt` is when the next call is allowed. */
  | { readonly _tag: "Allowed"; readonly usedUpTo: EpochMillis; readonly nextAt: EpochMillis }
  | { readonly _tag: "Exhausted"; readonly nextAt: EpochMillis }

/** Consumes one call if one is available. `usedUpTo` is the stored state; undefined before the first call. */
export const take = (usedUpTo: EpochMillis | undefined, { limit, periodMillis }: Rate, now: EpochMillis): Taken => {
  // Rounded up because only whole milliseconds are stored.
  const each = Math.ceil(periodMillis / limit)
  const burst = each * (limit - 1)
  const from = Math.max(usedUpTo ?? now, now)
  if (from - now > burst) return { _tag: "Exhausted", nextAt: from - burst }
  const next = from + each
  return { _tag: "Allowed", usedUpTo: next, nextAt: Math.max(now, next - burst) }
}
