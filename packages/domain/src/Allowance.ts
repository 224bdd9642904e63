/**
 * How often something may happen: `limit` times at once, and then evenly over the period (the generic cell rate algorithm, a
 * token bucket that is one instant). Pure.
 */
import type { EpochMillis } from "./Timestamp.ts"

/** So many times in a period. */
export interface Rate {
  readonly limit: number
  readonly periodMillis: number
}

export type Taken =
  /** `usedUpTo` is to be kept. `nextAt` is when it may happen again. */
  | { readonly _tag: "Allowed"; readonly usedUpTo: EpochMillis; readonly nextAt: EpochMillis }
  | { readonly _tag: "Exhausted"; readonly nextAt: EpochMillis }

/** Takes one, if there is one. `usedUpTo` is what was kept of the last time; undefined when it never happened. */
export const take = (usedUpTo: EpochMillis | undefined, { limit, periodMillis }: Rate, now: EpochMillis): Taken => {
  // Whole milliseconds, as they are kept.
  const each = Math.ceil(periodMillis / limit)
  const burst = each * (limit - 1)
  const from = Math.max(usedUpTo ?? now, now)
  if (from - now > burst) return { _tag: "Exhausted", nextAt: from - burst }
  const next = from + each
  return { _tag: "Allowed", usedUpTo: next, nextAt: Math.max(now, next - burst) }
}
