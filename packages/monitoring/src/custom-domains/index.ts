/** Custom domains of status pages: proof of ownership and certificates. */
import { Layer } from "effect"
import { AcmeAccounts } from "./AcmeAccounts.ts"
import { Certificates } from "./Certificates.ts"
import { Challenges } from "./Challenges.ts"
import { CustomDomains } from "./CustomDomains.ts"
import * as CustomDomainWorker from "./CustomDomainWorker.ts"

export { Acme, type AcmeSettings } from "./Acme.ts"
export { AcmeAccounts } from "./AcmeAccounts.ts"
export { Certificates } from "./Certificates.ts"
export { answer as answerChallenge, answerAt } from "./ChallengeAnswers.ts"
export { Challenges } from "./Challenges.ts"
export type { CustomDomainSettings } from "./CustomDomainWorker.ts"
export { CustomDomains } from "./CustomDomains.ts"
export { isReserved, refusal } from "./DomainNames.ts"
export * as DomainProof from "./DomainProof.ts"
export * as HostName from "./HostName.ts"
export * as HttpsRedirect from "./HttpsRedirect.ts"
export { destination } from "./HttpsRedirect.ts"
export * as InstallationNames from "./InstallationNames.ts"
export { ServedCertificates, oldestTls } from "./ServedCertificates.ts"

export { PageDomains } from "./PageDomains.ts"

/** The services of this feature. */
export const layer = Layer.mergeAll(AcmeAccounts.layer, Certificates.layer, Challenges.layer, CustomDomains.layer)

/** The jobs of this feature. Engines share them by leases. */
export const layerWorker = CustomDomainWorker.layer
