/**
 * Public events, as CloudEvents 1.0 in NATS binary mode: the attributes are `ce-*` headers, the body is the data as JSON.
 * @see https://github.com/cloudevents/spec/blob/main/cloudevents/bindings/nats-protocol-binding.md
 */
import { Schema, Struct } from "effect"
import { AlertActor, PersonKind } from "./Alert.ts"
import { Trigger } from "./AlertRule.ts"
import { PageCause, PageOutcome, placeInPolicy } from "./AlertTimeline.ts"
import { Severity } from "./Severity.ts"
import { Actor } from "./Actor.ts"
import {
  AlertId,
  AlertRecordId,
  AuditId,
  ChannelId,
  DrillId,
  EscalationPolicyId,
  IncidentId,
  IntegrationId,
  MonitorId,
  OperationId,
  OrganizationId,
  ProjectId,
  RuleId,
  ScheduleId,
  StatusPageId,
  UserId
} from "./Ids.ts"
import { IncidentStatus, MaintenancePhase } from "./Incident.ts"
import { Failure } from "./Observation.ts"
import { OperationAction, OperationStatus } from "./Operation.ts"
import { Region } from "./Region.ts"
import { MonitorStatus, TimelineStatus } from "./Status.ts"
import { Tags } from "./Tag.ts"
import { type EpochMillis, Timestamp, toIso } from "./Timestamp.ts"

const type = Schema.String.annotate({ description: "The type of the monitor, for example http" })

/** Data of `monitor.up`, `monitor.down` and `monitor.degraded`. */
export const MonitorStatusChanged = Schema.Struct({
  monitorId: MonitorId,
  projectId: ProjectId,
  name: Schema.String,
  type,
  status: MonitorStatus.annotate({ description: "The new status" }),
  previousStatus: TimelineStatus.annotate({ description: "The status before" }),
  at: Timestamp.annotate({
    description:
      "Since when the status holds. An outage begins when its first failing check was sent, and ends when the first passing answer arrived"
  }),
  failure: Schema.NullOr(Failure).annotate({ description: "Why the newest check did not pass; null when it passed" })
})
export type MonitorStatusChanged = typeof MonitorStatusChanged.Type

/** Data of `monitor.created`, `updated`, `deleted`, `paused`, `resumed`, `stale` and `fresh`. */
export const MonitorChanged = Schema.Struct({
  monitorId: MonitorId,
  projectId: ProjectId,
  name: Schema.String,
  type,
  at: Timestamp
})
export type MonitorChanged = typeof MonitorChanged.Type

/** Who handled an alert of a monitor. */
const by = Schema.Struct({ ...AlertActor.fields, kind: PersonKind })

const source = Schema.Struct({ integrationId: IntegrationId, key: Schema.String }).annotate({
  description: "The integration behind the alert, and what identifies the alert there"
})

/** Data of `alert.triggered`, `resolved`, `delivered` and `failed`. */
export const AlertChanged = Schema.Struct({
  alertId: AlertId,
  projectId: ProjectId,
  ruleId: RuleId,
  monitorId: MonitorId,
  channelId: Schema.NullOr(ChannelId).annotate({ description: "Null when the rule had no channel" }),
  trigger: Trigger.annotate({ description: "The subject of the alert. More values may be added" }),
  severity: Schema.optionalKey(
    Severity.annotate({ description: "How urgent the alert is. Absent from events of earlier versions" })
  ),
  at: Timestamp,
  detail: Schema.String.annotate({ description: "The failure, or the destination's response" })
})
export type AlertChanged = typeof AlertChanged.Type

