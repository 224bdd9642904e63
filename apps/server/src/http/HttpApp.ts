/** The HTTP side as a whole: every route behind one edge. */
import { Catalogue } from "@kanmon/core/PluginHost"
import { HeartbeatInbox } from "@kanmon/engine/heartbeats/HeartbeatInbox"
import { Api, basePath } from "@kanmon/protocol/Api"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder, HttpApiScalar, OpenApi } from "effect/http-api"
import { PrometheusMetrics } from "effect/observability"
import * as FileSchema from "../as-code/FileSchema.ts"
import { Billing } from "../billing/Billing.ts"
import { DomainClaims } from "../pages/DomainClaims.ts"
import * as Pages from "../pages/Pages.ts"
import { PageSite } from "../pages/PageSite.ts"
import * as ChallengeRoutes from "../pages/ChallengeRoutes.ts"
import * as ConfirmationRoutes from "../recipients/ConfirmationRoutes.ts"
import * as OwnMessages from "../recipients/OwnMessages.ts"
import { Recipients } from "../recipients/Recipients.ts"
import { ApiSettings } from "./ApiSettings.ts"
import * as AlertsHandlers from "./AlertsHandlers.ts"
import * as AsyncApiDocument from "./AsyncApiDocument.ts"
import * as AuthRoutes from "./AuthRoutes.ts"
import { Authenticator } from "./Authenticator.ts"
import * as BillingHandlers from "./BillingHandlers.ts"
import { CallerAccounts } from "./CallerAccounts.ts"
import * as ChannelsHandlers from "./ChannelsHandlers.ts"
import * as ChecksHandlers from "./ChecksHandlers.ts"
import * as Edge from "./Edge.ts"
import * as EventStream from "./EventStream.ts"
import * as GateLive from "./GateLive.ts"
import * as HealthHandlers from "./HealthHandlers.ts"
import * as HeartbeatRoutes from "./HeartbeatRoutes.ts"
import * as IncidentsHandlers from "./IncidentsHandlers.ts"
import * as MonitorsHandlers from "./MonitorsHandlers.ts"
import * as OpenApiDocument from "./OpenApiDocument.ts"
import { OpenStreams } from "./OpenStreams.ts"
import * as PaymentRoutes from "./PaymentRoutes.ts"
import * as PluginsHandlers from "./PluginsHandlers.ts"
import * as ProjectsHandlers from "./ProjectsHandlers.ts"
import { RateLimits } from "./RateLimits.ts"
import { pathOf } from "./RequestInfo.ts"
import { SignalLimits } from "./SignalLimits.ts"
import * as StatusPagesHandlers from "./StatusPagesHandlers.ts"

const documentPaths = {
  welcome: "/",
  openapi: `${basePath}/openapi.json`,
  asyncapi: `${basePath}/asyncapi.json`,
  fileSchema: `${basePath}/kanmon.schema.json`,
  docs: `${basePath}/docs`
} as const

const mayBeKept = { "cache-control": "public, max-age=300" }

/** The page brings its script along and may ask nobody else. */
const page = HttpRouter.middleware((route) =>
  Effect.map(route, (response) =>
    HttpServerResponse.setHeaders(response, {
      ...mayBeKept,
      "content-security-policy":
        "default-src 'self' data: blob:; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'"
    })
  )
).layer

