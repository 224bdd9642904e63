/** The registrations of the domains that monitors use. */
import * as Cluster from "@kanmon/platform/cluster/Cluster"
import { DomainRegistrations } from "./DomainRegistrations.ts"
import * as DomainRegistrationWorker from "./DomainRegistrationWorker.ts"

export { DomainRegistrations } from "./DomainRegistrations.ts"
export * as DomainRegistrationWorker from "./DomainRegistrationWorker.ts"
export { Rdap } from "./Rdap.ts"

/** The services of this feature. */
export const layer = DomainRegistrations.layer

/** The jobs of this feature. */
export const layerWorker = Cluster.singleton("domains", DomainRegistrationWorker.layer)
