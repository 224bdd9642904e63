/**
 * Every message that is published for others to read: where it is sent to, what it says, and for how long it is kept. The
 * AsyncAPI document and the list of types over HTTP are made of it.
 */
import * as Examples from "./EventExamples.ts"
import type { AlertId, IncidentId, MonitorId, ProjectId, StatusPageId } from "./Ids.ts"
import { Observation } from "./Observation.ts"
import {
  AlertChanged,
  IncidentChanged,
  MonitorChanged,
  MonitorStatusChanged,
  PageChanged,
  ProbeChanged
} from "./ServiceEvent.ts"
import * as Subjects from "./Subjects.ts"

/** The data of all events, by the names under which they are published. */
export const dataSchemas = {
  AlertChanged,
  IncidentChanged,
  MonitorChanged,
  MonitorStatusChanged,
  Observation,
  PageChanged,
  ProbeChanged
} as const
export type DataName = keyof typeof dataSchemas

/**
 * Fields whose words will become more with time: readers must expect words that they do not know. All other words are all
 * there is.
 */
export const growing: Readonly<Partial<Record<DataName, ReadonlyArray<string>>>> = { AlertChanged: ["trigger"] }

/** One type of message. */
export interface PublicEvent {
  /** The last word of its type and of its subject. */
  readonly name: string
  /** For example `kanmon.monitor.down`. */
  readonly type: string
  readonly summary: string
  readonly data: DataName
  /** Data as it travels. */
  readonly example: Readonly<Record<string, unknown>>
}

/** Messages about one kind of thing, which share the shape of their subjects. */
export interface Topic {
  readonly name: string
  readonly summary: string
  /** The subject, its parameters in braces. */
  readonly address: string
  /** What the parameters say; `event` is the name of the event. */
  readonly parameters: Readonly<Record<string, string>>
  /** The parameter that the CloudEvent is about: its value is the attribute `subject`. */
  readonly about: string
  readonly stream: typeof Subjects.checksStream | typeof Subjects.eventsStream
  /** Whether a project is told over HTTP too. */
  readonly overHttp: boolean
  readonly events: ReadonlyArray<PublicEvent>
}

type Described = readonly [summary: string, data: DataName, example: Readonly<Record<string, unknown>>]

/** The compiler sees to it that no event is missing. */
const events = <Name extends string>(noun: string, all: Readonly<Record<Name, Described>>): Topic["events"] =>
  Object.entries<Described>(all).map(([name, [summary, data, example]]) => ({
    name,
    type: `kanmon.${noun}.${name}`,
    summary,
    data,
    example
  }))

/** A parameter in the place of an id, or of another word of a subject. */
const parameter = <Word extends string>(name: string): Word => `{${name}}` as Word

const project = parameter<ProjectId>("projectId")
const monitor = parameter<MonitorId>("monitorId")

const words = {
  event: "What happened",
  projectId: "The project, `prj_…`",
  monitorId: "The monitor, `mon_…`",
  region: "The region, such as `eu-west`"
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
      partition: `A number from 0 to ${Subjects.partitions - 1}, always the same for a monitor`,
      region: words.region,
      projectId: words.projectId,
      monitorId: words.monitorId
    },
    about: "monitorId",
    stream: Subjects.checksStream,
    overHttp: false,
    events: events<"observed">("check", {
      observed: ["A check was made, and this is what it found", "Observation", Examples.observation]
    })
  },
  {
    name: "monitor",
    summary: "What happens to monitors",
    address: Subjects.monitorEvent(project, monitor, parameter("event")),
    parameters: { projectId: words.projectId, monitorId: words.monitorId, event: words.event },
    about: "monitorId",
    stream: Subjects.eventsStream,
    overHttp: true,
    events: events<Subjects.MonitorEventName>("monitor", {
      created: ["A monitor was made", "MonitorChanged", Examples.monitor],
      updated: ["A monitor was changed", "MonitorChanged", Examples.monitor],
      deleted: ["A monitor was deleted", "MonitorChanged", Examples.monitor],
      paused: ["A monitor was paused", "MonitorChanged", Examples.monitor],
      resumed: ["A paused monitor is watched again", "MonitorChanged", Examples.monitor],
      up: ["A monitor is up, for the first time or again", "MonitorStatusChanged", Examples.monitorUp],
      down: ["A monitor is down", "MonitorStatusChanged", Examples.monitorDown],
      degraded: ["A monitor is degraded", "MonitorStatusChanged", Examples.monitorDegraded],
      stale: ["A monitor should have had a result by now, and has not", "MonitorChanged", Examples.monitor],
      fresh: ["A stale monitor has results again", "MonitorChanged", Examples.monitor]
    })
  },
  {
    name: "alert",
    summary: "What happens to entries of the alert history, each of which is one alert as one channel is told of it",
    address: Subjects.alertEvent(project, parameter<AlertId>("alertId"), parameter("event")),
    parameters: { projectId: words.projectId, alertId: "The entry, `alr_…`", event: words.event },
    about: "alertId",
    stream: Subjects.eventsStream,
    overHttp: true,
    events: events<Subjects.AlertEventName>("alert", {
      triggered: ["An alert was opened", "AlertChanged", Examples.alert],
      resolved: ["An alert is over", "AlertChanged", Examples.alert],
      delivered: ["A channel was told", "AlertChanged", { ...Examples.alert, detail: "200 OK" }],
      failed: ["A channel could not be told", "AlertChanged", { ...Examples.alert, detail: "It answered 410 Gone" }]
    })
  },
  {
    name: "incident",
    summary: "What happens to incidents and maintenance windows",
    address: Subjects.incidentEvent(project, parameter<IncidentId>("incidentId"), parameter("event")),
    parameters: { projectId: words.projectId, incidentId: "The incident, `inc_…`", event: words.event },
    about: "incidentId",
    stream: Subjects.eventsStream,
    overHttp: true,
    events: events<Subjects.IncidentEventName>("incident", {
      opened: ["An incident was opened, or a maintenance window planned", "IncidentChanged", Examples.incident],
      updated: ["It was changed, or written about", "IncidentChanged", { ...Examples.incident, status: "identified" }],
      resolved: ["It is over", "IncidentChanged", { ...Examples.incident, status: "resolved" }],
      deleted: ["It was deleted", "IncidentChanged", { ...Examples.incident, message: "" }]
    })
  },
  {
    name: "page",
    summary: "What happens to status pages",
    address: Subjects.pageEvent(project, parameter<StatusPageId>("pageId"), parameter("event")),
    parameters: { projectId: words.projectId, pageId: "The status page, `sp_…`", event: words.event },
    about: "pageId",
    stream: Subjects.eventsStream,
    overHttp: true,
    events: events<Subjects.PageEventName>("page", {
      created: ["A status page was made", "PageChanged", Examples.page],
      updated: ["A status page was changed", "PageChanged", Examples.page],
      deleted: ["A status page was deleted", "PageChanged", Examples.page]
    })
  },
  {
    name: "probe",
    summary: "What the operator may hear of probes",
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
        "A probe is no longer offline: something answered, or nothing has for two minutes and failed checks count again",
        "ProbeChanged",
        Examples.probe
      ],
      blind: ["Deprecated: the former name of offline, published beside it", "ProbeChanged", Examples.probe],
      seeing: ["Deprecated: the former name of online, published beside it", "ProbeChanged", Examples.probe]
    })
  }
]
