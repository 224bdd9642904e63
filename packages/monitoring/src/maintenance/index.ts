/** Maintenance: windows over monitors, the rules by which they recur, and their beginnings and ends in time. */
import { Layer } from "effect"
import * as Cluster from "@kanmon/platform/cluster/Cluster"
import * as MaintenanceWorker from "./MaintenanceWorker.ts"
import { MaintenanceWindowRepository } from "./MaintenanceWindowRepository.ts"
import { MaintenanceWindows } from "./MaintenanceWindows.ts"

export { type EndedSeries, MaintenanceEnded, MaintenanceSchedule } from "./MaintenanceSchedule.ts"
export { MaintenanceWindows } from "./MaintenanceWindows.ts"
export * as Recurrence from "./Recurrence.ts"

/** The services of this feature. */
export const layer = MaintenanceWindows.layer.pipe(Layer.provide(MaintenanceWindowRepository.layer))

/** The jobs of this feature. */
export const layerWorker = Cluster.singleton("maintenance", MaintenanceWorker.layer)
