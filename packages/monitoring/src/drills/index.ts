/** Drills: alerts for practice, which prove that on-call works before it is needed. */
import * as Cluster from "@kanmon/platform/cluster/Cluster"
import * as DrillsHandlers from "./DrillsHandlers.ts"
import * as DrillWorker from "./DrillWorker.ts"

export { Drills } from "./Drills.ts"

/** The operations of this feature. */
export const layerApi = DrillsHandlers.layer

/** The jobs of this feature. */
export const layerWorker = (baseUrl: string) => Cluster.singleton("drills", DrillWorker.layer(baseUrl))
