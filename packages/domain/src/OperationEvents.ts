/** The public event of an operation. */
import type { Operation } from "./Operation.ts"
import type { PublicEvent } from "./PublicEvent.ts"
import { cloudEventHeaders, type OperationChanged } from "./ServiceEvent.ts"
import * as Subjects from "./Subjects.ts"
import { type EpochMillis, toIso } from "./Timestamp.ts"

/** It began, got further, or ended. */
export const operationEvent = (
  {
    action,
    done,
    failed,
    id: operationId,
    projectId,
    status,
    total
  }: Pick<Operation, "id" | "projectId" | "action" | "status" | "total" | "done" | "failed">,
  at: EpochMillis,
  id: string
): PublicEvent => {
  const data: typeof OperationChanged.Encoded = {
    operationId,
    projectId,
    action,
    status,
    total,
    done,
    failed,
    at: toIso(at)
  }
  return {
    id,
    subject: Subjects.operationEvent(projectId, operationId, "changed"),
    headers: cloudEventHeaders({ id, type: "kanmon.operation.changed", subject: operationId, time: at }),
    payload: JSON.stringify(data)
  }
}
