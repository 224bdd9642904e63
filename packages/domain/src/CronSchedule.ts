/**
 * Computes the run times of crond in a time zone. Pure. The work is bounded: at most 41 years of days with a few
 * comparisons each, and single minutes only on days with a clock change.
 * ¶ When clocks change by three hours or less, crond (`cron.c` of Debian's cron 3.0) runs a job of fixed times once
 * where its time is repeated, and at the end of the gap where it is skipped. Jobs whose minute or hour begins with `*`
 * follow the clock on the wall. After a larger change, such as a day that is left out, every job does.
 */
import { type CronExpression, nextDay, nextMinute } from "./CronExpression.ts"
import { type Clocks, clocksOf, type Day, dayMillis, dayOf, instantsOf, minuteMillis, type Zone } from "./LocalTime.ts"
import type { EpochMillis } from "./Timestamp.ts"

/** The first run after an instant; null when there is none. */
export const next = (expression: CronExpression, zone: Zone, after: EpochMillis): EpochMillis | null => {
  // A change of clocks may repeat the end of the day before.
  for (let from = dayOf(zone, after) - 1; ;) {
    const day = nextDay(expression, from)
    if (day === undefined) return null
    const clocks = clocksOf(zone, day)
    const found = firstOf(expression, clocks, day, after)
    // Near a change of clocks the next day may begin before this one has ended.
    if (found !== undefined)
      return earliest(found, changes(clocks) ? firstOfNext(expression, zone, day, after) : undefined)
    from = day + 1
  }
}

/** Whether crond takes a change of clocks for a new time rather than for the beginning or end of summer time. */
const isJump = (shift: number): boolean => shift >= 180 * minuteMillis || shift < -180 * minuteMillis

const changes = ({ after, before }: Clocks): boolean => before !== after

const earliest = (one: EpochMillis, other: EpochMillis | undefined): EpochMillis => Math.min(one, other ?? one)

const firstOfNext = (expression: CronExpression, zone: Zone, day: Day, after: EpochMillis) =>
  nextDay(expression, day + 1) === day + 1 ? firstOf(expression, clocksOf(zone, day + 1), day + 1, after) : undefined

/** The first run after an instant among those of one day. */
const firstOf = (expression: CronExpression, clocks: Clocks, day: Day, after: EpochMillis): EpochMillis | undefined => {
  const midnight = day * dayMillis
  if (!changes(clocks)) {
    const minute = nextMinute(expression, Math.floor((after + clocks.before - midnight) / minuteMillis) + 1)
    return minute === undefined ? undefined : midnight + minute * minuteMillis - clocks.before
  }
  const [behind, ahead] = [Math.min(clocks.before, clocks.after), Math.max(clocks.before, clocks.after)]
  let first: EpochMillis | undefined
  const start = Math.floor((after + behind - midnight) / minuteMillis)
  for (let minute = nextMinute(expression, start); minute !== undefined; minute = nextMinute(expression, minute + 1)) {
    // Neither this minute nor a later one can come before what was found.
    if (first !== undefined && midnight + minute * minuteMillis - ahead >= first) break
    for (const at of runsAt(expression, clocks, instantsOf(clocks, day, minute * minuteMillis)))
      if (at > after && (first === undefined || at < first)) first = at
  }
  return first
}

/** The runs of a local time that stands for these instants. */
const runsAt = (
  { isWild }: CronExpression,
  { after, before, changeAt }: Clocks,
  instants: ReadonlyArray<EpochMillis>
): ReadonlyArray<EpochMillis> => {
  if (isWild || isJump(after - before)) return instants
  return instants.length === 0 ? [changeAt] : instants.slice(0, 1)
}
