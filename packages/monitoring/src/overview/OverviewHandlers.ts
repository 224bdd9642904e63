/** The overview over HTTP: each handler only translates. */
import { Api } from "@kanmon/protocol/Api"
import { CallerProject } from "@kanmon/protocol/Middleware"
import { Effect, Layer } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import * as EntityTags from "@kanmon/platform/http/EntityTags"
import * as Pieces from "@kanmon/platform/http/Pieces"
import { Overview } from "./Overview.ts"

/** Whether browsers trust the address (Secure Contexts, section 3.1): https, or this machine. */
const isSecureContext = (baseUrl: string): boolean => {
  const { hostname, protocol } = new URL(baseUrl)
  return protocol === "https:" || hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname)
}

export const layer = HttpApiBuilder.group(
  Api,
  "overview",
  Effect.fnUntraced(function* (handlers) {
    const overview = yield* Overview
    const { baseUrl } = yield* ApiSettings
    // Browsers may keep them where they heed Clear-Site-Data, with which signing out removes them from the disk.
    const stored = isSecureContext(baseUrl) ? "private, no-cache" : "no-store"

    return handlers.handleAll({
      get: () => Effect.flatMap(CallerProject, overview.get),
      summaries: () =>
        Effect.gen(function* () {
          const { headers } = yield* HttpServerRequest.HttpServerRequest
          const { etag, json } = yield* overview.summaries(yield* CallerProject)
          const caching = { etag, "cache-control": stored }
          return EntityTags.matches(headers["if-none-match"], etag)
            ? HttpServerResponse.empty({ status: 304, headers: caching })
            : Pieces.respond(json, { contentType: "application/json", headers: caching })
        })
    })
  })
).pipe(Layer.provide(Overview.layer))
