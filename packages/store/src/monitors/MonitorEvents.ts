/** The public events of what users do with monitors, as the outbox keeps them. */
import type { Monitor } from "@kanmon/domain/Monitor"
import { cloudEventHeaders, type MonitorChanged } from "@kanmon/domain/ServiceEvent"
import * as Subjects from "@kanmon/domain/Subjects"
import { type EpochMillis, toIso } from "@kanmon/domain/Timestamp"
import type { OutboxEvent } from "../outbox/Outbox.ts"

export const monitorEvent = (
  monitor: Pick<Monitor, "id" | "projectId" | "name" | "type">,
  name: "created" | "updated" | "deleted" | "paused" | "resumed",
  at: EpochMillis,
  id: string
): OutboxEvent => {
  const data: typeof MonitorChanged.Encoded = {
    monitorId: monitor.id,
    projectId: monitor.projectId,
    name: monitor.name,
    type: monitor.type,
    at: toIso(at)
  }
  return {
    id,
    subject: Subjects.monitorEvent(monitor.projectId, monitor.id, name),
    headers: cloudEventHeaders({ id, type: `kanmon.monitor.${name}`, subject: monitor.id, time: at }),
    payload: JSON.stringify(data)
  }
}
