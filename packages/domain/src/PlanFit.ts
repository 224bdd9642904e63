/**
 * Brings the monitors of an account in line with the limits of a plan. Pure. Nothing is ever deleted: monitors that the plan
 * has no room for are paused, the newest first, and intervals that are too short are raised; where there is room again, both
 * come back as they were. What people paused themselves stays as it is.
 */
import type { MonitorId } from "./Ids.ts"
import { type PlanLimits, roomOf } from "./Plan.ts"
import type { EpochMillis } from "./Timestamp.ts"

/** What a plan may change about a monitor. */
export interface Fitting {
  readonly paused: boolean
  /** It was the plan that paused it. */
  readonly pausedByPlan: boolean
  /** Seconds. */
  readonly interval: number
  /** The interval its owner chose, where the plan raised it; null otherwise. */
  readonly wantedInterval: number | null
}

export interface FittedMonitor extends Fitting {
  readonly id: MonitorId
  readonly createdAt: EpochMillis
  /** Seconds. */
  readonly timeout: number
}

export interface FitChange extends Fitting {
  readonly id: MonitorId
}

/** What has to change, in the order of ids. Those that run already go on running before others come back. */
export const fit = (monitors: ReadonlyArray<FittedMonitor>, limits: PlanLimits): ReadonlyArray<FitChange> => {
  const oldestFirst = monitors.toSorted((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1))
  const room = roomOf(limits)
  const running = oldestFirst.filter(({ paused }) => !paused)
  const stopping = new Set(running.slice(room))
  const waiting = oldestFirst.filter(({ pausedByPlan }) => pausedByPlan)
  const returning = new Set(waiting.slice(0, Math.max(0, room - running.length)))
  return monitors
    .flatMap((monitor): ReadonlyArray<FitChange> => {
      const pausedByPlan = stopping.has(monitor) || (monitor.pausedByPlan && !returning.has(monitor))
      const paused = pausedByPlan || (monitor.paused && !monitor.pausedByPlan)
      const next = { id: monitor.id, paused, pausedByPlan, ...intervalUnder(monitor, limits) }
      return isSame(monitor, next) ? [] : [next]
    })
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

const intervalUnder = (
  { interval, timeout, wantedInterval }: FittedMonitor,
  { checkInterval }: PlanLimits
): Pick<Fitting, "interval" | "wantedInterval"> => {
  if (wantedInterval === null && interval >= checkInterval) return { interval, wantedInterval }
  const wanted = wantedInterval ?? interval
  // A timeout that was chosen since must still fit in.
  const allowed = Math.max(wanted, checkInterval, wantedInterval === null ? 0 : Math.ceil(timeout))
  return { interval: allowed, wantedInterval: allowed === wanted ? null : wanted }
}

const isSame = (one: Fitting, other: Fitting): boolean =>
  one.paused === other.paused &&
  one.pausedByPlan === other.pausedByPlan &&
  one.interval === other.interval &&
  one.wantedInterval === other.wantedInterval
