/**
 * The wall clock of a schedule: local time that never runs backwards. When the clocks are put back it stands still until local
 * time has caught up, so a handoff in the repeated hour happens once, the first time; when they are put forward it jumps, so a
 * handoff in the skipped hour happens at the end of the gap. Everything that a schedule says in local time is read from it.
 */
import { clocksOf, dayMillis, instantsOf, type Zone } from "./LocalTime.ts"
import type { EpochMillis } from "./Timestamp.ts"

/** Local time without a zone: milliseconds since 1970-01-01T00:00 on the wall. */
export type WallMillis = number

/** When the wall clock of a zone first shows a local time, or a later one. */
export const instantOf = (zone: Zone, wall: WallMillis): EpochMillis => {
  const day = Math.floor(wall / dayMillis)
  const clocks = clocksOf(zone, day)
  return instantsOf(clocks, day, wall - day * dayMillis)[0] ?? clocks.changeAt
}