const documents = Layer.unwrap(
  Effect.gen(function* () {
    const { baseUrl, version } = yield* ApiSettings
    const kinds = yield* Catalogue
    const document = OpenApiDocument.make(kinds, baseUrl, version)
    // The contract as it stands knows no check kinds; the page shows the same document as the address beside it.
    const described = Api.annotate(OpenApi.Transform, () => document)
    const json = (content: unknown) =>
      HttpServerResponse.text(JSON.stringify(content), { contentType: "application/json", headers: mayBeKept })
    const welcome = HttpServerResponse.jsonUnsafe({
      name: "Kanmon",
      version,
      api: `${baseUrl}${basePath}`,
      docs: `${baseUrl}${basePath}/docs`,
      asyncapi: `${baseUrl}${documentPaths.asyncapi}`,
      health: `${baseUrl}${basePath}/health`
    })
    return Layer.mergeAll(
      HttpRouter.add("GET", documentPaths.openapi, Effect.succeed(json(document))),
      HttpRouter.add("GET", documentPaths.asyncapi, Effect.succeed(json(AsyncApiDocument.make(baseUrl, version)))),
      HttpRouter.add("GET", documentPaths.fileSchema, Effect.succeed(json(FileSchema.make(kinds)))),
      HttpRouter.add("GET", documentPaths.welcome, Effect.succeed(welcome)),
      HttpApiScalar.layer(described, { path: documentPaths.docs, scalar: { withDefaultFonts: false } }).pipe(
        Layer.provide(page)
      )
    )
  })
)

const routes = Layer.mergeAll(
  HttpApiBuilder.layer(Api).pipe(
    Layer.provide([
      MonitorsHandlers.layer,
      ChecksHandlers.layer,
      ProjectsHandlers.layer,
      ChannelsHandlers.layer,
      AlertsHandlers.rules,
      AlertsHandlers.history,
      IncidentsHandlers.layer,
      StatusPagesHandlers.layer,
      BillingHandlers.layer,
      PluginsHandlers.layer,
      HealthHandlers.layer
    ]),
    Layer.provide([GateLive.layer, GateLive.problems])
  ),
  AuthRoutes.layer,
  ChallengeRoutes.layer,
  ConfirmationRoutes.layer,
  HeartbeatRoutes.layer,
  PaymentRoutes.layer,
  EventStream.layer,
  documents,
  PrometheusMetrics.layerHttp()
).pipe(
  Layer.provide([
    Authenticator.layer,
    Billing.layer,
    CallerAccounts.layer,
    DomainClaims.layer,
    HeartbeatInbox.layer,
    RateLimits.layer,
    Recipients.layer,
    SignalLimits.layer
  ]),
  Layer.provide(OwnMessages.mailer),
  Layer.provide(OwnMessages.OwnMessages.layer)
)

/** Methods of the addresses that exist, from the contract itself. */
const knownMethods = (): ((path: string) => ReadonlyArray<string>) => {
  const known: Array<readonly [RegExp, ReadonlyArray<string>]> = Object.entries(
    OpenApiDocument.make({ checks: new Map(), channels: new Map() }, "", "").paths as object
  )
    // An address that is written out is none of a pattern's.
    .sort(([one], [other]) => one.split("{").length - other.split("{").length)
    .map(([path, methods]) => [
      new RegExp(`^${path.replace(/\/$/, "").replaceAll(/\{[^}]+\}/g, "[^/]+")}/?$`),
      Object.keys(methods as object).map((method) => method.toUpperCase())
    ])
  for (const path of Object.values(documentPaths)) known.push([new RegExp(`^${path}$`), ["GET"]])
  return (path) => known.find(([pattern]) => pattern.test(path))?.[1] ?? []
}

/** What monitoring systems and jobs ask for. */
const machines = /^(\/metrics|.*\/health(\/live)?|.*\/heartbeat\/.*)$/

/** Serves everything on the given HTTP server. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const routed = yield* HttpRouter.toHttpEffect(routes)
    const site = yield* PageSite
    const app = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => site.answer(request) ?? routed)
    const addresses = {
      methodsOf: knownMethods(),
      isBusy: (request: HttpServerRequest.HttpServerRequest) => machines.test(pathOf(request)) || site.serves(request),
      patienceFor: (request: HttpServerRequest.HttpServerRequest) =>
        ChecksHandlers.addresses.test(pathOf(request)) ? ChecksHandlers.patience : undefined,
      isForeign: site.owns
    }
    yield* HttpServer.serveEffect(Edge.wrap(app, addresses, yield* ApiSettings))
    // The server waits for its answers before it stops; these would never end by themselves.
    yield* Effect.addFinalizer(() => Effect.flatMap(OpenStreams, ({ stop }) => stop))
  })
).pipe(Layer.provide([OpenStreams.layer, Pages.layer]))
