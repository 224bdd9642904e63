/** The public events of incidents and maintenance windows. */
import { type Incident, phaseOf } from "./Incident.ts"
import { cloudEventHeaders, type IncidentChanged } from "./ServiceEvent.ts"
import * as Subjects from "./Subjects.ts"
import { type EpochMillis, toIso } from "./Timestamp.ts"
import type { PublicEvent } from "./PublicEvent.ts"

const isoOrNull = (at: EpochMillis | null): string | null => (at === null ? null : toIso(at))

/** `message`: the text posted on the timeline with the change, if any. */
export const incidentEvent = (
  incident: Omit<Incident, "updates">,
  name: Subjects.IncidentEventName,
  message: string,
  at: EpochMillis,
  id: string
): PublicEvent => {
  const data: typeof IncidentChanged.Encoded = {
    incidentId: incident.id,
    projectId: incident.projectId,
    title: incident.title,
    status: incident.status,
    monitorIds: incident.monitorIds,
    tags: incident.tags,
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
