/**
 * Fits the monitors of an account to the limits of a plan. Pure. Nothing is deleted: monitors above the limit are paused,
 * newest first, and intervals and retry intervals that are too short are raised; all are restored when the limits allow it.
 * Monitors that the user paused stay paused.
 */
import type { MonitorId } from "./Ids.ts"
import { type PlanLimits, roomOf } from "./Plan.ts"
import type { EpochMillis } from "./Timestamp.ts"

/** The fields that a plan may change. */
export interface Fitting {
  readonly paused: boolean
  /** Whether the plan paused it, not the user. */
  readonly pausedByPlan: boolean
  /** Seconds. */
  readonly interval: number
  /** The interval its owner chose, when the plan raised it; null otherwise. */
  readonly wantedInterval: number | null
  /** Seconds; at most the interval. Null: failed checks are not repeated sooner. */
  readonly retryInterval: number | null
  /** The retry interval its owner chose, when the plan raised it; null otherwise. */
  readonly wantedRetryInterval: number | null
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

/** The necessary changes, ordered by id. Running monitors take precedence over paused ones. */
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
      const intervals = intervalUnder(monitor, limits)
      const next = { id: monitor.id, paused, pausedByPlan, ...intervals, ...retryUnder(monitor, intervals, limits) }
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
  // The timeout may have been raised since; the restored interval must be at least as long.
  const allowed = Math.max(wanted, checkInterval, wantedInterval === null ? 0 : Math.ceil(timeout))
  return { interval: allowed, wantedInterval: allowed === wanted ? null : wanted }
}

const retryUnder = (
  { retryInterval, wantedRetryInterval }: FittedMonitor,
  { interval }: Pick<Fitting, "interval">,
  { checkInterval }: PlanLimits
): Pick<Fitting, "retryInterval" | "wantedRetryInterval"> => {
  if (retryInterval === null) return { retryInterval, wantedRetryInterval: null }
  const wanted = wantedRetryInterval ?? retryInterval
  // An interval that was restored may be shorter than a retry interval that was chosen meanwhile.
  const allowed = Math.min(interval, Math.max(wanted, checkInterval))
  return { retryInterval: allowed, wantedRetryInterval: allowed === wanted ? null : wanted }
}

const isSame = (one: Fitting, other: Fitting): boolean =>
  one.paused === other.paused &&
  one.pausedByPlan === other.pausedByPlan &&
  one.interval === other.interval &&
  one.wantedInterval === other.wantedInterval &&
  one.retryInterval === other.retryInterval &&
  one.wantedRetryInterval === other.wantedRetryInterval