/** Data of `alert.acknowledged`, `unacknowledged` and `snoozed`. */
export const AlertHandled = Schema.Struct({
  alertId: AlertId,
  projectId: ProjectId,
  ruleId: RuleId,
  monitorId: MonitorId,
  channelId: Schema.NullOr(ChannelId).annotate({ description: "Null when the rule had no channel" }),
  trigger: Trigger.annotate({ description: "The subject of the alert. More values may be added" }),
  severity: Schema.optionalKey(
    Severity.annotate({ description: "How urgent the alert is. Absent from events of earlier versions" })
  ),
  at: Timestamp,
  by: by.annotate({ description: "The actor; the person behind the acknowledgement, if it expired" }),
  ranOut: Schema.optionalKey(Schema.Boolean).annotate({
    description:
      "True when an acknowledgement ended because its escalation policy keeps none for longer; otherwise absent"
  }),
  note: Schema.NullOr(Schema.String).annotate({ description: "Text of the acknowledgement; null without one" }),
  until: Schema.NullOr(Timestamp).annotate({ description: "End of the snooze; null for other events" })
})
export type AlertHandled = typeof AlertHandled.Type

/** Changes of the escalation of an alert, besides its pages and the events `alert.*`. */
export const escalationChanges = [
  "step_ran",
  "nobody_reached",
  "exhausted",
  "held",
  "released",
  "acknowledgement_ended",
  "escalated",
  "asked"
] as const

const escalating = {
  alertId: AlertRecordId,
  projectId: ProjectId,
  ruleId: RuleId,
  monitorId: MonitorId,
  severity: Severity,
  at: Timestamp,
  ...placeInPolicy
}

/** Data of `escalation.changed`. */
export const EscalationChanged = Schema.Struct({
  ...escalating,
  change: Schema.Literals(escalationChanges).annotate({ description: "Kind of change. More values may be added" }),
  by: Schema.NullOr(by).annotate({ description: "The person, key or link behind it; null without one" })
})
export type EscalationChanged = typeof EscalationChanged.Type

/** Data of `escalation.paged` and `escalation.settled`. */
export const AlertPaged = Schema.Struct({
  ...escalating,
  pageId: Schema.String,
  cause: PageCause,
  userId: Schema.NullOr(UserId).annotate({ description: "The person; null for a channel" }),
  channelId: Schema.NullOr(ChannelId).annotate({ description: "The channel; null for a person" }),
  outcome: PageOutcome.annotate({
    description:
      "`pending` when it is paged; then `reached`: the provider accepted it, `failed`: not delivered, for good, or `dropped`: taken back before it was sent"
  }),
  detail: Schema.NullOr(Schema.String).annotate({ description: "The provider's answer, or why nothing was sent" })
})
export type AlertPaged = typeof AlertPaged.Type

/** Data of `external-alert.triggered`, `resolved`, `delivered` and `failed`. */
export const ExternalAlertChanged = Schema.Struct({ ...Struct.omit(AlertChanged.fields, ["monitorId"]), source })
export type ExternalAlertChanged = typeof ExternalAlertChanged.Type

/** Data of `external-alert.acknowledged`, `unacknowledged` and `snoozed`. */
export const ExternalAlertHandled = Schema.Struct({
  ...Struct.omit(AlertHandled.fields, ["by", "monitorId"]),
  source,
  by: AlertActor.annotate({
    description:
      "The actor; the person behind the acknowledgement, if it expired. An integration takes an acknowledgement back whose alert became more urgent"
  })
})
export type ExternalAlertHandled = typeof ExternalAlertHandled.Type

/** Data of `external-escalation.changed`. */
export const ExternalEscalationChanged = Schema.Struct({
  ...Struct.omit(EscalationChanged.fields, ["by", "monitorId"]),
  source,
  by: Schema.NullOr(AlertActor).annotate({ description: "The person, key or link behind it; null without one" })
})
export type ExternalEscalationChanged = typeof ExternalEscalationChanged.Type

/** Data of `external-escalation.paged` and `external-escalation.settled`. */
export const ExternalAlertPaged = Schema.Struct({ ...Struct.omit(AlertPaged.fields, ["monitorId"]), source })
export type ExternalAlertPaged = typeof ExternalAlertPaged.Type

