/** The HTTP side as a whole: every route behind one edge. */
import { Catalogue } from "@kanmon/core/PluginHost"
import { Api, basePath } from "@kanmon/protocol/Api"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { HttpApiBuilder, HttpApiScalar } from "effect/http-api"
import { PrometheusMetrics } from "effect/observability"
import { ApiSettings } from "./ApiSettings.ts"
import * as AuthRoutes from "./AuthRoutes.ts"
import { Authenticator } from "./Authenticator.ts"
import * as Edge from "./Edge.ts"
import * as GateLive from "./GateLive.ts"
import * as HealthHandlers from "./HealthHandlers.ts"
import * as MonitorsHandlers from "./MonitorsHandlers.ts"
import * as OpenApiDocument from "./OpenApiDocument.ts"
import * as ProjectsHandlers from "./ProjectsHandlers.ts"
import { RateLimits } from "./RateLimits.ts"

const documents = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const settings = yield* ApiSettings
    const { checks } = yield* Catalogue
    const document = JSON.stringify(OpenApiDocument.make(checks, settings.baseUrl, settings.version))
    yield* router.add(
      "GET",
      `${basePath}/openapi.json`,
      Effect.succeed(HttpServerResponse.text(document, { contentType: "application/json" }))
    )
    yield* router.add(
      "GET",
      "/",
      Effect.succeed(
        HttpServerResponse.jsonUnsafe({
          name: "Kanmon",
          version: settings.version,
          api: `${settings.baseUrl}${basePath}`,
          docs: `${settings.baseUrl}${basePath}/docs`,
          health: `${settings.baseUrl}${basePath}/health`
        })
      )
    )
  })
)

const routes = Layer.mergeAll(
  HttpApiBuilder.layer(Api).pipe(
    Layer.provide([MonitorsHandlers.layer, ProjectsHandlers.layer, HealthHandlers.layer]),
    Layer.provide([GateLive.layer, GateLive.problems])
  ),
  AuthRoutes.layer,
  documents,
  HttpApiScalar.layer(Api, { path: `${basePath}/docs` }),
  PrometheusMetrics.layerHttp()
).pipe(Layer.provide([Authenticator.layer, RateLimits.layer]))

/** Methods of the addresses that exist, from the contract itself. */
const knownMethods = (): ((path: string) => ReadonlyArray<string>) => {
  const known: Array<readonly [RegExp, ReadonlyArray<string>]> = Object.entries(
    OpenApiDocument.make(new Map(), "", "").paths as object
  ).map(([path, methods]) => [
    new RegExp(`^${path.replace(/\/$/, "").replaceAll(/\{[^}]+\}/g, "[^/]+")}/?$`),
    Object.keys(methods as object).map((method) => method.toUpperCase())
  ])
  return (path) => known.filter(([pattern]) => pattern.test(path)).flatMap(([, methods]) => methods)
}

/** Serves everything on the given HTTP server. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const app = yield* HttpRouter.toHttpEffect(routes)
    yield* HttpServer.serveEffect(Edge.wrap(app, knownMethods()))
  })
)
