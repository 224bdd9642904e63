/** Status pages and their public side. */
import { Layer } from "effect"
import * as Pages from "./Pages.ts"
import { PublicPages } from "./PublicPages.ts"
import * as PublicPagesHandlers from "./PublicPagesHandlers.ts"
import { StatusPages } from "./StatusPages.ts"
import * as StatusPagesHandlers from "./StatusPagesHandlers.ts"

export { DomainClaims } from "./DomainClaims.ts"
export * as PageDomains from "./PageDomainRepository.ts"
export { PageSite } from "./PageSite.ts"
export * as ProjectPages from "./ProjectPages.ts"
export { StatusPages } from "./StatusPages.ts"
export * as StatusPageWrites from "./StatusPageWrites.ts"

/** The services of this feature. */
export const layer = Layer.merge(StatusPages.layer, PublicPages.layer)

/** The public site, with its caches. */
export const layerSite = Pages.layer

/** Pages below this installation's address, and their records. They need the site. */
export const layerDirect = PublicPagesHandlers.layer

/** The operations of this feature. */
export const layerApi = StatusPagesHandlers.layer
