/** Wall-clock times in a time zone, across changes of its clocks. Pure: the zone's rules are the browser's. */

/** A time as a clock of the zone shows it: `2027-03-28T03:00`. */
export type WallTime = string

const minute = 60_000
export const dayMillis = 86_400_000

const formats = new Map<string, Intl.DateTimeFormat>()

const formatOf = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    calendar: "iso8601",
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit"
  })
  formats.set(zone, format)
  return format
}

/** The zone's clock at an instant, as if it were UTC. */
const clockAt = (at: number, zone: string): number => {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {}
  for (const { type, value } of formatOf(zone).formatToParts(at)) parts[type] = Number(value)
  const { day = 1, hour = 0, minute: minutes = 0, month = 1, second = 0, year = 1970 } = parts
  return Date.UTC(year, month - 1, day, hour, minutes, second)
}

/** Milliseconds by which the zone's clock is ahead of UTC. */
const offsetAt = (at: number, zone: string): number => clockAt(at, zone) - Math.floor(at / 1000) * 1000

export const isZone = (zone: string): boolean => {
  try {
    formatOf(zone)
    return true
  } catch {
    return false
  }
}

/** The time on the zone's clock at an instant. */
export const wallOf = (at: number, zone: string): WallTime => new Date(clockAt(at, zone)).toISOString().slice(0, 16)

/**
 * The instant at which the zone's clock shows a time. A time that occurs twice is the first of both; one that is skipped is
 * as much later as the clocks were put forward, as RFC 5545 and calendars have it.
 */
export const instantOf = (wall: WallTime, zone: string): number => {
  const clock = Date.parse(`${wall}:00Z`)
  const [before, after] = [offsetAt(clock - dayMillis, zone), offsetAt(clock + dayMillis, zone)]
  for (const offset of [before, after]) if (offsetAt(clock - offset, zone) === offset) return clock - offset
  return clock - before
}

/** A time that many days and minutes later on the clock. */
export const shifted = (wall: WallTime, days: number, minutes = 0): WallTime =>
  new Date(Date.parse(`${wall}:00Z`) + days * dayMillis + minutes * minute).toISOString().slice(0, 16)

export const dayOf = (wall: WallTime): string => wall.slice(0, 10)

export const timeOf = (wall: WallTime): string => wall.slice(11)

/** Days from one calendar day to another. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00Z`) - Date.parse(`${from}T00:00Z`)) / dayMillis)

/** 0 is Monday. */
export const weekdayOf = (day: string): number => (new Date(`${day}T00:00Z`).getUTCDay() + 6) % 7
