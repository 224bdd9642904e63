/** All of HTTP: every route behind one request pipeline. */
import { extname } from "node:path"
import { fileURLToPath } from "node:url"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Quarantine from "@kanmon/core/Quarantine"
import * as Heartbeats from "@kanmon/monitoring/heartbeats"
import { Api } from "@kanmon/protocol/Api"
import { DirectRoutes } from "@kanmon/protocol/DirectApi"
import { Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import * as Billing from "@kanmon/identity/billing"
import * as StatusPages from "@kanmon/monitoring/status-pages"
import { DashboardSite } from "./dashboard/DashboardSite.ts"
import * as Changes from "@kanmon/monitoring/changes"
import * as Channels from "@kanmon/monitoring/channels"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import * as Alerts from "@kanmon/monitoring/alerts"
import * as Events from "@kanmon/monitoring/events"
import * as ApiKeys from "@kanmon/identity/api-keys"
import * as Audit from "@kanmon/identity/audit"
import * as Accounts from "@kanmon/identity/accounts"
import { Authenticator } from "@kanmon/platform/http/Authenticator"
import * as Operator from "@kanmon/identity/operator"
import * as ContactMethods from "@kanmon/monitoring/contact-methods"
import * as Escalation from "@kanmon/monitoring/escalation"
import * as Analytics from "@kanmon/monitoring/analytics"
import * as OnCall from "@kanmon/monitoring/on-call"
import * as Organizations from "@kanmon/identity/organizations"
import * as SingleSignOn from "@kanmon/identity/sso"
import * as Projects from "@kanmon/identity/projects"
import * as Checks from "@kanmon/monitoring/checks"
import { LastingAccess } from "@kanmon/platform/http/LastingAccess"
import * as RequestActivity from "@kanmon/platform/http/RequestActivity"
import * as RequestPipeline from "@kanmon/platform/http/RequestPipeline"
import * as ApiMiddleware from "@kanmon/platform/http/ApiMiddleware"
import * as InstallationHandlers from "./InstallationHandlers.ts"
import * as Places from "./Places.ts"
import * as Compression from "@kanmon/platform/http/Compression"
import * as Health from "@kanmon/monitoring/health"
import * as Imports from "@kanmon/monitoring/imports"
import * as Incidents from "@kanmon/monitoring/incidents"
import * as Logs from "@kanmon/monitoring/logs"
import * as Overview from "@kanmon/monitoring/overview"
import * as Regions from "@kanmon/monitoring/regions"
import * as Monitors from "@kanmon/monitoring/monitors"
import * as Operations from "@kanmon/monitoring/operations"
import * as Drills from "@kanmon/monitoring/drills"
import * as Integrations from "@kanmon/monitoring/integrations"
import * as PageTests from "@kanmon/monitoring/page-tests"
import * as Plugins from "@kanmon/monitoring/plugins"
import * as Replies from "@kanmon/monitoring/replies"
import { CredentialLookups } from "@kanmon/platform/http/CredentialLookups"
import { RateLimits } from "@kanmon/platform/http/RateLimits"
import { ReadQueue } from "@kanmon/platform/http/ReadQueue"

/** The module that reads uploaded files in a process of its own; tests start it often, and compile it first. */
export const ImportChild = Context.Reference<URL>("@kanmon/server/HttpApp/ImportChild", {
  defaultValue: () => new URL(`./imports/UptimeKumaChild${extname(import.meta.url)}`, import.meta.url)
})

const routes = Layer.mergeAll(
  HttpApiBuilder.layer(Api).pipe(
    Layer.provide([
      Monitors.layerApi,
      Operations.layerApi,
      Checks.layerApi,
      Logs.layerApi,
      Heartbeats.layerApi,
      Overview.layerApi,
      Regions.layerApi,
      Organizations.layerApi.pipe(Layer.provide(ContactMethods.MembersReached.layer)),
      Projects.layerApi,
      ApiKeys.layerApi,
      Audit.layerApi,
      Accounts.layerApi,
      SingleSignOn.layerApi,
      Channels.layerApi,
      Alerts.layerApi,
      Imports.layerApi.pipe(
        Layer.provide(Layer.unwrap(Effect.map(ImportChild, (child) => Imports.layerReader(child))))
      ),
      Changes.layerApi.pipe(Layer.provide(Organizations.OrganizationLock.layer)),
      Incidents.layerApi,
      OnCall.layerApi,
      Analytics.layerApi,
      ContactMethods.layerApi,
      PageTests.layerApi,
      Integrations.layerApi,
      Drills.layerApi,
      Escalation.layerApi,
      StatusPages.layerApi,
      Billing.layerApi,
      Operator.layerApi.pipe(Layer.provide(Operator.Operator.layer)),
      Plugins.layerApi,
      Health.layerApi
    ]),
    Layer.provide(ApiMiddleware.layer)
  ),
  HttpApiBuilder.layer(DirectRoutes).pipe(
    Layer.provide([
      Accounts.layerDirect,
      SingleSignOn.layerDirect,
      Alerts.layerDirect,
      Channels.layerDirect,
      Heartbeats.layerDirect,
      Integrations.layerDirect,
      Replies.layerDirect,
      Billing.layerDirect,
      Events.layerDirect.pipe(Layer.provide(LastingAccess.layer)),
      StatusPages.layerDirect,
      InstallationHandlers.layer
    ]),
    Layer.provide([ApiMiddleware.layer, SingleSignOn.layerProvisioning])
  )
).pipe(
  Layer.provide([
    Authenticator.layer.pipe(
      Layer.provideMerge(Accounts.BetterAuthSignIn.layer),
      Layer.provide(SingleSignOn.SingleSignOnHost.layer)
    ),
    Billing.Billing.layer,
    StatusPages.DomainClaims.layer,
    Heartbeats.HeartbeatInbox.layer.pipe(Layer.provideMerge(Heartbeats.Heartbeats.layer)),
    RateLimits.layer,
    ReadQueue.layer,
    Channels.Recipients.layer,
    Heartbeats.SignalLimits.layer
  ]),
  Layer.provide(CredentialLookups.layer),
  Layer.provide([Organizations.MemberRoles.layer, Projects.ProjectOwners.layer, Projects.ProjectRoles.layer]),
  Layer.provide(Channels.mailer),
  Layer.provide(Channels.OwnMessages.layer)
)

/** Where the build of the dashboard is. */
const dashboardFolder = fileURLToPath(new URL("../../dashboard/dist/", import.meta.url))

/** Everything, built; the server that it is given starts to listen after that, so that no request meets half an application. */
export const layer = <E>(server: Layer.Layer<HttpServer.HttpServer, E>) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const contract = yield* HttpRouter.toHttpEffect(routes)
      const pages = yield* StatusPages.PageSite
      const dashboard = yield* DashboardSite
      const settings = yield* ApiSettings
      const { holds } = yield* Quarantine.decisions
      const answered = RequestPipeline.make({
        settings,
        locate: Places.make({ contract, pages, dashboard, settings }),
        forms: { scim: SingleSignOn.scimProblem }
      }).pipe(Effect.provideService(RequestActivity.Held, holds))
      return Layer.effectDiscard(
        Effect.gen(function* () {
          yield* HttpServer.serveEffect(Compression.wrap(answered))
          // Event streams never end by themselves, and the server waits for open responses before it stops.
          yield* Effect.addFinalizer(() => Effect.flatMap(Events.OpenStreams, ({ stop }) => stop))
        })
      ).pipe(Layer.provide(server))
    })
  ).pipe(
    Layer.provide([Events.layer, StatusPages.layerSite, DashboardSite.layer(dashboardFolder)]),
    Layer.provide(NodeHttpServer.layerHttpServices)
  )
