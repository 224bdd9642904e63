/** The public events of monitors: changes by users, and results of their evaluation. */
import type { Monitor } from "./Monitor.ts"
import type { PublicEvent } from "./PublicEvent.ts"
import { cloudEventHeaders, type MonitorChanged, type MonitorStatusChanged } from "./ServiceEvent.ts"
import type { StatusChange } from "./StatusEvaluation.ts"
import * as Subjects from "./Subjects.ts"
import { type EpochMillis, toIso } from "./Timestamp.ts"

/** The monitor's fields in an event. */
export type EventMonitor = Pick<Monitor, "id" | "projectId" | "name" | "type">

/** The event of a change that a user made. */
export const monitorEvent = (
  monitor: EventMonitor,
  name: "created" | "updated" | "deleted" | "paused" | "resumed",
  at: EpochMillis,
  id: string
): PublicEvent => changed(monitor, name, at, id)

/** The event of a monitor with overdue results, or with results that arrive again. */
export const stalenessEvent = (monitor: EventMonitor, name: "stale" | "fresh", at: EpochMillis): PublicEvent =>
  changed(monitor, name, at, `${monitor.id}:${at}:${name}`)

const changed = (
  { id: monitorId, name, projectId, type }: EventMonitor,
  event: Subjects.MonitorEventName,
  at: EpochMillis,
  id: string
): PublicEvent => {
  const data: typeof MonitorChanged.Encoded = { monitorId, projectId, name, type, at: toIso(at) }
  return {
    id,
    subject: Subjects.monitorEvent(projectId, monitorId, event),
    headers: cloudEventHeaders({ id, type: `kanmon.monitor.${event}`, subject: monitorId, time: at }),
    payload: JSON.stringify(data)
  }
}

/** The event of an entry of the status history; none for `unknown`. */
export const statusEvent = (
  { id: monitorId, name, projectId, type }: EventMonitor,
  { at, failure, status }: StatusChange,
  previousStatus: MonitorStatusChanged["previousStatus"]
): PublicEvent | undefined => {
  if (status !== "up" && status !== "down" && status !== "degraded") return undefined
  const id = `${monitorId}:${at}:${status}`
  const data: typeof MonitorStatusChanged.Encoded = {
    monitorId,
    projectId,
    name,
    type,
    status,
    previousStatus,
    at: toIso(at),
    failure
  }
  return {
    id,
    subject: Subjects.monitorEvent(projectId, monitorId, status),
    headers: cloudEventHeaders({ id, type: `kanmon.monitor.${status}`, subject: monitorId, time: at }),
    payload: JSON.stringify(data)
  }
}
