/** Single sign-on: identity providers of the installation and of organizations, their domains, and provisioning by SCIM. */
import { Layer } from "effect"
import { ConnectionRepository } from "./ConnectionRepository.ts"
import { EarlierSignOn } from "./EarlierSignOn.ts"
import { PendingRepository } from "./PendingRepository.ts"
import { SignOnAccountRepository } from "../users/index.ts"
import * as ScimErrors from "./ScimErrors.ts"
import { ScimGroups } from "./ScimGroups.ts"
import * as Provisioning from "./Provisioning.ts"
import * as ScimHandlers from "./ScimHandlers.ts"
import { ScimTokens } from "./ScimTokens.ts"
import * as ScimTokensHandlers from "./ScimTokensHandlers.ts"
import { ScimUsers } from "./ScimUsers.ts"
import { SignOns } from "./SignOns.ts"
import { SignOnTests } from "./SignOnTests.ts"
import * as SsoHandlers from "./SsoHandlers.ts"

export { EarlierSignOn } from "./EarlierSignOn.ts"
export { PendingRepository } from "./PendingRepository.ts"
export * as Protocols from "./Protocols.ts"
export {
  type InstallationOidc,
  type InstallationRole,
  SignInMethods,
  type SignInMethodsSettings
} from "./SignInMethods.ts"
export { SignOnEnforcement } from "./SignOnEnforcement.ts"
export { SignOnNetwork } from "./SignOnNetwork.ts"
export {
  type Admitted,
  installationConnection,
  type LocalMethod,
  type SignOnConnection,
  SingleSignOn,
  type SingleSignOnService,
  type TestOutcome
} from "./SingleSignOn.ts"
export * as SingleSignOnHost from "./SingleSignOnHost.ts"

/** The stores of this feature's services, in the processes that serve the API. */
export const layer = Layer.mergeAll(ConnectionRepository.layer, EarlierSignOn.layer, PendingRepository.layer)

/** The operations of this feature. */
export const layerApi = Layer.merge(
  SsoHandlers.layer.pipe(
    Layer.provide([SignOns.layer.pipe(Layer.provide(SignOnAccountRepository.layer)), SignOnTests.layer])
  ),
  ScimTokensHandlers.layer.pipe(Layer.provide(ScimTokens.layer))
)

/** Endpoints that read the request themselves. */
export const layerDirect = ScimHandlers.layer.pipe(Layer.provide([ScimUsers.layer, ScimGroups.layer]))

/** Authenticates the identity provider by its token. */
export const layerProvisioning = Provisioning.layer.pipe(Layer.provide(ScimTokens.layer))

/** The form of problem responses below SCIM paths. */
export const scimProblem = ScimErrors.ofProblem
