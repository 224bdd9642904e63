/** Status pages below this installation's address, and their records: from the cache of the site, with its validators. */
import { DirectRoutes } from "@kanmon/protocol/DirectApi"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { handleEach } from "@kanmon/platform/http/DirectHandlers"
import { PageSite } from "./PageSite.ts"

const records = HttpApiBuilder.group(
  DirectRoutes,
  "publicRecords",
  Effect.fnUntraced(function* (handlers) {
    const site = yield* PageSite
    return handlers.handleRaw("record", ({ request }) =>
      Effect.flatMap(HttpRouter.params, ({ slug = "" }) => site.record(request, slug))
    )
  })
)

const pages = HttpApiBuilder.group(
  DirectRoutes,
  "publicPages",
  Effect.fnUntraced(function* (handlers) {
    const site = yield* PageSite
    return handleEach(handlers, DirectRoutes.groups.publicPages.endpoints, ({ request }) => site.below(request))
  })
)

export const layer = Layer.merge(records, pages)
