/**
 * When to look at each monitor that is watched for results. Kept in memory: in the database, each look at a healthy monitor
 * would update a row that the next observation updates again.
 */
import type { MonitorId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import type { Watch } from "./EvaluationRepository.ts"

export interface WatchSchedule {
  /** Adds watches. A restarted one is due immediately; others keep their time. */
  readonly add: (watches: ReadonlyArray<Watch>) => void
  /** The monitors to look at by now, at most `limit`. */
  readonly due: (now: EpochMillis, limit: number) => ReadonlyArray<MonitorId>
  readonly postpone: (id: MonitorId, at: EpochMillis) => void
  readonly remove: (id: MonitorId) => void
}

export const make = (): WatchSchedule => {
  const times = new Map<MonitorId, { at: EpochMillis; readonly lookAt: EpochMillis }>()
  return {
    add: (watches) => {
      for (const { id, lookAt } of watches) {
        if (times.get(id)?.lookAt !== lookAt) times.set(id, { at: Number.NEGATIVE_INFINITY, lookAt })
      }
    },
    due: (now, limit) => {
      const found: Array<MonitorId> = []
      for (const [id, { at }] of times) {
        if (found.length === limit) break
        if (at <= now) found.push(id)
      }
      return found
    },
    postpone: (id, at) => {
      const time = times.get(id)
      if (time !== undefined) time.at = at
    },
    remove: (id) => {
      times.delete(id)
    }
  }
}
