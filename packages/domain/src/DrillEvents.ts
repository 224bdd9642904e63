/** The public events of drills. */
import type { AlertActor } from "./Alert.ts"
import type { Drill } from "./Drill.ts"
import type { PublicEvent } from "./PublicEvent.ts"
import { cloudEventHeaders, type DrillChanged } from "./ServiceEvent.ts"
import * as Subjects from "./Subjects.ts"
import { type EpochMillis, toIso } from "./Timestamp.ts"

/** A drill began, ended, or did not begin. */
export const drillEvent = (
  { detail, id: drillId, monitorId, policyId, projectId, ruleId }: Drill,
  status: (typeof DrillChanged.Type)["status"],
  by: AlertActor | null,
  at: EpochMillis
): PublicEvent => {
  const name = status === "running" ? "started" : "ended"
  const data: typeof DrillChanged.Encoded = {
    drillId,
    projectId,
    policyId,
    ruleId,
    monitorId,
    status,
    at: toIso(at),
    detail,
    by
  }
  const id = `${drillId}:${name}`
  return {
    id,
    subject: Subjects.drillEvent(projectId, drillId, name),
    headers: cloudEventHeaders({ id, type: `kanmon.drill.${name}`, subject: drillId, time: at }),
    payload: JSON.stringify(data)
  }
}
