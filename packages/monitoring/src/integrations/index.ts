/** Integrations: other software that sends its alerts, with what it sent. */
import { Layer } from "effect"
import * as Cluster from "@kanmon/platform/cluster/Cluster"
import { Inbound } from "./Inbound.ts"
import * as InboundHandlers from "./InboundHandlers.ts"
import { IntegrationRepository } from "./IntegrationRepository.ts"
import { Integrations } from "./Integrations.ts"
import * as IntegrationsHandlers from "./IntegrationsHandlers.ts"
import * as IntegrationWorker from "./IntegrationWorker.ts"

export { Inbound } from "./Inbound.ts"
export { Integrations } from "./Integrations.ts"
export * as IntegrationWrites from "./IntegrationWrites.ts"

/** The services of this feature. */
export const layer = Layer.mergeAll(Integrations.layer, Inbound.layer).pipe(Layer.provide(IntegrationRepository.layer))

/** The operations of this feature. */
export const layerApi = IntegrationsHandlers.layer

/** Where senders post their alerts. */
export const layerDirect = InboundHandlers.layer

/** The jobs of this feature. */
export const layerWorker = (baseUrl: string) => Cluster.singleton("integrations", IntegrationWorker.layer(baseUrl))
