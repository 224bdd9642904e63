/** Retention: deletes data that has expired, on a schedule. */
import * as Cluster from "@kanmon/platform/cluster/Cluster"
import { Retention } from "./Retention.ts"
import * as RetentionWorker from "./RetentionWorker.ts"

export { Retention } from "./Retention.ts"

/** The services of this feature. */
export const layer = Retention.layer

/** The jobs of this feature. */
export const layerWorker = (options: Parameters<typeof RetentionWorker.layer>[0]) =>
  Cluster.singleton("housekeeping", RetentionWorker.layer(options))
