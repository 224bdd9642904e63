/**
 * The drift-free schedule. Time is divided into slots of one interval. A monitor's phase, a hash of its id, spreads
 * monitors over the interval, so they do not all fire together and a restart continues with the same slots.
 */
import type { EpochMillis } from "./Timestamp.ts"

/** 32-bit FNV-1a: small, evenly distributed for ids with a common prefix, and identical on every machine. */
export const hash = (text: string): number => {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  // Mixes the last bytes, so that ids which differ only there are spread as well.
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}

/** Offset of a monitor in its interval: 0 ≤ phase < interval, in milliseconds. */
export const phase = (monitorId: string, intervalMillis: number): number => hash(monitorId) % intervalMillis

/** The slot that contains `now`. */
export const slotOf = (now: EpochMillis, phaseMillis: number, intervalMillis: number): number =>
  Math.floor((now - phaseMillis) / intervalMillis)

/** When a slot begins: the instant its check is due. */
export const slotStart = (slot: number, phaseMillis: number, intervalMillis: number): EpochMillis =>
  slot * intervalMillis + phaseMillis

/** The next slot to run: never one that already ran, and never one that is already late. */
export const nextSlot = (
  now: EpochMillis,
  lastRun: number | null,
  phaseMillis: number,
  intervalMillis: number
): number => {
  const current = slotOf(now, phaseMillis, intervalMillis)
  const due = slotStart(current, phaseMillis, intervalMillis) === now ? current : current + 1
  return lastRun === null ? due : Math.max(due, lastRun + 1)
}

/**
 * When to repeat a check that was due at `scheduledAt` and has failed by `now`; null when the next slot comes first. It is a
 * multiple of `retryMillis` after the failed check, so that every probe plans the same instant, and at most one interval
 * after it, so that results are never further apart than without retries. A retry belongs to the slot that contains it; its
 * due time distinguishes it from the slot's own check. The slots that begin in between are left out.
 */
export const retryAt = (
  scheduledAt: EpochMillis,
  now: EpochMillis,
  retryMillis: number,
  intervalMillis: number
): EpochMillis | null => {
  const times = Math.max(1, Math.ceil((now - scheduledAt) / retryMillis))
  return times * retryMillis > intervalMillis ? null : scheduledAt + times * retryMillis
}

/** Upper bound of the catch-up delay after a start, so that monitors with long intervals do not wait for hours. */
const longestCatchUp = 30_000

/** Leaves time for the caught-up check to finish before the next slot, which would otherwise be skipped. */
const haste = 0.8

/**
 * When to run a slot that began before the start; null when the next slot is close enough. Missed slots are spread over
 * most of half an interval, so that all monitors are checked soon without a burst. If the slot already ran before the
 * restart, running it again is harmless because it has the same id.
 */
export const catchUp = (now: EpochMillis, phaseMillis: number, intervalMillis: number): EpochMillis | null => {
  const half = intervalMillis / 2
  const elapsed = now - slotStart(slotOf(now, phaseMillis, intervalMillis), phaseMillis, intervalMillis)
  return elapsed >= half || elapsed === 0
    ? null
    : now + Math.floor((elapsed * haste * Math.min(half, longestCatchUp)) / half)
}
