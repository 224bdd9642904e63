/** The public record of a status page over HTTP: from the cache of the page's site, with its validators. */
import { DirectApi } from "@kanmon/protocol/Api"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { PageSite } from "./PageSite.ts"

export const layer = HttpApiBuilder.group(
  DirectApi,
  "publicRecords",
  Effect.fnUntraced(function* (handlers) {
    const site = yield* PageSite
    return handlers.handleRaw("record", ({ params: { slug }, request }) => site.record(request, slug))
  })
)
