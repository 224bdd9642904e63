/**
 * Finds monitors without results: which are stale, and when each of the others may become so. Pure. Only evaluated
 * observations count: while older ones wait on the bus, and for the time in which Kanmon was down, silence is not the
 * monitor's.
 */
import {
  currentMoment,
  entriesOfHealing,
  type EvaluatedMonitor,
  type EvaluationResult,
  type HistoryEntry,
  settingsOf
} from "./BatchEvaluation.ts"
import type { MonitorId } from "./Ids.ts"
import { stalenessEvent } from "./MonitorEvents.ts"
import type { MonitorState } from "./MonitorState.ts"
import { isStale, markStale, staleAt, type StalenessSettings } from "./Staleness.ts"
import { healed } from "./StatusEvaluation.ts"
import type { EpochMillis } from "./Timestamp.ts"

/** A monitor with what decides whether it is stale. */
export interface WatchedMonitor extends EvaluatedMonitor {
  /** Seconds. */
  readonly timeout: number
  /** When a user last changed it. */
  readonly changedAt: EpochMillis
}

export interface Watching {
  readonly now: EpochMillis
  /** Since when results have been watched for without a break. */
  readonly since: EpochMillis
  /** Everything that was observed before this instant has been evaluated. */
  readonly evaluatedUpTo: EpochMillis
}

/**
 * - `unwatched`: paused, passive or already stale.
 * - `expected`: a result may still come; look again at `at`.
 * - `unclear`: its time is over, but an observation may wait to be evaluated.
 * - `silent`: its time is over, or its state is dated in the future: evaluate it under a lock.
 */
export type Silence =
  { readonly _tag: "unwatched" | "unclear" | "silent" } | { readonly _tag: "expected"; readonly at: EpochMillis }

const stalenessSettings = (monitor: WatchedMonitor, since: EpochMillis): StalenessSettings => ({
  ...settingsOf(monitor),
  timeoutMillis: monitor.timeout * 1000,
  countsFrom: Math.max(monitor.changedAt, since)
})

/** Whether a monitor has been silent for too long, by its state as it was read. */
export const silenceOf = (monitor: WatchedMonitor, { evaluatedUpTo, now, since }: Watching): Silence => {
  const { state } = monitor
  if (healed(state, now) !== state) return { _tag: "silent" }
  if (monitor.passive || state.status === "paused" || isStale(state)) return { _tag: "unwatched" }
  const due = staleAt(state, stalenessSettings(monitor, since))
  if (due > now) return { _tag: "expected", at: due }
  return { _tag: due > evaluatedUpTo ? "unclear" : "silent" }
}

/** The result, and the monitors that became stale. */
export interface StalenessResult extends EvaluationResult {
  readonly marked: ReadonlyArray<EvaluatedMonitor>
}

/** Marks those of the monitors that are stale. */
export const evaluateStaleness = (monitors: ReadonlyArray<WatchedMonitor>, watching: Watching): StalenessResult => {
  const { now, since } = watching
  const states = new Map<MonitorId, MonitorState>()
  const entries: Array<HistoryEntry> = []
  const marked: Array<EvaluatedMonitor> = []
  const repaired: Array<MonitorId> = []
  for (const monitor of monitors) {
    const state = healed(monitor.state, now)
    if (state !== monitor.state) {
      repaired.push(monitor.id)
      states.set(monitor.id, state)
      entries.push(...entriesOfHealing(monitor, state))
    }
    const sound = { ...monitor, state }
    if (silenceOf(sound, watching)._tag !== "silent") continue
    const evaluation = markStale(state, stalenessSettings(sound, since), now)
    states.set(monitor.id, evaluation.state)
    for (const change of evaluation.changes) entries.push({ monitorId: monitor.id, change })
    marked.push({ ...monitor, state: evaluation.state })
  }
  return {
    states,
    entries,
    marked,
    healed: repaired,
    events: marked.map((monitor) => stalenessEvent(monitor, "stale", monitor.state.staleSince ?? now)),
    moments: marked.map((monitor) => currentMoment(monitor, now))
  }
}
