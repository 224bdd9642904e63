/**
 * Which captures a probe sends. Most failing checks answer what the one before answered: only the first failure of a run, and
 * those that differ from the last one sent, travel with their observations.
 */
import { maxOfOutage } from "@kanmon/domain/Capture"
import type { Observation } from "@kanmon/domain/Observation"
import { hash } from "@kanmon/domain/Slots"
import { dayMillis, type EpochMillis } from "@kanmon/domain/Timestamp"

export interface Captures {
  /** The observation with its capture, or without it when it need not be sent. Cheap, called for every observation. */
  readonly select: (observation: Observation) => Observation
  readonly forget: (monitorId: string) => void
}

/** The failures in a row of one monitor. */
interface Run {
  sent: number
  /** A hash: the text of each would take a lot of memory. */
  last: number
  sentAt: EpochMillis
}

/** `isBacklogged`: messages wait in memory, where captures would take too much of it. */
export const make = (isBacklogged: () => boolean): Captures => {
  const runs = new Map<string, Run>()

  const isNew = ({ capture, checkedAt, failure, monitorId }: Observation): boolean => {
    if (capture === undefined) return false
    const shown = hash(JSON.stringify([failure?.code, capture.finalUrl, capture.statusLine, capture.body]))
    const run = runs.get(monitorId)
    if (run === undefined) {
      runs.set(monitorId, { sent: 1, last: shown, sentAt: checkedAt })
      return true
    }
    // Repeated daily, so that a long outage is explained by what was answered lately.
    if (run.sent >= maxOfOutage || (run.last === shown && checkedAt - run.sentAt < dayMillis)) return false
    run.sent++
    run.last = shown
    run.sentAt = checkedAt
    return true
  }

  return {
    select: (observation) => {
      const { capture, monitorId, status } = observation
      if (capture === undefined) {
        if (runs.size > 0 && (status === "up" || status === "degraded")) runs.delete(monitorId)
        return observation
      }
      return !isBacklogged() && isNew(observation) ? observation : without(observation)
    },
    forget: (monitorId) => void runs.delete(monitorId)
  }
}

/** The observation without its capture. */
export const without = (observation: Observation): Observation => {
  const { capture: _, ...rest } = observation
  return rest
}
