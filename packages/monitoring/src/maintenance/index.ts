/** Maintenance windows over monitors, and the rules by which they recur. */
import { Layer } from "effect"
import { MaintenanceWindowRepository } from "./MaintenanceWindowRepository.ts"
import { MaintenanceWindows } from "./MaintenanceWindows.ts"

export { isSettlingDue } from "./MaintenanceWindowRepository.ts"
export { MaintenanceWindows } from "./MaintenanceWindows.ts"
export * as Recurrence from "./Recurrence.ts"

/** The services of this feature. */
export const layer = MaintenanceWindows.layer.pipe(Layer.provide(MaintenanceWindowRepository.layer))
