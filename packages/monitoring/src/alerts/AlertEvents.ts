/** The public events of alerts. Pure. */
import type { AlertRule, Trigger } from "@kanmon/domain/AlertRule"
import { AlertId, type MonitorId, type ProjectId } from "@kanmon/domain/Ids"
import type { Alert, AlertActor } from "@kanmon/domain/Alert"
import type { Act } from "@kanmon/domain/AlertHandling"
import { type AlertChanged, type AlertHandled, cloudEventHeaders } from "@kanmon/domain/ServiceEvent"
import type { Severity } from "@kanmon/domain/Severity"
import * as Subjects from "@kanmon/domain/Subjects"
import { type EpochMillis, toIso } from "@kanmon/domain/Timestamp"
import type { PublicEvent } from "@kanmon/domain/PublicEvent"
import type { AlertEntry } from "./AlertRecords.ts"

/** The data of an alert's events. */
interface EventSubject {
  readonly projectId: ProjectId
  readonly ruleId: AlertRule["id"]
  readonly monitorId: MonitorId
  readonly trigger: Trigger
  readonly severity: Severity
}

/** The public event of one history entry. */
export const alertEvent = (
  { monitorId, projectId, ruleId, severity, trigger }: EventSubject,
  entry: Pick<AlertEntry, "id" | "channelId">,
  name: Subjects.AlertEventName,
  at: EpochMillis,
  detail: string
): PublicEvent => {
  const alertId = AlertId.make(entry.id)
  const data: typeof AlertChanged.Encoded = {
    alertId,
    projectId,
    ruleId,
    monitorId,
    channelId: entry.channelId,
    trigger,
    severity,
    at: toIso(at),
    detail
  }
  return publicEvent(projectId, alertId, name, at, data)
}

const handledNames = {
  Acknowledge: "acknowledged",
  Unacknowledge: "unacknowledged",
  Snooze: "snoozed"
} as const satisfies Record<Act["_tag"], Subjects.AlertEventName>

/** The public events of what somebody did with an alert, one for each of its history entries; or of an acknowledgement that ran out. */
export const handledEvents = (
  { entries, monitorId, projectId, ruleId, severity, trigger }: Alert,
  act: Act,
  by: AlertActor,
  at: EpochMillis,
  ranOut = false
): ReadonlyArray<PublicEvent> =>
  entries.map(({ channelId, id: alertId }) => {
    const data: typeof AlertHandled.Encoded = {
      alertId,
      projectId,
      ruleId,
      monitorId,
      channelId,
      trigger,
      severity,
      at: toIso(at),
      by,
      ...(ranOut ? { ranOut } : {}),
      note: act._tag === "Acknowledge" ? act.note : null,
      until: act._tag === "Snooze" ? toIso(act.until) : null
    }
    return publicEvent(projectId, alertId, handledNames[act._tag], at, data)
  })

const publicEvent = (
  projectId: ProjectId,
  alertId: AlertId,
  name: Subjects.AlertEventName,
  at: EpochMillis,
  data: object
): PublicEvent => {
  const id = `${alertId}:${name}:${at}`
  return {
    id,
    subject: Subjects.alertEvent(projectId, alertId, name),
    headers: cloudEventHeaders({ id, type: `kanmon.alert.${name}`, subject: alertId, time: at }),
    payload: JSON.stringify(data)
  }
}
