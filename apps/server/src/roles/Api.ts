/** The API: HTTP for API users, dashboards, status pages and payment webhooks, with its listeners. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { layerPaymentWorker, PaymentGateway, StripePayments } from "@kanmon/identity/billing"
import { ServedCertificates } from "@kanmon/monitoring/custom-domains"
import { Watchdog } from "@kanmon/monitoring/health"
import { TargetWarnings } from "@kanmon/monitoring/monitors"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import { Regions } from "@kanmon/monitoring/regions"
import { SignInMethods } from "@kanmon/identity/sso"
import { SignOnNetwork } from "@kanmon/identity/sso"
import { Catalogue } from "@kanmon/core/PluginHost"
import { AuthPluginSettings } from "@kanmon/platform/http/Authenticator"
import { version } from "@kanmon/platform/version"
import { Effect, Layer, Option } from "effect"
import * as HttpApp from "../HttpApp.ts"
import * as Http01Listener from "../listeners/Http01Listener.ts"
import * as NodeServer from "../listeners/NodeServer.ts"
import * as TlsListener from "../listeners/TlsListener.ts"
import * as PluginSettings from "../PluginSettings.ts"
import { Settings } from "../Settings.ts"
import * as SignInSettings from "../SignInSettings.ts"
import { authSettings } from "./ControlPlane.ts"
import { checkNetwork, onPort } from "./Shared.ts"

const apiSettings = Layer.effect(
  ApiSettings,
  Effect.gen(function* () {
    const settings = yield* Settings
    const regions = yield* Regions
    return ApiSettings.of({
      baseUrl: settings.baseUrl,
      version,
      trustedProxy: settings.trustedProxy,
      phonesOnFreePlans: settings.smsOnFreePlans,
      pagesDomain: Option.getOrUndefined(settings.pagesDomain),
      pagesHost: Option.getOrUndefined(settings.pagesHost),
      reservedDomains: settings.reservedDomains,
      limits: {
        reads: settings.readsPerMinute,
        writes: settings.writesPerMinute,
        signIns: settings.signInsPerMinute,
        signals: settings.signalsPerMinute
      },
      quotas: settings.quotas,
      retentionDays: settings.retentionDays,
      knownRegions: Effect.map(regions.current, ({ labels }) => labels)
    })
  })
)

/** Stripe, when its key is set; otherwise no plans are sold. */
const payments = Layer.unwrap(
  Effect.map(Settings, ({ baseUrl, stripeApiBase, stripeSecretKey, stripeWebhookSecret }) =>
    Option.match(stripeSecretKey, {
      onNone: () => PaymentGateway.layerNone,
      onSome: (secretKey) =>
        StripePayments.layer({
          baseUrl,
          secretKey,
          webhookSecret: Option.getOrUndefined(stripeWebhookSecret),
          apiBase: Option.getOrUndefined(stripeApiBase)
        })
    })
  )
)

const targetWarnings = Layer.unwrap(
  Effect.map(Settings, ({ allowPrivateTargets }) => TargetWarnings.layer({ allowPrivate: allowPrivateTargets }))
).pipe(Layer.provide(checkNetwork))

/** How people sign in, and the connections to identity providers. */
const signIn = Layer.unwrap(
  Effect.map(Settings, ({ allowPrivateTargets, signIn }) =>
    Layer.merge(
      Layer.succeed(SignInMethods, SignInSettings.methods(signIn)),
      SignOnNetwork.layer({ allowPrivate: allowPrivateTargets })
    )
  )
)

/** The operator's settings for auth plugins. */
const authPlugins = Layer.effect(
  AuthPluginSettings,
  Effect.flatMap(Catalogue, ({ auths }) => PluginSettings.read(auths.map((auth) => [auth.name, auth])))
)

/** HTTP on `KANMON_PORT`, and the listeners with a configured port. */
const listeners = Layer.unwrap(
  Effect.map(Settings, ({ baseUrl, host, http01Port, maxConnections, port, tlsPort }) => {
    const plain = NodeServer.make()
    // All three read it: plain HTTP redirects a name as soon as TLS serves it.
    const servedCertificates = Option.isSome(tlsPort) ? ServedCertificates.layer : Layer.empty
    return Layer.mergeAll(
      HttpApp.layer(NodeHttpServer.layerServer(() => plain, { port, host })),
      Layer.effectDiscard(NodeServer.limitConnections(plain, maxConnections)),
      onPort(tlsPort, (port) => TlsListener.layer({ plain, host, port, maxConnections })),
      onPort(http01Port, (port) => Http01Listener.layer({ baseUrl, host, port, maxConnections }))
    ).pipe(Layer.provide(servedCertificates))
  })
)

const watchdog = Layer.unwrap(
  Effect.map(Settings, ({ watchdogUrl }) =>
    Option.match(watchdogUrl, { onNone: () => Layer.empty, onSome: Watchdog.layer })
  )
)

export const layer = Layer.mergeAll(listeners, layerPaymentWorker, watchdog).pipe(
  Layer.provide([apiSettings, authPlugins, authSettings, payments, signIn, targetWarnings])
)
