/**
 * Time-weighted uptime. Up-time ÷ (up + down) over a window; paused, pending, maintenance and unknown time is left
 * out, and degraded counts as up.
 */
import type { TimelineStatus } from "./Status.ts"
import { dayMillis, type EpochMillis, utcDay } from "./Timestamp.ts"

/** From `at` until the next entry the monitor stood so. */
export interface TimelineEntry {
  readonly at: EpochMillis
  readonly status: TimelineStatus
}

/** Milliseconds counted as up and as down. */
export interface UpDown {
  readonly up: number
  readonly down: number
}

export const none: UpDown = { up: 0, down: 0 }

export const add = (left: UpDown, right: UpDown): UpDown => ({ up: left.up + right.up, down: left.down + right.down })

/**
 * Counts a time line over `[from, to)`. `timeline` is in order of time and begins with the entry that was in force at
 * `from`, where there is one. Nothing is known after `knownUntil`: a monitor nobody looks at is not up.
 */
export const measure = (
  timeline: ReadonlyArray<TimelineEntry>,
  from: EpochMillis,
  to: EpochMillis,
  knownUntil: EpochMillis = Number.POSITIVE_INFINITY
): UpDown => {
  let up = 0
  let down = 0
  for (let index = 0; index < timeline.length; index++) {
    const entry = timeline[index]!
    const begin = Math.max(entry.at, from)
    const end = Math.min(timeline[index + 1]?.at ?? knownUntil, to)
    if (end <= begin) continue
    if (entry.status === "up" || entry.status === "degraded") up += end - begin
    else if (entry.status === "down") down += end - begin
  }
  return { up, down }
}

/** Percent, or null where nothing was known. */
export const percent = ({ up, down }: UpDown): number | null => {
  const total = up + down
  if (total === 0) return null
  // Rounding must never show a clean 100 over an outage, nor a clean 0 over some up-time.
  const rounded = Math.round((up / total) * 1e6) / 1e4
  if (rounded === 100 && down > 0) return 99.9999
  if (rounded === 0 && up > 0) return 0.0001
  return rounded
}

/** The UTC days that touch `[from, to)`, in order, as `[day, begin, end)` clipped to the window. */
export const daysBetween = (
  from: EpochMillis,
  to: EpochMillis
): ReadonlyArray<{ readonly day: string; readonly from: EpochMillis; readonly to: EpochMillis }> => {
  const days: Array<{ day: string; from: EpochMillis; to: EpochMillis }> = []
  for (let begin = Math.floor(from / dayMillis) * dayMillis; begin < to; begin += dayMillis) {
    days.push({ day: utcDay(begin), from: Math.max(begin, from), to: Math.min(begin + dayMillis, to) })
  }
  return days
}
