/** The overview over HTTP: each handler only translates. */
import { Api } from "@kanmon/protocol/Api"
import { CallerProject } from "@kanmon/protocol/Middleware"
import { Effect, Layer } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import * as EntityTags from "@kanmon/platform/http/EntityTags"
import { asProblem } from "@kanmon/platform/http/AsProblem"
import * as Pieces from "@kanmon/platform/http/Pieces"
import { Overview } from "./Overview.ts"

/** Whether browsers trust the address (Secure Contexts, section 3.1): https, or this machine. */
const isSecureContext = (baseUrl: string): boolean => {
  const { hostname, protocol } = new URL(baseUrl)
  return protocol === "https:" || hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname)
}

const refusing = asProblem({})

export const layer = HttpApiBuilder.group(
  Api,
  "overview",
  Effect.fnUntraced(function* (handlers) {
    const overview = yield* Overview
    const { baseUrl } = yield* ApiSettings
    // Browsers may keep them where they heed Clear-Site-Data, with which signing out removes them from the disk.
    const stored = isSecureContext(baseUrl) ? "private, no-cache" : "no-store"

    return handlers.handleAll({
      get: ({ query: { at } }) =>
        Effect.flatMap(CallerProject, (id) => (at === undefined ? overview.get(id) : overview.getPast(id, at))).pipe(
          refusing
        ),
      summaries: ({ query: { at } }) =>
        Effect.gen(function* () {
          const { headers } = yield* HttpServerRequest.HttpServerRequest
          const projectId = yield* CallerProject
          const { etag, json } = yield* at === undefined
            ? overview.summaries(projectId)
            : overview.pastSummaries(projectId, at)
          const caching = { etag, "cache-control": stored }
          return EntityTags.matches(headers["if-none-match"], etag)
            ? HttpServerResponse.empty({ status: 304, headers: caching })
            : Pieces.respond(json, { contentType: "application/json", headers: caching })
        }).pipe(refusing)
    })
  })
).pipe(Layer.provide(Overview.layer))
