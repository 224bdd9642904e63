/** The public event of an audit log entry. It says what happened and not how: the entry itself is for admins. */
import type { AuditEntry } from "./AuditEntry.ts"
import type { ProjectId } from "./Ids.ts"
import type { PublicEvent } from "./PublicEvent.ts"
import { type AuditRecorded, cloudEventHeaders } from "./ServiceEvent.ts"
import * as Subjects from "./Subjects.ts"
import { toIso } from "./Timestamp.ts"

export const auditEvent = (projectId: ProjectId, { action, actor, at, id, target }: AuditEntry): PublicEvent => {
  const data: typeof AuditRecorded.Encoded = { auditId: id, projectId, actor, action, target, at: toIso(at) }
  return {
    id,
    subject: Subjects.auditEvent(projectId, id, "recorded"),
    headers: cloudEventHeaders({ id, type: "kanmon.audit.recorded", subject: id, time: at }),
    payload: JSON.stringify(data)
  }
}
