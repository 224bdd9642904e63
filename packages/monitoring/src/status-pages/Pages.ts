/** The public site of status pages with its caches. */
import { Layer } from "effect"
import { PageAddresses } from "./PageAddresses.ts"
import { PageCache } from "./PageCache.ts"
import { PageChanges } from "./PageChanges.ts"
import { PageSite } from "./PageSite.ts"

export const layer = PageSite.layer.pipe(
  Layer.provide(PageCache.layer),
  Layer.provide(PageAddresses.layer),
  Layer.provide(PageChanges.layer)
)
