/**
 * Every published message: its subject, its data and its retention. The AsyncAPI document and the HTTP list of event types
 * are generated from it.
 */
import * as Examples from "./EventExamples.ts"
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
import { Observation } from "./Observation.ts"
import {
  AlertChanged,
  AlertHandled,
  AlertPaged,
  AuditRecorded,
  DrillChanged,
  EscalationChanged,
  ExternalAlertChanged,
  ExternalAlertHandled,
  ExternalAlertPaged,
  ExternalEscalationChanged,
  IncidentChanged,
  MonitorChanged,
  MonitorStatusChanged,
  OnCallChanged,
  OperationChanged,
  PageChanged,
  ProbeChanged
} from "./ServiceEvent.ts"
import * as Subjects from "./Subjects.ts"

/** The data schemas of all events, by their published names. */
export const dataSchemas = {
  AlertChanged,
  AlertHandled,
  AlertPaged,
  AuditRecorded,
  DrillChanged,
  EscalationChanged,
  ExternalAlertChanged,
  ExternalAlertHandled,
  ExternalAlertPaged,
  ExternalEscalationChanged,
  IncidentChanged,
  MonitorChanged,
  MonitorStatusChanged,
  Observation,
  OnCallChanged,
  OperationChanged,
  PageChanged,
  ProbeChanged
} as const
export type DataName = keyof typeof dataSchemas

/** Fields with a growing set of values: consumers must accept unknown values. All other enumerations are closed. */
export const growing: Readonly<Partial<Record<DataName, ReadonlyArray<string>>>> = {
  AlertChanged: ["trigger"],
  AlertHandled: ["trigger"],
  DrillChanged: ["status"],
  EscalationChanged: ["change"],
  ExternalAlertChanged: ["trigger"],
  ExternalAlertHandled: ["trigger"],
  ExternalEscalationChanged: ["change"]
}

/** One type of message. */
export interface PublicEvent {
  /** The last segment of its type and of its subject. */
  readonly name: string
  /** For example `kanmon.monitor.down`. */
  readonly type: string
  readonly summary: string
  readonly data: DataName
  /** The data in its encoded form. */
  readonly example: Example
}

/** Messages about one kind of resource; their subjects have the same shape. */
export interface Topic {
  readonly name: string
  readonly summary: string
  /** The subject, with its parameters in braces. */
  readonly address: string
  /** Descriptions of the parameters; `event` is the name of the event. */
  readonly parameters: Readonly<Record<string, string>>
  /** The parameter that becomes the CloudEvents attribute `subject`. */
  readonly about: string
  readonly stream: typeof Subjects.checksStream | typeof Subjects.eventsStream
  /** Whether a project also receives these events over HTTP. */
  readonly overHttp: boolean
  readonly events: ReadonlyArray<PublicEvent>
}

type Example = Readonly<Record<string, unknown>>
type Described = readonly [summary: string, data: DataName, example: Example]

/** Typed so that a missing event does not compile. */
const events = <Name extends string>(noun: string, all: Readonly<Record<Name, Described>>): Topic["events"] =>
  Object.entries<Described>(all).map(([name, [summary, data, example]]) => ({
    name,
    type: `kanmon.${noun}.${name}`,
    summary,
    data,
    example
  }))

/** A placeholder for an id or another segment of a subject. */
const parameter = <Word extends string>(name: string): Word => `{${name}}` as Word

const project = parameter<ProjectId>("projectId")
const monitor = parameter<MonitorId>("monitorId")

const words = {
  event: "The name of the event",
  projectId: "The project, `prj_…`",
  monitorId: "The monitor, `mon_…`",
  region: "The region, such as `eu-west`"
}

/** What the events of alerts of monitors and of those of integrations do not have in common. */
interface AlertKind<Subject> extends Pick<Topic, "name" | "summary"> {
  readonly subjectOf: Subject
  readonly changed: readonly [data: DataName, example: Example]
}

interface EntryKind extends AlertKind<typeof Subjects.alertEvent> {
  readonly handled: readonly [data: DataName, example: Example]
  /** The summary of `unacknowledged`. */
  readonly takenBack: string
}

/** Events of alert history entries. */
const alertTopic = ({ changed, handled, name, subjectOf, summary, takenBack }: EntryKind): Topic => {
  const [data, example] = changed
  const [handledData, handledExample] = handled
  return {
    name,
    summary,
    address: subjectOf(project, parameter<AlertId>("alertId"), parameter("event")),
    parameters: { projectId: words.projectId, alertId: "The entry, `alr_…`", event: words.event },
    about: "alertId",
    stream: Subjects.eventsStream,
    overHttp: true,
    events: events<Subjects.AlertEventName>(name, {
      triggered: ["An alert was opened", data, example],
      resolved: ["An alert was resolved", data, example],
      delivered: ["A notification was delivered to a channel", data, { ...example, detail: "200 OK" }],
      failed: [
        "A notification could not be delivered to a channel",
        data,
        { ...example, detail: "It answered 410 Gone" }
      ],
      acknowledged: [
        "An alert was acknowledged: no more reminders are sent",
        handledData,
        { ...handledExample, note: "The disk is full; I am on it" }
      ],
      unacknowledged: [takenBack, handledData, handledExample],
      snoozed: [
        "An alert was snoozed: no reminders are sent until then",
        handledData,
        { ...handledExample, until: "2026-11-20T10:30:00.000Z" }
      ]
    })
  }
}

