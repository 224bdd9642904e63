/**
 * Results that are held until the probe's connectivity is known, by monitor and in order. Bounded: when it is full, a
 * monitor keeps its first result, which dates an outage, and its newest.
 */
import type { MonitorSpec } from "@kanmon/domain/Monitor"
import type { Observation } from "@kanmon/domain/Observation"

export interface Held {
  readonly observation: Observation
  /** The settings of the check. */
  readonly spec: MonitorSpec
}

export interface HeldResults {
  /** Returns whether there was room; if not, the monitor's second newest result was dropped. */
  readonly add: (held: Held) => boolean
  readonly has: (monitorId: string) => boolean
  /** Removes and returns the results of a monitor, or of all monitors. */
  readonly take: (monitorId?: string) => ReadonlyArray<Held>
  readonly all: () => Iterable<Held>
  readonly size: () => number
}

/** `capacity` results, and in any case two of each monitor. */
export const make = (capacity: number): HeldResults => {
  let byMonitor = new Map<string, Array<Held>>()
  let size = 0

  function* all(): Iterable<Held> {
    for (const results of byMonitor.values()) yield* results
  }

  return {
    add: (held) => {
      const results = byMonitor.get(held.observation.monitorId)
      if (results !== undefined && results.length > 1 && size >= capacity) {
        results[results.length - 1] = held
        return false
      }
      size++
      if (results === undefined) byMonitor.set(held.observation.monitorId, [held])
      else results.push(held)
      return true
    },
    has: (monitorId) => byMonitor.has(monitorId),
    take: (monitorId) => {
      if (monitorId === undefined) {
        const taken = [...all()]
        byMonitor = new Map()
        size = 0
        return taken
      }
      const taken = byMonitor.get(monitorId) ?? []
      byMonitor.delete(monitorId)
      size -= taken.length
      return taken
    },
    all,
    size: () => size
  }
}
