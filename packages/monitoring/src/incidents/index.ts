/** Incidents and the maintenance windows that users schedule. */
import { Layer } from "effect"
import * as Cluster from "@kanmon/platform/cluster/Cluster"
import { IncidentRepository } from "./IncidentRepository.ts"
import { Incidents } from "./Incidents.ts"
import { IncidentWriter } from "./IncidentWriter.ts"
import { MaintenanceRepository } from "./MaintenanceRepository.ts"
import { MaintenanceSchedule } from "./MaintenanceSchedule.ts"
import * as MaintenanceWorker from "./MaintenanceWorker.ts"

export * as IncidentWrites from "./IncidentWrites.ts"
export { Incidents } from "./Incidents.ts"
export type { IncidentDraft } from "./IncidentWriter.ts"
export { MaintenanceSchedule } from "./MaintenanceSchedule.ts"
export { layer as layerApi } from "./IncidentsHandlers.ts"

/** The services of this feature. */
export const layer = Layer.mergeAll(Incidents.layer, MaintenanceSchedule.layer).pipe(
  Layer.provide(IncidentWriter.layer),
  Layer.provide([IncidentRepository.layer, MaintenanceRepository.layer])
)

/** The jobs of this feature. */
export const layerWorker = Cluster.singleton("maintenance", MaintenanceWorker.layer)
