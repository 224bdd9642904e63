/** What a batch of observations leads to. Pure: the store runs it inside its transaction. */
import type { MonitorId } from "@kanmon/domain/Ids"
import { certificate, type Condition, conditionsOf, isQuiet } from "@kanmon/domain/Alerting"
import type { CertificateState } from "@kanmon/domain/Certificate"
import { healed, judge, type JudgeState, type StatusChange } from "@kanmon/domain/Judge"
import type { Observation } from "@kanmon/domain/Observation"
import { cloudEventHeaders, type MonitorChanged, type MonitorStatusChanged } from "@kanmon/domain/ServiceEvent"
import { isStale } from "@kanmon/domain/Staleness"
import * as Subjects from "@kanmon/domain/Subjects"
import { type EpochMillis, toIso } from "@kanmon/domain/Timestamp"
import { type JudgedMonitor, settingsOf, type Verdicts } from "@kanmon/store/history/Judging"
import type { OutboxEvent } from "@kanmon/store/outbox/Outbox"

/** One judged observation that may concern an alert. */
export interface Step {
  readonly monitorId: MonitorId
  readonly observation: Observation
  readonly state: JudgeState
  readonly conditions: ReadonlyArray<Condition>
  readonly certificate: CertificateState | undefined
}

/** The verdicts, and what the alerts are decided by. */
export interface Judged extends Verdicts {
  readonly steps: ReadonlyArray<Step>
}

/** What judging knows beside the monitors and their observations. */
export interface Surroundings {
  /** The engine's clock; without it no state is taken for one of the future. */
  readonly now?: EpochMillis
  /** Regions that have a live probe; without them the first vote decides. */
  readonly liveRegions?: ReadonlyArray<string>
}

/** Judges the fresh observations of a batch in the order in which they were reported. */
export const decide = (
  monitors: ReadonlyMap<MonitorId, JudgedMonitor>,
  fresh: ReadonlyArray<Observation>,
  { liveRegions = [], now = Number.POSITIVE_INFINITY }: Surroundings = {}
): Judged => {
  const steps: Array<Step> = []
  const states = new Map<MonitorId, JudgeState>()
  const changes: Array<{ monitorId: MonitorId; change: StatusChange }> = []
  const events: Array<OutboxEvent> = []
  const mended: Array<MonitorId> = []

  const begin = (monitor: JudgedMonitor): JudgeState => {
    const state = healed(monitor.state, now)
    if (state !== monitor.state) {
      mended.push(monitor.id)
      states.set(monitor.id, state)
      changes.push(...entriesOfHealing(monitor, state))
    }
    return state
  }

  for (const observation of fresh) {
    const monitor = monitors.get(observation.monitorId)
    if (monitor === undefined) continue
    const before = states.get(monitor.id) ?? begin(monitor)
    const settings = { ...settingsOf(monitor), ...(monitor.passive ? {} : { liveRegions }) }
    const judgement = judge(before, observation, settings)
    if (judgement.state !== before && !(isQuiet(before) && isQuiet(judgement.state))) {
      const conditions = conditionsOf(judgement.state, settings)
      const shown = certificate(judgement.state, settings)
      steps.push({ monitorId: monitor.id, observation, state: judgement.state, conditions, certificate: shown })
    }
    if (judgement.state !== before) states.set(monitor.id, judgement.state)
    if (isStale(before) && !isStale(judgement.state))
      events.push(stalenessEvent(monitor, "fresh", observation.checkedAt))
    for (const change of judgement.changes) {
      changes.push({ monitorId: monitor.id, change })
      // Blindness is the operator's affair: the public hears of it only when the status is another one afterwards.
      if (change.status !== "unknown" && judgement.state.status !== before.status) {
        events.push(statusEvent(monitor, change, before.status))
      }
    }
  }
  const watched = [...new Set(steps.map(({ monitorId }) => monitorId))]
  return { states, changes, events, steps, watched, healed: mended }
}

/** What the status history needs when a state was healed: its entries of the future are deleted, and the status stands from now on. */
export const entriesOfHealing = (
  { id, state }: JudgedMonitor,
  { since, status }: JudgeState
): ReadonlyArray<{ readonly monitorId: MonitorId; readonly change: StatusChange }> =>
  since === state.since ? [] : [{ monitorId: id, change: { at: since, status, previous: status, failure: null } }]

/** The event of a monitor whose results are overdue, or come again. */
export const stalenessEvent = (
  { id: monitorId, name, projectId, type }: Pick<JudgedMonitor, "id" | "projectId" | "name" | "type">,
  event: "stale" | "fresh",
  at: EpochMillis
): OutboxEvent => {
  const id = `${monitorId}:${at}:${event}`
  const data: typeof MonitorChanged.Encoded = { monitorId, projectId, name, type, at: toIso(at) }
  return {
    id,
    subject: Subjects.monitorEvent(projectId, monitorId, event),
    headers: cloudEventHeaders({ id, type: `kanmon.monitor.${event}`, subject: monitorId, time: at }),
    payload: JSON.stringify(data)
  }
}

const statusEvent = (
  monitor: JudgedMonitor,
  change: StatusChange,
  previousStatus: MonitorStatusChanged["previousStatus"]
): OutboxEvent => {
  const name = change.status as "up" | "down" | "degraded"
  const subject = Subjects.monitorEvent(monitor.projectId, monitor.id, name)
  const id = `${monitor.id}:${change.at}:${name}`
  const data: typeof MonitorStatusChanged.Encoded = {
    monitorId: monitor.id,
    projectId: monitor.projectId,
    name: monitor.name,
    type: monitor.type,
    status: name,
    previousStatus,
    at: toIso(change.at),
    failure: change.failure
  }
  return {
    id,
    subject,
    headers: cloudEventHeaders({ id, type: `kanmon.monitor.${name}`, subject: monitor.id, time: change.at }),
    payload: JSON.stringify(data)
  }
}
