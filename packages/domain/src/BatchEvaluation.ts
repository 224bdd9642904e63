/**
 * Evaluates a batch of observations: the new states of their monitors, the entries of the status history, the public events,
 * and the moments at which alerts are decided. Pure: the control plane calls it inside its transaction.
 */
import { certificate, type Condition, conditionsOf, isQuiet } from "./Alerting.ts"
import type { CertificateState } from "./Certificate.ts"
import type { MonitorId, ProjectId } from "./Ids.ts"
import { stalenessEvent, statusEvent } from "./MonitorEvents.ts"
import type { MonitorState } from "./MonitorState.ts"
import type { Observation } from "./Observation.ts"
import type { PublicEvent } from "./PublicEvent.ts"
import { isStale } from "./Staleness.ts"
import { evaluate, type EvaluationSettings, healed, type StatusChange } from "./StatusEvaluation.ts"
import type { EpochMillis } from "./Timestamp.ts"

/** A monitor with the settings and the state that its evaluation needs. */
export interface EvaluatedMonitor {
  readonly id: MonitorId
  readonly projectId: ProjectId
  readonly name: string
  readonly type: string
  /** Seconds between results, as far as their votes are concerned. */
  readonly interval: number
  readonly regions: ReadonlyArray<string>
  /** Whether it waits for signals. */
  readonly passive: boolean
  /** Days before its end from which the certificate counts as expiring, where the monitor sets it. */
  readonly sslExpiryThreshold?: number | undefined
  readonly state: MonitorState
}

/** A new entry of a monitor's status history. */
export interface HistoryEntry {
  readonly monitorId: MonitorId
  readonly change: StatusChange
}

/** The conditions of a monitor at one instant: alerts are decided by them. */
export interface Moment {
  readonly monitorId: MonitorId
  readonly at: EpochMillis
  readonly conditions: ReadonlyArray<Condition>
  /** The facts behind the conditions, for notifications. */
  readonly evidence: {
    readonly state: MonitorState
    readonly observation?: Observation
    readonly certificate?: CertificateState
  }
}

/** The result of an evaluation. */
export interface EvaluationResult {
  /** The states that changed. */
  readonly states: ReadonlyMap<MonitorId, MonitorState>
  readonly entries: ReadonlyArray<HistoryEntry>
  readonly events: ReadonlyArray<PublicEvent>
  readonly moments: ReadonlyArray<Moment>
  /** Monitors with a state that was dated in the future. Their future rows are deleted. */
  readonly healed: ReadonlyArray<MonitorId>
}

/** The inputs of a batch evaluation besides monitors and observations. */
export interface BatchContext {
  /** The engine's clock; without it no state counts as dated in the future. */
  readonly now?: EpochMillis
  /** Regions with a live probe; without any, the first vote decides. */
  readonly liveRegions?: ReadonlyArray<string>
}

/** The settings of a monitor that its evaluation needs. */
export const settingsOf = ({ interval, regions, sslExpiryThreshold }: EvaluatedMonitor): EvaluationSettings => ({
  intervalMillis: interval * 1000,
  regions,
  ...(sslExpiryThreshold === undefined ? {} : { sslExpiryThreshold })
})

/** Evaluates the new observations of a batch, in their order. */
export const evaluateBatch = (
  monitors: ReadonlyMap<MonitorId, EvaluatedMonitor>,
  fresh: ReadonlyArray<Observation>,
  { liveRegions = [], now = Number.POSITIVE_INFINITY }: BatchContext = {}
): EvaluationResult => {
  const states = new Map<MonitorId, MonitorState>()
  const entries: Array<HistoryEntry> = []
  const events: Array<PublicEvent> = []
  const moments: Array<Moment> = []
  const repaired: Array<MonitorId> = []

  const begin = (monitor: EvaluatedMonitor): MonitorState => {
    const state = healed(monitor.state, now)
    if (state !== monitor.state) {
      repaired.push(monitor.id)
      states.set(monitor.id, state)
      entries.push(...entriesOfHealing(monitor, state))
    }
    return state
  }

  for (const observation of fresh) {
    const monitor = monitors.get(observation.monitorId)
    if (monitor === undefined) continue
    const before = states.get(monitor.id) ?? begin(monitor)
    const settings = { ...settingsOf(monitor), ...(monitor.passive ? {} : { liveRegions }) }
    const { changes, state } = evaluate(before, observation, settings)
    if (state === before) continue
    states.set(monitor.id, state)
    if (!isQuiet(before) || !isQuiet(state)) {
      // A pending monitor has no evaluation yet, so the check dates the moment.
      const at = Math.max(state.judgedAt, observation.checkedAt)
      moments.push(momentOf(monitor.id, state, settings, at, observation))
    }
    if (isStale(before) && !isStale(state)) events.push(stalenessEvent(monitor, "fresh", observation.checkedAt))
    for (const change of changes) {
      entries.push({ monitorId: monitor.id, change })
      // A gap alone is for operators: subscribers get an event when the status is another one afterwards.
      const event = state.status === before.status ? undefined : statusEvent(monitor, change, before.status)
      if (event !== undefined) events.push(event)
    }
  }
  return { states, entries, events, moments, healed: repaired }
}

const momentOf = (
  monitorId: MonitorId,
  state: MonitorState,
  settings: EvaluationSettings,
  at: EpochMillis,
  observation?: Observation
): Moment => {
  const shown = certificate(state, settings)
  return {
    monitorId,
    at,
    conditions: conditionsOf(state, settings),
    evidence: {
      state,
      ...(observation === undefined ? {} : { observation }),
      ...(shown === undefined ? {} : { certificate: shown })
    }
  }
}

/** A monitor as it is at an instant, without a new check. */
export const currentMoment = (monitor: EvaluatedMonitor, at: EpochMillis): Moment =>
  momentOf(monitor.id, monitor.state, settingsOf(monitor), at)

/** The entry for a state that was dated in the future: its entries of the future are deleted, and the status holds from now on. */
export const entriesOfHealing = (
  { id, state }: Pick<EvaluatedMonitor, "id" | "state">,
  { since, status }: MonitorState
): ReadonlyArray<HistoryEntry> =>
  since === state.since ? [] : [{ monitorId: id, change: { at: since, status, previous: status, failure: null } }]
