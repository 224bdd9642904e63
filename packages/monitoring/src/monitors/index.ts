/** Monitors, and their specs on the way to the probes. */
import { Layer } from "effect"
import { Monitors } from "./Monitors.ts"
import * as MonitorsHandlers from "./MonitorsHandlers.ts"
import { SpecRepository } from "./SpecRepository.ts"

export { Monitors } from "./Monitors.ts"
export * as MonitorRecords from "./MonitorRecords.ts"
export * as MonitorVetting from "./MonitorVetting.ts"
export * as MonitorWrites from "./MonitorWrites.ts"
export * as ProjectMonitors from "./ProjectMonitors.ts"
export * as PlanFitting from "./PlanFitting.ts"
export { SpecBuckets } from "./SpecBuckets.ts"
export * as SpecRelay from "./SpecRelay.ts"
export { SpecRepository } from "./SpecRepository.ts"
export { TargetWarnings } from "./TargetWarnings.ts"

/** The services of this feature. */
export const layer = Layer.merge(Monitors.layer, SpecRepository.layer)

/** The operations of this feature. */
export const layerApi = MonitorsHandlers.layer
