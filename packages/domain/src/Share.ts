/**
 * Which of a region's monitors are whose. The probes that have announced themselves draw a lot for each monitor, and the
 * highest has it (rendezvous hashing): each computes the same answer, so there is no leader, and a probe that comes or goes
 * moves only its own. While two of them disagree, a monitor is watched by both, which is harmless: their observations have
 * the same ids.
 */
import { hash } from "./Slots.ts"

export type Share = (monitorId: string) => boolean

/** What falls to the probe `own`; it counts itself in whether or not it is among `probes`. */
export const of = (own: string, probes: ReadonlyArray<string>): Share => {
  const others = probes.filter((probe) => probe !== own)
  return (monitorId) => {
    const lot = hash(monitorId + own)
    for (const other of others) {
      const theirs = hash(monitorId + other)
      if (theirs > lot || (theirs === lot && other > own)) return false
    }
    return true
  }
}

/** The probes in the order in which a monitor falls to them: its own first, then whoever has it when that one goes. */
export const ranked = (monitorId: string, probes: ReadonlyArray<string>): ReadonlyArray<string> =>
  probes
    .map((probe) => ({ probe, lot: hash(monitorId + probe) }))
    .sort((one, other) => other.lot - one.lot || (one.probe < other.probe ? 1 : -1))
    .map(({ probe }) => probe)
