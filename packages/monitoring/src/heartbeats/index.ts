/** Heartbeats: signals of jobs, their deadlines, and the observations that both lead to. */
import { Layer } from "effect"
import * as Cluster from "@kanmon/platform/cluster/Cluster"
import { RegistryRepository } from "../registry/index.ts"
import { HeartbeatRepository } from "./HeartbeatRepository.ts"
import * as HeartbeatHandlers from "./HeartbeatHandlers.ts"
import { Heartbeats } from "./Heartbeats.ts"
import * as HeartbeatWorker from "./HeartbeatWorker.ts"

export { HeartbeatInbox } from "./HeartbeatInbox.ts"
export type { HeartbeatRepository } from "./HeartbeatRepository.ts"
export { HeartbeatRetentionRepository } from "./HeartbeatRetentionRepository.ts"
export { Heartbeats } from "./Heartbeats.ts"
export { SignalLimits } from "./SignalLimits.ts"
export { TokenRepository } from "./TokenRepository.ts"
export { unreadableHeartbeats } from "./UnreadableRepository.ts"

/** The services of this feature that need no plugins; `Heartbeats` needs their rules. */
export const layer = Layer.merge(HeartbeatRepository.layer, RegistryRepository.layer)

/** The endpoints of this feature. */
export { layer as layerApi } from "./SignalsHandlers.ts"

/** Endpoints that read the request themselves. */
export const layerDirect = HeartbeatHandlers.layer

/** The jobs of this feature. */
export const layerWorker = Cluster.singleton("heartbeats", HeartbeatWorker.layer.pipe(Layer.provide(Heartbeats.layer)))
