/** The audit log: every change with its actor. Features record their changes here, in the transaction of the change. */
import { AuditLog } from "./AuditLog.ts"
import * as AuditHandlers from "./AuditHandlers.ts"

export { AuditLog, type AuditedChange } from "./AuditLog.ts"
export { AuditRepository } from "./AuditRepository.ts"

/** The services of this feature. */
export const layer = AuditLog.layer

/** The operations of this feature. */
export const layerApi = AuditHandlers.layer
