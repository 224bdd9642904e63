/**
 * Assigns a region's monitors to its probes by rendezvous hashing: each probe scores each monitor, and the highest score
 * wins. Every probe computes the same result, so there is no leader, and a probe that joins or leaves moves only its own
 * monitors. While two probes disagree a monitor is checked by both, which is harmless because their observations have the
 * same ids.
 */
import { hash } from "./Slots.ts"

export type Assignment = (monitorId: string) => boolean

/** The assignment of the probe `own`, which counts itself whether or not it is in `probes`. */
export const of = (own: string, probes: ReadonlyArray<string>): Assignment => {
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

/** The probes in order of precedence for a monitor: the first one checks it, the next one takes over when that one leaves. */
export const ranked = (monitorId: string, probes: ReadonlyArray<string>): ReadonlyArray<string> =>
  probes
    .map((probe) => ({ probe, lot: hash(monitorId + probe) }))
    .sort((one, other) => other.lot - one.lot || (one.probe < other.probe ? 1 : -1))
    .map(({ probe }) => probe)
