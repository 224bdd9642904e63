/**
 * How far a machine's clock is from another one's, and what to do about it. Pure. The other clock stamps something between
 * two readings of the own one (as in NTP), so the stamp belongs to their middle, give or take half the time in between.
 */
import type { EpochMillis } from "./Timestamp.ts"

/** One measurement. Milliseconds. */
export interface ClockSample {
  /** What the own clock lacks to the other's: positive when it is behind. */
  readonly offset: number
  /** The offset is no further off than this. */
  readonly error: number
}

/** `stamped` by the other clock after `sent` and before `answered` by the own one. */
export const sampleOf = (sent: EpochMillis, stamped: EpochMillis, answered: EpochMillis): ClockSample => ({
  offset: stamped - (sent + answered) / 2,
  error: Math.abs(answered - sent) / 2
})

/** The most exact of several measurements; undefined of none. */
export const bestOf = (samples: ReadonlyArray<ClockSample>): ClockSample | undefined =>
  samples.reduce<ClockSample | undefined>(
    (best, sample) => (best === undefined || sample.error < best.error ? sample : best),
    undefined
  )

/** An offset above this is corrected, in milliseconds. */
export const correctAbove = 2000
/** What a probe finds counts as unknown when its clock is further off, in milliseconds. */
export const refuseAbove = 30_000
/** A correction that is off by less stays as it is: time should not jitter. */
const steady = 500

/**
 * - `unknown`: not measured yet.
 * - `ok`: at most 2 s off.
 * - `corrected`: off by more; times are corrected by the offset.
 * - `wrong`: off by more than 30 s.
 */
export type ClockStatus = "unknown" | "ok" | "corrected" | "wrong"

export const statusOf = (offset: number | undefined): ClockStatus => {
  if (offset === undefined) return "unknown"
  const off = Math.abs(offset)
  return off > refuseAbove ? "wrong" : off > correctAbove ? "corrected" : "ok"
}

/** What to add to the clock, in whole milliseconds, after what was `added` so far. Once corrected, it is until the clock is well right. */
export const correctionOf = (offset: number, added: number): number => {
  const needed = Math.abs(offset) > (added === 0 ? correctAbove : correctAbove / 2) ? Math.round(offset) : 0
  return needed !== 0 && Math.abs(needed - added) < steady ? added : needed
}
