/**
 * Separates results that may change a monitor's status from those that repeat the last one, such as a target that stays
 * up. The former are sent immediately. The latter wait shortly and share a message, because the cost of a message
 * hardly depends on its size. Failures are always urgent: a rule may wait for the next failure in a row.
 */
import type { MonitorSpec } from "@kanmon/domain/Monitor"
import type { Observation } from "@kanmon/domain/Observation"

export interface News {
  /** Whether the result may change anything. Called once for each result, in the order in which they are sent. */
  readonly isNew: (observation: Pick<Observation, "monitorId" | "status">, spec: MonitorSpec) => boolean
  readonly forget: (monitorId: string) => void
}

export const make = (): News => {
  /** The settings under which a monitor was last up; other settings may give it another status. */
  const up = new Map<string, MonitorSpec>()
  return {
    isNew: ({ monitorId, status }, spec) => {
      if (status !== "up") {
        up.delete(monitorId)
        return true
      }
      const isRepeated = up.get(monitorId) === spec
      if (!isRepeated) up.set(monitorId, spec)
      return !isRepeated
    },
    forget: (monitorId) => void up.delete(monitorId)
  }
}
