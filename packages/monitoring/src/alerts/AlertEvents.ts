/** The public events of alerts. Pure. */
import type { AlertRule, Trigger } from "@kanmon/domain/AlertRule"
import { AlertId, type MonitorId, type ProjectId } from "@kanmon/domain/Ids"
import type { Alert, AlertActor, AlertSource } from "@kanmon/domain/Alert"
import type { Act } from "@kanmon/domain/AlertHandling"
import { type AlertChanged, cloudEventHeaders, type ExternalAlertChanged } from "@kanmon/domain/ServiceEvent"
import type { Severity } from "@kanmon/domain/Severity"
import * as Subjects from "@kanmon/domain/Subjects"
import { type EpochMillis, toIso } from "@kanmon/domain/Timestamp"
import type { PublicEvent } from "@kanmon/domain/PublicEvent"
import type { AlertEntry } from "./AlertRecords.ts"

/** The data of an alert's events. */
interface EventSubject {
  readonly projectId: ProjectId
  readonly ruleId: AlertRule["id"]
  readonly monitorId: MonitorId | null
  readonly source: Pick<AlertSource, "integrationId" | "key"> | null
  readonly trigger: Trigger
  readonly severity: Severity
}

type Origin = Pick<EventSubject, "monitorId" | "source">

/** The data with the origin of the alert: its monitor, or its integration with what identifies it there. */
const withOrigin = <Data extends object>(data: Data, { monitorId, source }: Origin) =>
  source === null
    ? { ...data, monitorId: monitorId! }
    : { ...data, source: { integrationId: source.integrationId, key: source.key } }

/** Who acted. Integrations act on their own alerts alone. */
const person = ({ kind, name }: AlertActor) => ({ kind: kind === "integration" ? ("key" as const) : kind, name })

/** The public event of one history entry. */
export const alertEvent = (
  subject: EventSubject,
  entry: Pick<AlertEntry, "id" | "channelId">,
  name: Subjects.AlertEventName,
  at: EpochMillis,
  detail: string
): PublicEvent => {
  const { projectId, ruleId, severity, trigger } = subject
  const alertId = AlertId.make(entry.id)
  const common = {
    alertId,
    projectId,
    ruleId,
    channelId: entry.channelId,
    trigger,
    severity,
    at: toIso(at),
    detail
  }
  const data: typeof AlertChanged.Encoded | typeof ExternalAlertChanged.Encoded = withOrigin(common, subject)
  return publicEvent(subject, alertId, name, at, data)
}

const handledNames = {
  Acknowledge: "acknowledged",
  Unacknowledge: "unacknowledged",
  Snooze: "snoozed"
} as const satisfies Record<Act["_tag"], Subjects.AlertEventName>

/**
 * The public events of what somebody did with an alert, one for each of its history entries; or of an acknowledgement that ran out.
 * An alert of a drill has none.
 */
export const handledEvents = (
  alert: Alert,
  act: Act,
  by: AlertActor,
  at: EpochMillis,
  ranOut = false
): ReadonlyArray<PublicEvent> => {
  const { drillId, projectId, ruleId, severity, source, trigger } = alert
  if (drillId !== null || ruleId === null) return []
  return alert.entries.map(({ channelId, id: alertId }) => {
    const common = {
      alertId,
      projectId,
      ruleId,
      channelId,
      trigger,
      severity,
      at: toIso(at),
      by: source === null ? person(by) : by,
      ...(ranOut ? { ranOut } : {}),
      note: act._tag === "Acknowledge" ? act.note : null,
      until: act._tag === "Snooze" ? toIso(act.until) : null
    }
    const data = withOrigin(common, alert)
    return publicEvent(alert, alertId, handledNames[act._tag], at, data)
  })
}

const publicEvent = (
  { projectId, source }: Pick<EventSubject, "projectId" | "source">,
  alertId: AlertId,
  name: Subjects.AlertEventName,
  at: EpochMillis,
  data: object
): PublicEvent => {
  const id = `${alertId}:${name}:${at}`
  const [noun, subjectOf] =
    source === null
      ? (["alert", Subjects.alertEvent] as const)
      : (["external-alert", Subjects.externalAlertEvent] as const)
  return {
    id,
    subject: subjectOf(projectId, alertId, name),
    headers: cloudEventHeaders({ id, type: `kanmon.${noun}.${name}`, subject: alertId, time: at }),
    payload: JSON.stringify(data)
  }
}
