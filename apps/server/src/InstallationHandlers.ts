/** The installation's description, its metrics, and the challenges of certificate authorities. */
import * as FileSchema from "@kanmon/as-code/FileSchema"
import { Catalogue } from "@kanmon/core/PluginHost"
import { answerChallenge, Challenges } from "@kanmon/monitoring/custom-domains"
import * as Events from "@kanmon/monitoring/events"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import * as KeptDocument from "@kanmon/platform/http/KeptDocument"
import { basePath } from "@kanmon/protocol/BasePath"
import { DirectRoutes } from "@kanmon/protocol/DirectApi"
import { documentPaths } from "@kanmon/protocol/InstallationApi"
import * as OpenApiDocument from "@kanmon/protocol/OpenApiDocument"
import { Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { PrometheusMetrics } from "effect/observability"
import * as ReferencePage from "./ReferencePage.ts"

const mayBeKept = { "cache-control": "public, max-age=300" }

/** The documents. Each is made when it is first asked for, which few starts ever are. */
const documents = HttpApiBuilder.group(
  DirectRoutes,
  "documents",
  Effect.fnUntraced(function* (handlers) {
    const { baseUrl, version } = yield* ApiSettings
    const kinds = yield* Catalogue
    const openapi = yield* Effect.cached(Effect.sync(() => OpenApiDocument.make(kinds, baseUrl, version)))
    const kept = (document: Effect.Effect<unknown>) =>
      KeptDocument.make(
        Effect.map(document, (content) => ({
          text: JSON.stringify(content),
          contentType: "application/json",
          headers: mayBeKept
        }))
      )
    const described = yield* kept(openapi)
    const events = yield* kept(Effect.sync(() => Events.AsyncApiDocument.make(baseUrl, version)))
    const files = yield* kept(Effect.sync(() => FileSchema.make(kinds)))
    const page = yield* KeptDocument.make(
      Effect.flatMap(openapi, (document) => ReferencePage.make(document, `${basePath}${documentPaths.docs}`, mayBeKept))
    )
    return handlers
      .handleRaw("getOpenApiDocument", () => described)
      .handleRaw("getAsyncApiDocument", () => events)
      .handleRaw("getFileSchema", () => files)
      .handleRaw("showDocumentation", () => page)
  })
)

const installation = HttpApiBuilder.group(
  DirectRoutes,
  "installation",
  Effect.fnUntraced(function* (handlers) {
    const { baseUrl, version } = yield* ApiSettings
    const challenges = yield* Challenges
    const api = `${baseUrl}${basePath}`
    const welcome = HttpServerResponse.jsonUnsafe({
      name: "Kanmon",
      version,
      api,
      docs: `${api}${documentPaths.docs}`,
      asyncapi: `${api}${documentPaths.asyncapi}`,
      health: `${api}/health`
    }).pipe(HttpServerResponse.setHeader("vary", "accept"))
    const metrics = Effect.map(PrometheusMetrics.format(), (body) =>
      HttpServerResponse.text(body, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
    )
    return handlers
      .handleRaw("welcome", () => Effect.succeed(welcome))
      .handleRaw("metrics", () => metrics)
      .handleRaw("challenge", () => Effect.provideService(answerChallenge, Challenges, challenges))
  })
)

export const layer = Layer.merge(documents, installation)
