/** The overview over HTTP: each handler only translates. */
import { Api } from "@kanmon/protocol/Api"
import { CallerProject } from "@kanmon/protocol/Middleware"
import { Effect, Layer, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import * as EntityTags from "../platform/http/EntityTags.ts"
import { Overview } from "./Overview.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "overview",
  Effect.fnUntraced(function* (handlers) {
    const overview = yield* Overview

    return handlers.handleAll({
      get: () => Effect.flatMap(CallerProject, overview.get),
      summaries: () =>
        Effect.gen(function* () {
          const { headers } = yield* HttpServerRequest.HttpServerRequest
          const { etag, json } = yield* overview.summaries(yield* CallerProject)
          const caching = { etag, "cache-control": "private, no-cache" }
          return EntityTags.matches(headers["if-none-match"], etag)
            ? HttpServerResponse.empty({ status: 304, headers: caching })
            : HttpServerResponse.stream(Stream.rechunk(Stream.fromIterable(json), 1), {
                contentType: "application/json",
                contentLength: json.reduce((sum, { length }) => sum + length, 0),
                headers: caching
              })
        })
    })
  })
).pipe(Layer.provide(Overview.layer))