/** Data of `incident.opened`, `updated`, `resolved` and `deleted`. */
export const IncidentChanged = Schema.Struct({
  incidentId: IncidentId,
  projectId: ProjectId,
  title: Schema.String,
  status: IncidentStatus.annotate({ description: "The progress of the incident" }),
  monitorIds: Schema.Array(MonitorId).annotate({ description: "Affected monitors" }),
  tags: Schema.optionalKey(Tags).annotate({
    description: "The monitors that carry any of these tags are affected too"
  }),
  maintenance: Schema.Boolean,
  phase: Schema.NullOr(MaintenancePhase).annotate({
    description: "The phase of a maintenance window; null for an incident"
  }),
  scheduledStart: Schema.NullOr(Timestamp),
  scheduledEnd: Schema.NullOr(Timestamp),
  message: Schema.String.annotate({ description: "The new entry of the timeline; empty when there is none" }),
  at: Timestamp
})
export type IncidentChanged = typeof IncidentChanged.Type

/** Data of `drill.started` and `drill.ended`. */
export const DrillChanged = Schema.Struct({
  drillId: DrillId,
  projectId: ProjectId,
  policyId: Schema.NullOr(EscalationPolicyId),
  ruleId: Schema.NullOr(RuleId),
  monitorId: Schema.NullOr(MonitorId),
  status: Schema.Literals(["running", "acknowledged", "exhausted", "stopped", "skipped"]).annotate({
    description: "`running` when it starts; then how it ended. More values may be added"
  }),
  at: Timestamp,
  detail: Schema.NullOr(Schema.String).annotate({ description: "Why it was skipped or stopped; otherwise null" }),
  by: Schema.NullOr(AlertActor).annotate({ description: "Who acknowledged it; otherwise null" })
})
export type DrillChanged = typeof DrillChanged.Type

/** Data of `operation.changed`. */
export const OperationChanged = Schema.Struct({
  operationId: OperationId,
  projectId: ProjectId,
  action: OperationAction,
  status: OperationStatus,
  total: Schema.Int,
  done: Schema.Int,
  failed: Schema.Int,
  at: Timestamp
})
export type OperationChanged = typeof OperationChanged.Type

/** Data of `page.created`, `updated` and `deleted`. */
export const PageChanged = Schema.Struct({
  pageId: StatusPageId,
  projectId: ProjectId,
  slug: Schema.String,
  customDomain: Schema.NullOr(Schema.String).annotate({ description: "Null when the page has no custom domain" }),
  at: Timestamp
})
export type PageChanged = typeof PageChanged.Type

/** Data of `audit.recorded`. */
export const AuditRecorded = Schema.Struct({
  auditId: AuditId,
  projectId: ProjectId,
  actor: Actor.annotate({ description: "The actor of the change" }),
  action: Schema.String.annotate({ description: "The action, such as `monitor.updated`. More values may be added" }),
  target: Schema.Struct({ kind: Schema.String, id: Schema.String, name: Schema.String }).annotate({
    description: "The changed record. `GET /audit-log` has the fields before and after"
  }),
  at: Timestamp
})
export type AuditRecorded = typeof AuditRecorded.Type

/** Data of `on-call.changed`. */
export const OnCallChanged = Schema.Struct({
  scheduleId: ScheduleId,
  organizationId: OrganizationId,
  scheduleName: Schema.String,
  userId: Schema.NullOr(UserId).annotate({ description: "The person on call from now on; null: no one" }),
  previousUserId: Schema.NullOr(UserId).annotate({ description: "The person on call until now; null: no one" }),
  at: Timestamp.annotate({ description: "When the handoff happened" })
})
export type OnCallChanged = typeof OnCallChanged.Type

/** Data of `probe.offline` and `probe.online`. */
export const ProbeChanged = Schema.Struct({ probeId: Schema.String, region: Region, at: Timestamp })
export type ProbeChanged = typeof ProbeChanged.Type

/** The CloudEvents attributes of one event, as headers. */
export const cloudEventHeaders = (event: {
  readonly id: string
  /** For example `kanmon.monitor.down`. */
  readonly type: string
  readonly subject: string
  readonly time: EpochMillis
}): Record<string, string> => ({
  "ce-specversion": "1.0",
  "ce-id": event.id,
  "ce-source": "/kanmon",
  "ce-type": event.type,
  "ce-subject": event.subject,
  "ce-time": toIso(event.time),
  "content-type": "application/json"
})