interface EscalationKind extends AlertKind<typeof Subjects.escalationEvent> {
  readonly paged: readonly [data: DataName, example: Example]
}

/** Events of escalations. */
const escalationTopic = ({ changed, name, paged, subjectOf, summary }: EscalationKind): Topic => {
  const [data, example] = paged
  return {
    name,
    summary,
    address: subjectOf(project, parameter<AlertRecordId>("alertId"), parameter("event")),
    parameters: { projectId: words.projectId, alertId: "The alert, `alt_…`", event: words.event },
    about: "alertId",
    stream: Subjects.eventsStream,
    overHttp: true,
    events: events<Subjects.EscalationEventName>(name, {
      changed: ["A step ran, or the escalation was exhausted, held, released, or pushed on by somebody", ...changed],
      paged: ["A person or a channel is paged", data, example],
      settled: [
        "A page reached its target, failed for good, or was taken back",
        data,
        { ...example, outcome: "reached", detail: "250 Ok" }
      ]
    })
  }
}

export const topics: ReadonlyArray<Topic> = [
  {
    name: "check",
    summary: "Every observation of every monitor",
    // The partition is computed from the id of the monitor, which is a parameter here.
    address: Subjects.check({ region: parameter("region"), projectId: project, monitorId: monitor }).replace(
      /\.\d+\./,
      ".{partition}."
    ),
    parameters: {
      partition: `A number from 0 to ${Subjects.partitions - 1}; it is always the same for a monitor`,
      region: words.region,
      projectId: words.projectId,
      monitorId: words.monitorId
    },
    about: "monitorId",
    stream: Subjects.checksStream,
    overHttp: false,
    events: events<"observed">("check", {
      observed: ["A check was made; the data is its result", "Observation", Examples.observation]
    })
  },
  {
    name: "monitor",
    summary: "Events of monitors",
    address: Subjects.monitorEvent(project, monitor, parameter("event")),
    parameters: { projectId: words.projectId, monitorId: words.monitorId, event: words.event },
    about: "monitorId",
    stream: Subjects.eventsStream,
    overHttp: true,
    events: events<Subjects.MonitorEventName>("monitor", {
      created: ["A monitor was created", "MonitorChanged", Examples.monitor],
      updated: ["A monitor was changed", "MonitorChanged", Examples.monitor],
      deleted: ["A monitor was deleted", "MonitorChanged", Examples.monitor],
      paused: ["A monitor was paused", "MonitorChanged", Examples.monitor],
      resumed: ["A monitor was resumed", "MonitorChanged", Examples.monitor],
      up: ["A monitor is up, for the first time or again", "MonitorStatusChanged", Examples.monitorUp],
      down: ["A monitor is down", "MonitorStatusChanged", Examples.monitorDown],
      degraded: ["A monitor is degraded", "MonitorStatusChanged", Examples.monitorDegraded],
      stale: ["A monitor became stale: a result is overdue", "MonitorChanged", Examples.monitor],
      fresh: ["A stale monitor has results again", "MonitorChanged", Examples.monitor]
    })
  },
  alertTopic({
    name: "alert",
    summary: "Events of alert history entries. An entry is one alert on one channel",
    subjectOf: Subjects.alertEvent,
    changed: ["AlertChanged", Examples.alert],
    handled: ["AlertHandled", Examples.handledAlert],
    takenBack: "The acknowledgement or the snooze of an alert was taken back"
  }),
  escalationTopic({
    name: "escalation",
    summary: "Events of the escalations of alerts: steps, and pages to people and channels",
    subjectOf: Subjects.escalationEvent,
    changed: ["EscalationChanged", Examples.escalation],
    paged: ["AlertPaged", Examples.paged]
  }),
  alertTopic({
    name: "external-alert",
    summary: "Events of alert history entries about alerts of integrations, as those of `alert` are about monitors",
    subjectOf: Subjects.externalAlertEvent,
    changed: ["ExternalAlertChanged", Examples.externalAlert],
    handled: ["ExternalAlertHandled", Examples.handledExternalAlert],
    takenBack:
      "The acknowledgement or the snooze of an alert was taken back, by somebody or because the alert became more urgent"
  }),
  escalationTopic({
    name: "external-escalation",
    summary: "Events of the escalations of alerts of integrations, as those of `escalation` are about monitors",
    subjectOf: Subjects.externalEscalationEvent,
    changed: ["ExternalEscalationChanged", Examples.externalEscalation],
    paged: ["ExternalAlertPaged", Examples.pagedExternal]
  }),
  {
    name: "incident",
    summary: "Events of incidents and maintenance windows",
    address: Subjects.incidentEvent(project, parameter<IncidentId>("incidentId"), parameter("event")),
    parameters: { projectId: words.projectId, incidentId: "The incident, `inc_…`", event: words.event },
    about: "incidentId",
    stream: Subjects.eventsStream,
    overHttp: true,
    events: events<Subjects.IncidentEventName>("incident", {
      opened: ["An incident was opened, or a maintenance window was scheduled", "IncidentChanged", Examples.incident],
      updated: [
        "An incident was changed, or its timeline got an entry",
        "IncidentChanged",
        { ...Examples.incident, status: "identified" }
      ],
      resolved: ["An incident was resolved", "IncidentChanged", { ...Examples.incident, status: "resolved" }],
      deleted: ["An incident was deleted", "IncidentChanged", { ...Examples.incident, message: "" }]
    })
  },
  {
    name: "drill",
    summary: "Events of drills: alerts for practice, which cause no other events",
    address: Subjects.drillEvent(project, parameter<DrillId>("drillId"), parameter("event")),
    parameters: { projectId: words.projectId, drillId: "The drill, `drl_…`", event: words.event },
    about: "drillId",
    stream: Subjects.eventsStream,
    overHttp: true,
    events: events<Subjects.DrillEventName>("drill", {
      started: ["A drill began: people are paged", "DrillChanged", Examples.drill],
      ended: [
        "A drill ended, or did not begin",
        "DrillChanged",
        { ...Examples.drill, status: "acknowledged", by: { kind: "user", name: "Ada" } }
      ]
    })
  },
  {
    name: "operation",
    summary: "Events of operations on many monitors",
    address: Subjects.operationEvent(project, parameter<OperationId>("operationId"), parameter("event")),
    parameters: { projectId: words.projectId, operationId: "The operation, `op_…`", event: words.event },
    about: "operationId",
    stream: Subjects.eventsStream,
    overHttp: true,
    events: events<Subjects.OperationEventName>("operation", {
      changed: ["An operation began, got further, or ended", "OperationChanged", Examples.operation]
    })
  },
  {
    name: "page",
    summary: "Events of status pages",
    address: Subjects.pageEvent(project, parameter<StatusPageId>("pageId"), parameter("event")),
    parameters: { projectId: words.projectId, pageId: "The status page, `sp_…`", event: words.event },
    about: "pageId",
    stream: Subjects.eventsStream,
    overHttp: true,
    events: events<Subjects.PageEventName>("page", {
      created: ["A status page was created", "PageChanged", Examples.page],
      updated: ["A status page was changed", "PageChanged", Examples.page],
      deleted: ["A status page was deleted", "PageChanged", Examples.page]
    })
  },
  {
    name: "audit",
    summary: "Events of the audit log. Over HTTP, only admins get them, and only if `types` names them",
    address: Subjects.auditEvent(project, parameter<AuditId>("auditId"), parameter("event")),
    parameters: { projectId: words.projectId, auditId: "The entry, `aud_…`", event: words.event },
    about: "auditId",
    stream: Subjects.eventsStream,
    overHttp: true,
    events: events<Subjects.AuditEventName>("audit", {
      recorded: ["A change was recorded in the audit log", "AuditRecorded", Examples.audit]
    })
  },
  {
    name: "on-call",
    summary: "Events of on-call schedules. They belong to an organization",
    address: Subjects.onCallEvent(
      parameter<OrganizationId>("organizationId"),
      parameter<ScheduleId>("scheduleId"),
      parameter("event")
    ),
    parameters: {
      organizationId: "The organization, `org_…`",
      scheduleId: "The schedule, `sch_…`",
      event: words.event
    },
    about: "scheduleId",
    stream: Subjects.eventsStream,
    overHttp: false,
    events: events<Subjects.OnCallEventName>("on-call", {
      changed: ["Somebody else is on call, or no one", "OnCallChanged", Examples.onCall]
    })
  },
  {
    name: "probe",
    summary: "Events of probes, for the operator",
    address: Subjects.probeEvent(parameter("region"), parameter("probeId"), parameter("event")),
    parameters: { region: words.region, probeId: "The probe", event: words.event },
    about: "probeId",
    stream: Subjects.eventsStream,
    overHttp: false,
    events: events<Subjects.ProbeEventName>("probe", {
      offline: [
        "A probe lost its network connection: failed checks are reported as unknown until it recovers",
        "ProbeChanged",
        Examples.probe
      ],
      online: [
        "A probe is no longer offline: a target or reference target answered, or two minutes passed and failed checks count again",
        "ProbeChanged",
        Examples.probe
      ]
    })
  }
]
