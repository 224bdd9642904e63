/** Single sign-on: identity providers of the installation and of organizations, and their domains. */
import { Layer } from "effect"
import { ConnectionRepository } from "./ConnectionRepository.ts"
import { PendingRepository } from "./PendingRepository.ts"
import { SignOns } from "./SignOns.ts"
import { SignOnTests } from "./SignOnTests.ts"
import * as SsoHandlers from "./SsoHandlers.ts"

export { PendingRepository } from "./PendingRepository.ts"
export { SignOnEnforcement } from "./SignOnEnforcement.ts"
export * as SingleSignOnHost from "./SingleSignOnHost.ts"

/** What the services of this feature store. They run where the API does. */
export const layer = Layer.mergeAll(ConnectionRepository.layer, PendingRepository.layer)

/** The operations of this feature. */
export const layerApi = SsoHandlers.layer.pipe(Layer.provide([SignOns.layer, SignOnTests.layer]))
