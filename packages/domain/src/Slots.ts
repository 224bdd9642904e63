/**
 * The drift-free schedule. Time is cut into slots of one interval; a monitor's phase, a hash of its id, spreads
 * monitors over the interval, so they never fire together and a restart resumes the same slots.
 */
import type { EpochMillis } from "./Timestamp.ts"

/** 32-bit FNV-1a: small, well spread over ids that share a prefix, and the same on every machine. */
export const hash = (text: string): number => {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  // The final mix spreads ids that differ in their last characters alone.
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}

/** Where in its interval a monitor fires: 0 ≤ phase < interval, in milliseconds. */
export const phase = (monitorId: string, intervalMillis: number): number => hash(monitorId) % intervalMillis

/** The slot that contains `now`. */
export const slotOf = (now: EpochMillis, phaseMillis: number, intervalMillis: number): number =>
  Math.floor((now - phaseMillis) / intervalMillis)

/** When a slot begins: the instant its check is due. */
export const slotStart = (slot: number, phaseMillis: number, intervalMillis: number): EpochMillis =>
  slot * intervalMillis + phaseMillis

/** The slot to run next: never one that was run, never one that has already begun to be late. */
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

/** No slot is caught up on later than this after a start, so that rare checks do not wait for half a day. */
const longestCatchUp = 30_000

/** What is caught up on comes soon enough to be over, as a rule, when the next slot begins: a check in flight costs that one. */
const haste = 0.8

/**
 * When to run a slot that began before anybody was there to run it: null when the next one is near enough. Slots that were
 * missed by a start are spread over most of half an interval, so that all monitors are watched again by then without a rush.
 * One that was run before the restart has the same id, so running it again is harmless.
 */
export const catchUp = (now: EpochMillis, phaseMillis: number, intervalMillis: number): EpochMillis | null => {
  const half = intervalMillis / 2
  const elapsed = now - slotStart(slotOf(now, phaseMillis, intervalMillis), phaseMillis, intervalMillis)
  return elapsed >= half || elapsed === 0
    ? null
    : now + Math.floor((elapsed * haste * Math.min(half, longestCatchUp)) / half)
}
