/** Specs of monitors on their way to the probes. */
import { Layer } from "effect"
import * as Cluster from "@kanmon/platform/cluster/Cluster"
import * as OutboxRelay from "@kanmon/platform/outbox/OutboxRelay"
import { SpecBuckets } from "./SpecBuckets.ts"
import { SpecRepository } from "./SpecRepository.ts"
import { SpecUpdates } from "./SpecUpdates.ts"

export { SpecRepository } from "./SpecRepository.ts"
export { SpecUpdates } from "./SpecUpdates.ts"

/** The services of this feature. */
export const layer = Layer.merge(SpecUpdates.layer, SpecRepository.layer)

/** The jobs of this feature: the relay of the outbox, which sends specs before events, and the regions' buckets. */
export const layerWorker = Cluster.singleton(
  "outbox",
  Layer.merge(OutboxRelay.layer.pipe(Layer.provide(SpecUpdates.layerPublisher)), SpecUpdates.layerRegions).pipe(
    Layer.provide(SpecBuckets.layer)
  )
)
