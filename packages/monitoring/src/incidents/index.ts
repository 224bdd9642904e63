/** Incidents, among them those that schedule maintenance. */
import { Layer } from "effect"
import { RegistryRepository } from "../registry/index.ts"
import { IncidentRepository } from "./IncidentRepository.ts"
import { Incidents } from "./Incidents.ts"
import { IncidentWriter } from "./IncidentWriter.ts"
import { MaintenanceIncidentRepository } from "./MaintenanceIncidentRepository.ts"
import * as MaintenanceIncidents from "./MaintenanceIncidents.ts"

export * as IncidentWrites from "./IncidentWrites.ts"
export { Incidents } from "./Incidents.ts"
export type { IncidentDraft } from "./IncidentWriter.ts"
export { layer as layerApi } from "./IncidentsHandlers.ts"

/** The services of this feature. */
export const layer = Layer.mergeAll(Incidents.layer, MaintenanceIncidents.layer).pipe(
  Layer.provide(IncidentWriter.layer),
  Layer.provide(RegistryRepository.layer),
  Layer.provide([IncidentRepository.layer, MaintenanceIncidentRepository.layer])
)
