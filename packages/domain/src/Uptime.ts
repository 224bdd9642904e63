/**
 * Time-weighted uptime: up ÷ (up + down) over a window. Paused, pending, maintenance and unknown time is left out; degraded
 * counts as up.
 */
import { joined, type Span } from "./Spans.ts"
import type { TimelineStatus } from "./Status.ts"
import { dayMillis, type EpochMillis, floorDay, utcDay } from "./Timestamp.ts"

/** The monitor has this status from `at` until the next entry. */
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

/** A maintenance window of a monitor. Windows may overlap. */
export type Window = Span

/**
 * Applies maintenance windows to a status history and ends it at `knownUntil`, after which the status is unknown.
 * `timeline` is ordered by time. The result can be measured directly.
 */
export const overlay = (
  timeline: ReadonlyArray<TimelineEntry>,
  knownUntil: EpochMillis = Number.POSITIVE_INFINITY,
  windows: ReadonlyArray<Window> = []
): ReadonlyArray<TimelineEntry> => {
  const last = timeline.at(-1)
  const known =
    last === undefined || knownUntil === Number.POSITIVE_INFINITY
      ? timeline
      : [...timeline, { at: Math.max(last.at, knownUntil), status: "unknown" } as const]
  if (windows.length === 0 || known.length === 0) return known
  const covered = joined(windows)
  const result: Array<TimelineEntry> = []
  let next = 0
  for (let index = 0; index < known.length; index++) {
    const { at, status } = known[index]!
    const end = known[index + 1]?.at ?? Number.POSITIVE_INFINITY
    let cursor = at
    while (next < covered.length && covered[next]!.to <= cursor) next++
    for (let window = next; cursor < end; window++) {
      const { from, to } = covered[window] ?? { from: Number.POSITIVE_INFINITY, to: Number.POSITIVE_INFINITY }
      if (cursor < from) result.push({ at: cursor, status })
      if (from < end) result.push({ at: Math.max(cursor, from), status: "maintenance" })
      cursor = from < end ? to : end
    }
  }
  return result
}

/**
 * Measures a status history over `[from, to)`. `timeline` is ordered by time and begins with the entry in force at `from`,
 * if there is one.
 */
export const measure = (timeline: ReadonlyArray<TimelineEntry>, from: EpochMillis, to: EpochMillis): UpDown => {
  let up = 0
  let down = 0
  for (let index = 0; index < timeline.length; index++) {
    const entry = timeline[index]!
    const begin = Math.max(entry.at, from)
    const end = Math.min(timeline[index + 1]?.at ?? Number.POSITIVE_INFINITY, to)
    if (end <= begin) continue
    if (entry.status === "up" || entry.status === "degraded") up += end - begin
    else if (entry.status === "down") down += end - begin
  }
  return { up, down }
}

/** A period in which a monitor was down; `endedAt` is null while it lasts. */
export interface DownTime {
  readonly startedAt: EpochMillis
  readonly endedAt: EpochMillis | null
}

/** The outages that overlap `[from, to)`, oldest first, not clipped to the window. */
export const outages = (
  timeline: ReadonlyArray<TimelineEntry>,
  from: EpochMillis,
  to: EpochMillis
): ReadonlyArray<DownTime> => {
  const found: Array<{ startedAt: EpochMillis; endedAt: EpochMillis | null }> = []
  for (let index = 0; index < timeline.length; index++) {
    const { at, status } = timeline[index]!
    const end = timeline[index + 1]?.at ?? null
    if (status !== "down" || end === at || at >= to) continue
    const before = found.at(-1)
    if (before !== undefined && before.endedAt === at) before.endedAt = end
    else found.push({ startedAt: at, endedAt: end })
  }
  return found.filter(({ endedAt }) => endedAt === null || endedAt > from)
}

/** Percent, or null without data. */
export const percent = ({ up, down }: UpDown): number | null => {
  const total = up + down
  if (total === 0) return null
  // Rounding must never turn an outage into 100, nor some up-time into 0.
  const rounded = Math.round((up / total) * 1e6) / 1e4
  if (rounded === 100 && down > 0) return 99.9999
  if (rounded === 0 && up > 0) return 0.0001
  return rounded
}

/** The UTC days that overlap `[from, to)`, in order, clipped to the window. */
export const daysBetween = (
  from: EpochMillis,
  to: EpochMillis
): ReadonlyArray<{ readonly day: string; readonly from: EpochMillis; readonly to: EpochMillis }> => {
  const days: Array<{ day: string; from: EpochMillis; to: EpochMillis }> = []
  for (let begin = floorDay(from); begin < to; begin += dayMillis) {
    days.push({ day: utcDay(begin), from: Math.max(begin, from), to: Math.min(begin + dayMillis, to) })
  }
  return days
}
