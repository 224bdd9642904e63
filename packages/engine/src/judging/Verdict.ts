/** What a batch of observations leads to. Pure: the store runs it inside its transaction. */
import type { MonitorId } from "@kanmon/domain/Ids"
import { certificate, type Condition, conditionsOf, isQuiet } from "@kanmon/domain/Alerting"
import type { CertificateState } from "@kanmon/domain/Certificate"
import { judge, type JudgeState, type StatusChange } from "@kanmon/domain/Judge"
import type { Observation } from "@kanmon/domain/Observation"
import { cloudEventHeaders, type MonitorStatusChanged } from "@kanmon/domain/ServiceEvent"
import * as Subjects from "@kanmon/domain/Subjects"
import { toIso } from "@kanmon/domain/Timestamp"
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

/** Judges the fresh observations of a batch in the order in which they were reported. */
export const decide = (monitors: ReadonlyMap<MonitorId, JudgedMonitor>, fresh: ReadonlyArray<Observation>): Judged => {
  const steps: Array<Step> = []
  const states = new Map<MonitorId, JudgeState>()
  const changes: Array<{ monitorId: MonitorId; change: StatusChange }> = []
  const events: Array<OutboxEvent> = []
  for (const observation of fresh) {
    const monitor = monitors.get(observation.monitorId)
    if (monitor === undefined) continue
    const before = states.get(monitor.id) ?? monitor.state
    const settings = settingsOf(monitor)
    const judgement = judge(before, observation, settings)
    if (judgement.state !== before && !(isQuiet(before) && isQuiet(judgement.state))) {
      const conditions = conditionsOf(judgement.state, settings)
      const shown = certificate(judgement.state, settings)
      steps.push({ monitorId: monitor.id, observation, state: judgement.state, conditions, certificate: shown })
    }
    if (judgement.state !== before) states.set(monitor.id, judgement.state)
    for (const change of judgement.changes) {
      changes.push({ monitorId: monitor.id, change })
      // Blindness is the operator's affair: the public hears of it only when the status is another one afterwards.
      if (change.status !== "unknown" && judgement.state.status !== before.status) {
        events.push(statusEvent(monitor, change, before.status))
      }
    }
  }
  return { states, changes, events, steps, watched: [...new Set(steps.map(({ monitorId }) => monitorId))] }
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
