/**
 * When the windows of a series begin, by a recurrence rule reckoned in local time, so that 02:00 stays 02:00 when clocks change.
 * A beginning that a change of clocks skips is as much later as the clocks are put forward, and one that is repeated is the first
 * of both (RFC 5545, §3.3.5). Pure, and bounded by structure: no question looks at more than about a hundred years of days.
 */
import { clocksOf, type Day, dayMillis, instantsOf, type Zone } from "./LocalTime.ts"
import { fits, partsOf, type RecurrenceRule } from "./RecurrenceRule.ts"
import type { EpochMillis } from "./Timestamp.ts"

/** A series. */
export interface Series {
  readonly rule: RecurrenceRule
  readonly zone: Zone
  /** The first beginning, from which the rule is counted. */
  readonly start: EpochMillis
}

const hourMillis = 3_600_000
const minuteMillis = 60_000

/** Days, and times of days, that are looked at for one beginning: every date falls on every weekday within 40 years. */
const daysForOne = 41 * 366
/** The same for several beginnings. */
const daysForAll = 100 * 366

/** The first beginning after an instant; undefined when there is none. */
export const next = (series: Series, after: EpochMillis): EpochMillis | undefined => {
  let left = daysForOne
  for (const { beginnings, days } of periods(series, after)) {
    const found = beginnings.find((at) => at > after)
    if (found !== undefined) return found
    left = beginnings.length === 0 ? left - days : daysForOne
    if (left <= 0) return undefined
  }
  return undefined
}

/** The first beginnings, as many as `count` of those within a hundred years. */
export const first = (series: Series, count: number): ReadonlyArray<EpochMillis> => {
  const found: Array<EpochMillis> = []
  let left = daysForAll
  for (const { beginnings, days } of periods(series, series.start)) {
    found.push(...beginnings)
    left -= days
    if (found.length >= count || left <= 0) break
  }
  return found.slice(0, count)
}

interface Period {
  /** Ascending. */
  readonly beginnings: ReadonlyArray<EpochMillis>
  /** Days and times of days that were looked at, at least 1. */
  readonly days: number
}

/** The periods of a series in their order, from the one with an instant on; all of them where beginnings are counted. */
function* periods(series: Series, from: EpochMillis): Generator<Period> {
  const { rule, start, zone } = series
  const local = start + zone.offsetAt(start)
  const day = Math.floor(local / dayMillis)
  const date = partsOf(day)
  const times = timesOf(rule, local - day * dayMillis)
  const begin = periodOf(rule, day)
  // A day earlier, because a change of clocks may move a beginning into the next day.
  const fromDay = Math.max(day, Math.floor((from + zone.offsetAt(from)) / dayMillis) - 1)
  const skipped = rule.count === undefined ? Math.floor((periodOf(rule, fromDay) - begin) / rule.interval) : 0
  let counted = 0
  for (let index = Math.max(0, skipped); ; index++) {
    const [low, high] = daysOf(rule, begin + index * rule.interval)
    if (high * dayMillis > latest) return
    const all: Array<EpochMillis> = []
    for (let each = low; each < high; each++)
      if (fits(rule, each, date)) {
        const clocks = clocksOf(zone, each)
        for (const time of times) {
          const at = each * dayMillis + time
          all.push(instantsOf(clocks, each, time)[0] ?? at - clocks.before)
        }
      }
    const chosen = positioned(
      rule,
      [...new Set(all)].toSorted((one, other) => one - other)
    ).filter((at) => at >= start)
    const kept = rule.count === undefined ? chosen : chosen.slice(0, rule.count - counted)
    counted += kept.length
    const inTime = kept.filter((at) => isInTime(rule, zone, at))
    yield { beginnings: inTime, days: high - low + all.length }
    if (inTime.length < kept.length || counted === rule.count || isPast(rule, high)) return
  }
}

/** Instants that a calendar still knows. */
const latest = Date.parse("9000-01-01T00:00:00Z")

const timesOf = ({ hours, minutes }: RecurrenceRule, ofDay: number): ReadonlyArray<number> => {
  const hour = Math.floor(ofDay / hourMillis)
  const minute = Math.floor((ofDay % hourMillis) / minuteMillis)
  return (hours ?? [hour]).flatMap((each) =>
    (minutes ?? [minute]).map((other) => each * hourMillis + other * minuteMillis + (ofDay % minuteMillis))
  )
}

const periodOf = ({ frequency, weekStart }: RecurrenceRule, day: Day): number => {
  if (frequency === "DAILY") return day
  // 1970-01-01 was a Thursday.
  if (frequency === "WEEKLY") return Math.floor((day + 4 - weekStart) / 7)
  const date = new Date(day * dayMillis)
  return frequency === "YEARLY" ? date.getUTCFullYear() : date.getUTCFullYear() * 12 + date.getUTCMonth()
}

/** The days `[low, high)` of a period. */
const daysOf = ({ frequency, weekStart }: RecurrenceRule, period: number): readonly [low: Day, high: Day] => {
  if (frequency === "DAILY") return [period, period + 1]
  if (frequency === "WEEKLY") return [period * 7 - 4 + weekStart, period * 7 + 3 + weekStart]
  const months = frequency === "YEARLY" ? 12 : 1
  const month = (count: number): Day => Date.UTC(Math.floor(count / 12), count % 12, 1) / dayMillis
  return [month(period * months), month((period + 1) * months)]
}

/** The beginnings of a period that BYSETPOS selects. */
const positioned = ({ positions }: RecurrenceRule, all: ReadonlyArray<EpochMillis>): ReadonlyArray<EpochMillis> =>
  positions === undefined
    ? all
    : all.filter((_, index) => positions.includes(index + 1) || positions.includes(index - all.length))

const isInTime = ({ until }: RecurrenceRule, zone: Zone, at: EpochMillis): boolean =>
  until === undefined || (until.isLocal ? at + zone.offsetAt(at) : at) <= until.at

/** Whether nothing can begin from a day on. */
const isPast = ({ until }: RecurrenceRule, day: Day): boolean =>
  until !== undefined && day * dayMillis > until.at + 2 * dayMillis
