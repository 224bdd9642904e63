/**
 * Measures and corrects the offset between two clocks. Pure. The remote clock's timestamp is taken between two readings of
 * the local clock (as in NTP), so it belongs to their midpoint, with an error of half the time in between.
 */
import type { EpochMillis } from "./Timestamp.ts"

/** One measurement, in milliseconds. */
export interface ClockSample {
  /** Remote clock minus local clock: positive when the local clock is behind. */
  readonly offset: number
  /** Upper bound of the measurement's error. */
  readonly error: number
}

/** `stamped` is the remote clock's reading, taken between `sent` and `answered` of the local clock. */
export const sampleOf = (sent: EpochMillis, stamped: EpochMillis, answered: EpochMillis): ClockSample => ({
  offset: stamped - (sent + answered) / 2,
  error: Math.abs(answered - sent) / 2
})

/** The most exact measurement; undefined when there is none. */
export const bestOf = (samples: ReadonlyArray<ClockSample>): ClockSample | undefined =>
  samples.reduce<ClockSample | undefined>(
    (best, sample) => (best === undefined || sample.error < best.error ? sample : best),
    undefined
  )

/** An offset above this is corrected, in milliseconds. */
export const correctAbove = 2000
/** A probe's results count as unknown above this offset, in milliseconds. */
export const refuseAbove = 30_000
/** A correction stays unchanged when it is off by less, so that time does not jitter. */
const steady = 500

/**
 * - `unknown`: not measured yet.
 * - `ok`: at most 2 s off.
 * - `corrected`: off by more; times are corrected by the offset.
 * - `wrong`: off by more than 30 s.
 */
export const clockStatuses = ["unknown", "ok", "corrected", "wrong"] as const
export type ClockStatus = (typeof clockStatuses)[number]

export const statusOf = (offset: number | undefined): ClockStatus => {
  if (offset === undefined) return "unknown"
  const off = Math.abs(offset)
  return off > refuseAbove ? "wrong" : off > correctAbove ? "corrected" : "ok"
}

/**
 * The correction of the clock, in whole milliseconds. `added` is the current correction. It ends only when the clock is
 * clearly right again.
 */
export const correctionOf = (offset: number, added: number): number => {
  const needed = Math.abs(offset) > (added === 0 ? correctAbove : correctAbove / 2) ? Math.round(offset) : 0
  return needed !== 0 && Math.abs(needed - added) < steady ? added : needed
}
