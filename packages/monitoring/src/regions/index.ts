/** Regions and their probes. */
import { ProbeRegionRepository } from "./ProbeRegionRepository.ts"

export { ProbeRegionRepository } from "./ProbeRegionRepository.ts"
export { layer as layerApi } from "./RegionsHandlers.ts"
export * as RegionClosing from "./RegionClosing.ts"
export { Regions, announcementTtl } from "./Regions.ts"

/** The services that need nothing but the database. `Regions` needs the names of the regions, too. */
export const layer = ProbeRegionRepository.layer
