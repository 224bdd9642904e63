/**
 * A monitor's past in periods: the intervals that its uptime is made of, and its outages. Pure. Both read a status history as
 * it counts, with maintenance and unknown time told apart (see `Uptime.overlay`).
 */
import type { TimelineStatus } from "./Status.ts"
import type { EpochMillis } from "./Timestamp.ts"
import type { TimelineEntry, UpDown } from "./Uptime.ts"

/** A period in which a monitor had one status: `[from, to)`. */
export interface Interval {
  readonly from: EpochMillis
  readonly to: EpochMillis
  readonly status: TimelineStatus
}

/** How a status counts: only `up` and `down` are part of the uptime. */
export type Counted = "up" | "down" | "excluded"

export const countedAs = (status: TimelineStatus): Counted =>
  status === "up" || status === "degraded" ? "up" : status === "down" ? "down" : "excluded"

/**
 * The intervals of `[from, to)`, oldest first and without a gap. Neighbours differ in their status; time before the first
 * entry is `unknown`. `timeline` is ordered by time and begins with the entry in force at `from`, if there is one.
 */
export const intervalsOf = (
  timeline: ReadonlyArray<TimelineEntry>,
  from: EpochMillis,
  to: EpochMillis
): ReadonlyArray<Interval> => {
  const found: Array<{ from: EpochMillis; to: EpochMillis; status: TimelineStatus }> = []
  const add = (begin: EpochMillis, end: EpochMillis, status: TimelineStatus): void => {
    if (end <= begin) return
    const last = found.at(-1)
    if (last?.status === status) last.to = end
    else found.push({ from: begin, to: end, status })
  }
  add(from, Math.min(timeline[0]?.at ?? to, to), "unknown")
  timeline.forEach(({ at, status }, index) =>
    add(Math.max(at, from), Math.min(timeline[index + 1]?.at ?? to, to), status)
  )
  return found
}

/** Up and down time of intervals. */
export const sumOf = (intervals: ReadonlyArray<Interval>): UpDown => {
  const sum = { up: 0, down: 0 }
  for (const { from, status, to } of intervals) {
    const counted = countedAs(status)
    if (counted !== "excluded") sum[counted] += to - from
  }
  return sum
}

/** A status that is an outage. */
export type OutageStatus = "down" | "degraded"

/** A period in which a monitor was down or degraded. `endedAt` is null while it lasts. */
export interface Outage {
  readonly startedAt: EpochMillis
  readonly endedAt: EpochMillis | null
  readonly status: OutageStatus
}

const isOutage = (status: TimelineStatus): status is OutageStatus => status === "down" || status === "degraded"

/**
 * The outages that overlap `[from, to)`, oldest first, not clipped to it. An outage ends with the next status that is known:
 * time without results within it, or after it, does not end it.
 */
export const outagesOf = (
  timeline: ReadonlyArray<TimelineEntry>,
  from: EpochMillis,
  to: EpochMillis
): ReadonlyArray<Outage> => {
  const found: Array<{ startedAt: EpochMillis; endedAt: EpochMillis | null; status: OutageStatus }> = []
  let open: (typeof found)[number] | undefined
  timeline.forEach(({ at, status }, index) => {
    // An entry that another one replaces at the same instant never held.
    if (timeline[index + 1]?.at === at || status === "unknown" || status === open?.status) return
    if (open !== undefined) open.endedAt = at
    open = isOutage(status) ? { startedAt: at, endedAt: null, status } : undefined
    if (open !== undefined) found.push(open)
  })
  return found.filter(({ endedAt, startedAt }) => startedAt < to && (endedAt === null || endedAt > from))
}
