/** The public events of incidents and maintenance windows, as the outbox keeps them. */
import { type Incident, phaseOf } from "@kanmon/domain/Incident"
import { cloudEventHeaders, type IncidentChanged } from "@kanmon/domain/ServiceEvent"
import * as Subjects from "@kanmon/domain/Subjects"
import { type EpochMillis, toIso } from "@kanmon/domain/Timestamp"
import type { OutboxEvent } from "../outbox/Outbox.ts"

const isoOrNull = (at: EpochMillis | null): string | null => (at === null ? null : toIso(at))

/** `message`: what was written on the timeline with it, if anything. */
export const incidentEvent = (
  incident: Omit<Incident, "updates">,
  name: Subjects.IncidentEventName,
  message: string,
  at: EpochMillis,
  id: string
): OutboxEvent => {
  const data: typeof IncidentChanged.Encoded = {
    incidentId: incident.id,
    projectId: incident.projectId,
    title: incident.title,
    status: incident.status,
    monitorIds: incident.monitorIds,
    maintenance: incident.maintenance,
    phase: phaseOf(incident, at),
    scheduledStart: isoOrNull(incident.scheduledStart),
    scheduledEnd: isoOrNull(incident.scheduledEnd),
    message,
    at: toIso(at)
  }
  return {
    id,
    subject: Subjects.incidentEvent(incident.projectId, incident.id, name),
    headers: cloudEventHeaders({ id, type: `kanmon.incident.${name}`, subject: incident.id, time: at }),
    payload: JSON.stringify(data)
  }
}
