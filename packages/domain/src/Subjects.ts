/**
 * Names on the bus. The subjects are a public contract; consumers filter them with wildcards.
 *
 * `kanmon.checks.<partition>.<region>.<projectId>.<monitorId>` carries every observation;
 * `kanmon.events.<projectId>.monitor.<monitorId>.<event>`, `….alert.<alertId>.<event>`, `….incident.<incidentId>.<event>`
 * `….page.<statusPageId>.<event>`, `….escalation.<alertId>.<event>`, `….drill.<drillId>.<event>` and `….operation.<operationId>.<event>` carry a project's
 * events; `kanmon.events.<organizationId>.on-call.<scheduleId>.<event>` carries those of an organization's on-call schedules; `kanmon.events.operator.probe.<region>.<probeId>.<event>`
 * carries the operator's events about a probe.
 *
 * `kanmon.rpc.<region>.<probeId>` is not public: the API sends requests to a probe there, and nothing is stored.
 */
import type {
  AlertId,
  AlertRecordId,
  AuditId,
  DrillId,
  IncidentId,
  MonitorId,
  OperationId,
  OrganizationId,
  ProjectId,
  ScheduleId,
  StatusPageId
} from "./Ids.ts"
import { hash } from "./Slots.ts"

/** Number of partitions that observations are divided into. It never changes because it is part of every subject. */
export const partitions = 64

export const partitionOf = (monitorId: MonitorId): number => hash(monitorId) % partitions

/** All observations, kept for 24 hours. */
export const checksStream = { name: "KANMON_CHECKS", subjects: ["kanmon.checks.>"], maxAgeMillis: 86_400_000 } as const

/** All public events, kept for 30 days. */
export const eventsStream = {
  name: "KANMON_EVENTS",
  subjects: ["kanmon.events.>"],
  maxAgeMillis: 30 * 86_400_000
} as const

export const check = (observation: {
  readonly region: string
  readonly projectId: ProjectId
  readonly monitorId: MonitorId
}): string =>
  `kanmon.checks.${partitionOf(observation.monitorId)}.${observation.region}.${observation.projectId}.${observation.monitorId}`

/** Parses the subject of an observation; undefined when it is not one. */
export const readCheck = (
  subject: string
):
  | { readonly partition: number; readonly region: string; readonly projectId: string; readonly monitorId: string }
  | undefined => {
  const [root, kind, partition, region, projectId, monitorId, ...more] = subject.split(".")
  if (root !== "kanmon" || kind !== "checks" || more.length > 0) return undefined
  if (region === undefined || projectId === undefined || monitorId === undefined) return undefined
  return { partition: Number(partition), region, projectId, monitorId }
}

/**
 * The pattern that covers subjects like this one: ids become wildcards. It contains no project or monitor id, so anyone may
 * see it.
 */
export const familyOf = (subject: string): string => {
  const [root, kind, , fourth] = subject.split(".")
  return kind === "checks" || kind === "events" ? `${root}.${kind}.*.${fourth}.>` : `${root}.>`
}

/** The subjects of all observations of a partition. */
export const checksOf = (partition: number): string => `kanmon.checks.${partition}.>`

/** Events of a monitor. */
export type MonitorEventName =
  "created" | "updated" | "deleted" | "paused" | "resumed" | "up" | "down" | "degraded" | "stale" | "fresh"

export const monitorEvent = (projectId: ProjectId, monitorId: MonitorId, event: MonitorEventName): string =>
  `kanmon.events.${projectId}.monitor.${monitorId}.${event}`

/** Events of an alert history entry. */
export type AlertEventName =
  "triggered" | "resolved" | "delivered" | "failed" | "acknowledged" | "unacknowledged" | "snoozed"

export const alertEvent = (projectId: ProjectId, alertId: AlertId, event: AlertEventName): string =>
  `kanmon.events.${projectId}.alert.${alertId}.${event}`

/** The same of an alert of an integration, which has no monitor. */
export const externalAlertEvent = (projectId: ProjectId, alertId: AlertId, event: AlertEventName): string =>
  `kanmon.events.${projectId}.external-alert.${alertId}.${event}`

/** Events of the escalation of an alert. */
export type EscalationEventName = "changed" | "paged" | "settled"

export const escalationEvent = (projectId: ProjectId, alertId: AlertRecordId, event: EscalationEventName): string =>
  `kanmon.events.${projectId}.escalation.${alertId}.${event}`

/** The same of an alert of an integration. */
export const externalEscalationEvent = (
  projectId: ProjectId,
  alertId: AlertRecordId,
  event: EscalationEventName
): string => `kanmon.events.${projectId}.external-escalation.${alertId}.${event}`

/** Events of an incident or a maintenance window. */
export type IncidentEventName = "opened" | "updated" | "resolved" | "deleted"

export const incidentEvent = (projectId: ProjectId, incidentId: IncidentId, event: IncidentEventName): string =>
  `kanmon.events.${projectId}.incident.${incidentId}.${event}`

/** Events of a drill. */
export type DrillEventName = "started" | "ended"

export const drillEvent = (projectId: ProjectId, drillId: DrillId, event: DrillEventName): string =>
  `kanmon.events.${projectId}.drill.${drillId}.${event}`

/** Events of an operation: long work on many monitors. */
export type OperationEventName = "changed"

export const operationEvent = (projectId: ProjectId, operationId: OperationId, event: OperationEventName): string =>
  `kanmon.events.${projectId}.operation.${operationId}.${event}`

/** Events of a status page. */
export type PageEventName = "created" | "updated" | "deleted"

export const pageEvent = (projectId: ProjectId, pageId: StatusPageId, event: PageEventName): string =>
  `kanmon.events.${projectId}.page.${pageId}.${event}`

/** Events of an audit log entry. */
export type AuditEventName = "recorded"

export const auditEvent = (projectId: ProjectId, auditId: AuditId, event: AuditEventName): string =>
  `kanmon.events.${projectId}.audit.${auditId}.${event}`

/** Events of an on-call schedule. */
export type OnCallEventName = "changed"

export const onCallEvent = (organizationId: OrganizationId, scheduleId: ScheduleId, event: OnCallEventName): string =>
  `kanmon.events.${organizationId}.on-call.${scheduleId}.${event}`

/** Events of a probe, for the operator: it lost its network connection, or recovered it. */
export type ProbeEventName = "offline" | "online"

export const probeEvent = (region: string, probeId: string, event: ProbeEventName): string =>
  `kanmon.events.operator.probe.${region}.${probeId}.${event}`

/** The bucket with the monitors of a region's probes; key = monitor id, value = `MonitorSpec`. */
export const specBucket = (region: string): string => `kanmon_monitors_${region}`

/** The bucket in which probes register; key = `<region>.<probeId>`. */
export const probeBucket = "kanmon_probes"

/**
 * The bucket in which processes compare their clock with the bus's; key = `<region>.<id>` for a probe, `control-plane.<id>`
 * otherwise.
 */
export const clockBucket = "kanmon_clock"

/** The subject on which a probe answers requests. */
export const probeCalls = (region: string, probeId: string): string => `kanmon.rpc.${region}.${probeId}`

/** The bucket in which stream consumers store their positions; key = `<stream>.<consumer>`. */
export const positionBucket = "kanmon_positions"
