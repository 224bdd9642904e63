/**
 * The names on the bus. Subjects are a public contract: subscribers filter them by wildcard.
 *
 * `kanmon.checks.<partition>.<region>.<projectId>.<monitorId>` carries every observation;
 * `kanmon.events.<projectId>.monitor.<monitorId>.<event>` what happened to a monitor;
 * `kanmon.events.<projectId>.alert.<alertId>.<event>` what happened to an entry of the alert history;
 * `kanmon.events.<projectId>.incident.<incidentId>.<event>` what happened to an incident or a maintenance window;
 * `kanmon.events.<projectId>.page.<statusPageId>.<event>` what happened to a status page;
 * `kanmon.events.operator.probe.<region>.<probeId>.<event>` what the operator may hear of a probe.
 *
 * `kanmon.rpc.<region>.<probeId>` is no part of it: there a probe answers the api, request by request, and nothing is kept.
 */
import type { AlertId, IncidentId, MonitorId, ProjectId, StatusPageId } from "./Ids.ts"
import { hash } from "./Slots.ts"

/** How many ways the observations can be split among engines. Never changes: it is part of every subject. */
export const partitions = 64

export const partitionOf = (monitorId: MonitorId): number => hash(monitorId) % partitions

/** Every observation, kept 24 hours. */
export const checksStream = { name: "KANMON_CHECKS", subjects: ["kanmon.checks.>"], maxAgeMillis: 86_400_000 } as const

/** Every public event, kept 30 days. */
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

/** What the subject of an observation says; undefined when it is none. */
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
 * The subjects that a permission covers together with this one: its ids become wildcards. Names nobody's project or monitor,
 * so it may be shown to anybody.
 */
export const familyOf = (subject: string): string => {
  const [root, kind, , fourth] = subject.split(".")
  return kind === "checks" || kind === "events" ? `${root}.${kind}.*.${fourth}.>` : `${root}.>`
}

/** The subjects of all observations of a partition. */
export const checksOf = (partition: number): string => `kanmon.checks.${partition}.>`

/** What may happen to a monitor. */
export type MonitorEventName =
  "created" | "updated" | "deleted" | "paused" | "resumed" | "up" | "down" | "degraded" | "stale" | "fresh"

export const monitorEvent = (projectId: ProjectId, monitorId: MonitorId, event: MonitorEventName): string =>
  `kanmon.events.${projectId}.monitor.${monitorId}.${event}`

/** What may happen to an entry of the alert history. */
export type AlertEventName = "triggered" | "resolved" | "delivered" | "failed"

export const alertEvent = (projectId: ProjectId, alertId: AlertId, event: AlertEventName): string =>
  `kanmon.events.${projectId}.alert.${alertId}.${event}`

/** What may happen to an incident or a maintenance window. */
export type IncidentEventName = "opened" | "updated" | "resolved" | "deleted"

export const incidentEvent = (projectId: ProjectId, incidentId: IncidentId, event: IncidentEventName): string =>
  `kanmon.events.${projectId}.incident.${incidentId}.${event}`

/** What may happen to a status page. */
export type PageEventName = "created" | "updated" | "deleted"

export const pageEvent = (projectId: ProjectId, pageId: StatusPageId, event: PageEventName): string =>
  `kanmon.events.${projectId}.page.${pageId}.${event}`

/**
 * What the operator may hear of a probe: it lost its network connection, or has it again. `blind` and `seeing` are the former
 * names of the same events, which are still published beside them.
 */
export type ProbeEventName = "offline" | "online" | "blind" | "seeing"

export const probeEvent = (region: string, probeId: string, event: ProbeEventName): string =>
  `kanmon.events.operator.probe.${region}.${probeId}.${event}`

/** The bucket in which a region's probes find their monitors; key = monitor id, value = `MonitorSpec`. */
export const specBucket = (region: string): string => `kanmon_monitors_${region}`

/** The bucket in which probes announce themselves; key = `<region>.<probeId>`. */
export const probeBucket = "kanmon_probes"

/**
 * The bucket in which processes measure their clocks by the bus's, each under a key of its own: `<region>.<id>` of a probe,
 * `control-plane.<id>` of the others.
 */
export const clockBucket = "kanmon_clock"

/** Where one probe answers calls. */
export const probeCalls = (region: string, probeId: string): string => `kanmon.rpc.${region}.${probeId}`

/** The bucket in which the takers of streams note how far they have come; key = `<stream>.<taker>`. */
export const positionBucket = "kanmon_positions"
