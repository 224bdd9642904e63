/**
 * Local time in time zones: which day an instant belongs to, when the clocks change, and which instants a local time stands
 * for. Pure; each question takes a bounded number of looks at the zone.
 */
import type { EpochMillis } from "./Timestamp.ts"

/** A day of the local calendar, counted from 1970-01-01. */
export type Day = number

export const minuteMillis = 60_000
export const dayMillis = 86_400_000

/** A time zone of the IANA database. */
export interface Zone {
  /** Milliseconds by which local time is ahead of UTC at an instant. */
  readonly offsetAt: (at: EpochMillis) => number
}

/** By the name that was asked for. Making one takes longer than a hundred questions to it. */
const known = new Map<string, Zone>()
/** More than there are zones; names in other cases count again. */
const maxKnown = 1000

/** The zone of an IANA name, such as `Europe/Berlin`; undefined when there is none. */
export const zoneOf = (name: string): Zone | undefined => {
  const found = known.get(name)
  if (found !== undefined) return found
  const zone = makeZone(name)
  if (zone === undefined) return undefined
  if (known.size >= maxKnown) known.clear()
  known.set(name, zone)
  return zone
}

const makeZone = (name: string): Zone | undefined => {
  try {
    const format = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" })
    return { offsetAt: (at) => millisOf(format.format(at)) }
  } catch {
    return undefined
  }
}

/** Reads `…, GMT+05:30`; UTC itself is `GMT`. */
const millisOf = (text: string): number => {
  const offset = text.slice(text.lastIndexOf("GMT") + 3)
  if (offset === "") return 0
  const [hours = 0, minutes = 0, seconds = 0] = offset.slice(1).split(":").map(Number)
  return (offset.startsWith("-") ? -1000 : 1000) * ((hours * 60 + minutes) * 60 + seconds)
}

/** The local day of an instant. */
export const dayOf = (zone: Zone, at: EpochMillis): Day => Math.floor((at + zone.offsetAt(at)) / dayMillis)

/** The clocks of a day: the offset before and after `changeAt`, which are equal where the clocks do not change. */
export interface Clocks {
  readonly before: number
  readonly after: number
  /** The first instant with the offset `after`. */
  readonly changeAt: EpochMillis
}

/** No zone is farther from UTC than this. */
const farthest = 16 * 3_600_000

/** Schedules ask for the same days again and again, and a look at the zone takes longer than all the rest of a question. */
const remembered = new WeakMap<Zone, Map<Day, Clocks>>()
const maxRemembered = 8

/** The clocks around a day: a change on the day itself or within some hours of it, to the minute. */
export const clocksOf = (zone: Zone, day: Day): Clocks => {
  let days = remembered.get(zone)
  if (days === undefined) remembered.set(zone, (days = new Map()))
  const known = days.get(day)
  if (known !== undefined) return known
  const clocks = findClocks(zone, day)
  if (days.size >= maxRemembered) days.clear()
  days.set(day, clocks)
  return clocks
}

/** Found by halving. */
const findClocks = (zone: Zone, day: Day): Clocks => {
  const start = day * dayMillis
  let low = (start - farthest) / minuteMillis
  let high = (start + dayMillis + farthest) / minuteMillis
  const before = zone.offsetAt(low * minuteMillis)
  const after = zone.offsetAt(high * minuteMillis)
  if (before === after) return { before, after, changeAt: high * minuteMillis }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (zone.offsetAt(middle * minuteMillis) === before) low = middle
    else high = middle
  }
  return { before, after, changeAt: high * minuteMillis }
}

/** The instants of a local time: none where a change of clocks skips it, two where one repeats it, in their order. */
export const instantsOf = (
  { after, before, changeAt }: Clocks,
  day: Day,
  millisOfDay: number
): ReadonlyArray<EpochMillis> => {
  const local = day * dayMillis + millisOfDay
  if (before === after) return [local - before]
  return [...(local - before < changeAt ? [local - before] : []), ...(local - after >= changeAt ? [local - after] : [])]
}
