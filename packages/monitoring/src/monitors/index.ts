/** Monitors: how they are created, changed and deleted. */
import { Layer } from "effect"
import { MonitorCreation } from "./MonitorCreation.ts"
import { Monitors } from "./Monitors.ts"
import * as MonitorsHandlers from "./MonitorsHandlers.ts"

export { Monitors } from "./Monitors.ts"
export * as MonitorRecords from "./MonitorRecords.ts"
export * as MonitorVetting from "./MonitorVetting.ts"
export * as MonitorWrites from "./MonitorWrites.ts"
export * as ProjectMonitors from "./ProjectMonitors.ts"
export * as PlanFitting from "./PlanFitting.ts"
export { TargetWarnings } from "./TargetWarnings.ts"

/** The services of this feature. */
export const layer = Monitors.layer.pipe(Layer.provideMerge(MonitorCreation.layer))

/** The operations of this feature. */
export const layerApi = MonitorsHandlers.layer
