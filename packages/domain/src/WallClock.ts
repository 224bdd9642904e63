/**
 * The wall clock of a schedule: local time that never runs backwards. When the clocks are put back it stands still until local
 * time has caught up, so a handoff in the repeated hour happens once, the first time; when they are put forward it jumps, so a
 * handoff in the skipped hour happens at the end of the gap. Everything that a schedule says in local time is read from it.
 */
import { type Clocks, clocksOf, type Day, dayMillis, instantsOf, type Zone } from "./LocalTime.ts"
import type { EpochMillis } from "./Timestamp.ts"

/** Local time without a zone: milliseconds since 1970-01-01T00:00 on the wall. */
export type WallMillis = number

export interface WallClock {
  /** When the clock first shows a local time, or a later one. */
  readonly instantOf: (wall: WallMillis) => EpochMillis
  /** The local day of an instant, as calendars have it. */
  readonly dayAt: (at: EpochMillis) => Day
}

/** The clock of a zone. It remembers the days that it was asked for: use it for one reckoning. */
export const wallClock = (zone: Zone): WallClock => {
  const known = new Map<Day, Clocks>()
  const clocks = (day: Day): Clocks => {
    const found = known.get(day) ?? clocksOf(zone, day)
    known.set(day, found)
    return found
  }
  return {
    instantOf: (wall) => {
      const day = Math.floor(wall / dayMillis)
      const ofDay = clocks(day)
      return instantsOf(ofDay, day, wall - day * dayMillis)[0] ?? ofDay.changeAt
    },
    dayAt: (at) => Math.floor((at + zone.offsetAt(at)) / dayMillis)
  }
}
