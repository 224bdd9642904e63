/** The composition root: the parts that the roles of this process need, on the drivers that the settings choose. */
import { createHash } from "node:crypto"
import { hostname } from "node:os"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { AuthSettings } from "@kanmon/core/AuthSettings"
import { BoundedEvaluator } from "@kanmon/core/BoundedEvaluator"
import { BusClock } from "@kanmon/core/BusClock"
import { ChannelRunner } from "@kanmon/core/ChannelRunner"
import * as CheckNetwork from "@kanmon/core/CheckNetwork"
import { EventBus } from "@kanmon/core/EventBus"
import * as NodeDialer from "@kanmon/core/NodeDialer"
import * as NodeResolver from "@kanmon/core/NodeResolver"
import { RecipientPolicy } from "@kanmon/core/Recipient"
import { Resolver } from "@kanmon/core/Resolver"
import { Catalogue } from "@kanmon/core/PluginHost"
import { sourceOf } from "@kanmon/core/PluginSource"
import * as Engine from "@kanmon/engine/Engine"
import { announcementTtl, Regions } from "@kanmon/engine/Regions"
import { Probe } from "@kanmon/probe/Probe"
import { anyAnswers } from "@kanmon/probe/ReferenceTargets"
import { basePath } from "@kanmon/protocol/Api"
import { Accounts } from "@kanmon/store/accounts/Accounts"
import { Channels } from "@kanmon/store/alerts/Channels"
import { DefaultPlan } from "@kanmon/store/billing/DefaultPlan"
import { Plans } from "@kanmon/store/billing/Plans"
import * as SecretCheck from "@kanmon/store/database/SecretCheck"
import { deriveKey } from "@kanmon/store/database/Secrets"
import * as Store from "@kanmon/store/Store"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import * as BillingWatch from "./billing/BillingWatch.ts"
import { PaymentGateway } from "./billing/PaymentGateway.ts"
import * as Bus from "./Bus.ts"
import * as ChannelSettings from "./ChannelSettings.ts"
import { DataDirectory } from "./DataDirectory.ts"
import * as DatabaseChoice from "./DatabaseChoice.ts"
import * as HealthLive from "./HealthLive.ts"
import { ApiSettings } from "./http/ApiSettings.ts"
import * as HttpApp from "./http/HttpApp.ts"
import * as MetricsListener from "./http/MetricsListener.ts"
import * as NodeServer from "./http/NodeServer.ts"
import { TargetWarnings } from "./http/TargetWarnings.ts"
import * as Http01Listener from "./pages/Http01Listener.ts"
import * as OwnDomains from "./pages/OwnDomains.ts"
import { ServedCertificates } from "./pages/ServedCertificates.ts"
import * as TlsListener from "./pages/TlsListener.ts"
import { bundled } from "./plugins.gen.ts"
import * as PluginConsole from "./PluginConsole.ts"
import { emailKind } from "./recipients/OwnMessages.ts"
import { BadSetting, Settings } from "./Settings.ts"
import * as StrayErrors from "./StrayErrors.ts"
import { version } from "./version.ts"
import * as Watchdog from "./Watchdog.ts"

const bufferedObservations = 100_000

/** Every plugin: those that come with Kanmon, then those of the settings. */
export const plugins = Layer.unwrap(
  Effect.map(Settings, (settings) =>
    Catalogue.layer([...bundled, ...settings.plugins.map((specifier) => sourceOf(specifier, process.cwd()))])
  )
).pipe(Layer.provide([StrayErrors.layer, PluginConsole.layer]))

/** The way out to the network for the service itself, under the settings' policy. */
const network = Layer.unwrap(
  Effect.map(Settings, ({ allowPrivateTargets, dnsResolver }) => {
    const policy = { allowPrivate: allowPrivateTargets }
    return NodeDialer.layer(policy).pipe(
      Layer.provideMerge(NodeResolver.layer({ ...policy, server: Option.getOrUndefined(dnsResolver) }))
    )
  })
)

/** The network as monitors see it: users choose their targets. */
const checkNetwork = Layer.unwrap(
  Effect.map(Settings, ({ allowPrivateTargets, checkResolver, dnsResolver }) =>
    CheckNetwork.layer({
      allowPrivate: allowPrivateTargets,
      server: Option.getOrUndefined(Option.orElse(checkResolver, () => dnsResolver))
    })
  )
)

const targetWarnings = Layer.unwrap(
  Effect.map(Settings, ({ allowPrivateTargets }) => TargetWarnings.layer({ allowPrivate: allowPrivateTargets }))
).pipe(Layer.provide(checkNetwork))

const defaultPlan = Layer.effect(
  DefaultPlan,
  Effect.map(Settings, ({ defaultPlan }) => defaultPlan)
)

/** Accounts without a subscription would have no plan at all. */
const defaultPlanExists = Layer.effectDiscard(
  Effect.gen(function* () {
    const all = yield* Effect.flatMap(Plans, ({ list }) => list)
    const { defaultPlan } = yield* Settings
    if (all.some(({ id }) => id === defaultPlan)) return
    const problem = `There is no plan ${defaultPlan}; there are ${all.map(({ id }) => id).join(", ")}`
    return yield* new BadSetting({ setting: "KANMON_DEFAULT_PLAN", problem })
  })
)

/** Fewer characters can be guessed by whoever has a copy of the database. */
export const shortestSecret = 32

/** A short secret is refused while it can still be another one; where something is encrypted under it, it goes on. */
const secretIsLong = Layer.effectDiscard(
  Effect.gen(function* () {
    const { length } = Redacted.value((yield* DataDirectory).secret)
    if (length >= shortestSecret) return
    const has = `It has ${length} ${length === 1 ? "character" : "characters"} and needs at least ${shortestSecret}`
    if (yield* SecretCheck.isNew)
      return yield* new BadSetting({ setting: "KANMON_SECRET", problem: `${has}. Make one: openssl rand -hex 32` })
    yield* Effect.logWarning(
      `The secret of this installation is too short. ${has}. It is kept, because this database is encrypted under it; docs/operate/upgrade.md says what to do.`
    )
  })
)

/** The store over a migrated database, under the installation's secret. */
export const storeUnderSecret = Layer.unwrap(
  Effect.gen(function* () {
    const { keepSecret, secret } = yield* DataDirectory
    const settings = yield* Settings
    return Store.layer(secret, Option.isSome(settings.secret) ? Effect.void : keepSecret)
  })
).pipe(Layer.provide(secretIsLong))

/** The store over the chosen database. */
const store = defaultPlanExists.pipe(
  Layer.provideMerge(storeUnderSecret),
  Layer.provideMerge(DatabaseChoice.migrated),
  Layer.provide(defaultPlan)
)

/** What the auth plugins are told of this installation. */
export const authSettings = Layer.effect(
  AuthSettings,
  Effect.gen(function* () {
    const settings = yield* Settings
    const { secret } = yield* DataDirectory
    return AuthSettings.of({
      apiUrl: `${settings.baseUrl}${basePath}`,
      secret: Redacted.make(deriveKey(secret, "kanmon/auth/sessions").toString("base64url")),
      signUp: settings.signUp,
      adminEmails: settings.adminEmails
    })
  })
)

/** Whom notifications may be sent to, and how often: the same for whoever takes channels and whoever delivers. */
const recipientPolicy = Layer.effect(
  RecipientPolicy,
  Effect.map(Settings, ({ confirmRecipients, emailsPerHour, signUp, smsCountries, smsPerHour }) => ({
    // With sign-up closed everybody who enters an address is somebody whom the operator knows.
    confirm: confirmRecipients === "always" || (confirmRecipients === "auto" && signUp === "open"),
    phonePrefixes: smsCountries,
    perHour: { email: emailsPerHour, phone: smsPerHour }
  }))
)

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
      knownRegions: Effect.map(regions.current, ({ labels }) => labels)
    })
  })
)

/** What the operator set for the channel kinds, read by the names that their plugins declare. */
const channelRunner = Layer.unwrap(
  Effect.gen(function* () {
    const { allowPrivateTargets } = yield* Settings
    const { channels } = yield* Catalogue
    const operator = yield* ChannelSettings.read(channels)
    return ChannelRunner.layer({ dialer: { allowPrivate: allowPrivateTargets }, operator })
  })
)

/** Who takes the money for plans. */
const payments = Layer.unwrap(
  Effect.map(Settings, ({ baseUrl, stripeApiBase, stripeSecretKey, stripeWebhookSecret }) =>
    Option.match(stripeSecretKey, {
      onNone: () => PaymentGateway.layerNone,
      onSome: (secretKey) =>
        // Stripe's library is large: who takes no payments does not load it.
        Layer.unwrap(
          Effect.map(
            Effect.promise(() => import("./billing/StripeGateway.ts")),
            (StripeGateway) =>
              StripeGateway.layer({
                baseUrl,
                secretKey,
                webhookSecret: Option.getOrUndefined(stripeWebhookSecret),
                apiBase: Option.getOrUndefined(stripeApiBase)
              })
          )
        )
    })
  )
)

const regions = Layer.unwrap(Effect.map(Settings, ({ knownRegions }) => Regions.layer(knownRegions)))

/** A listener that is there when a setting names its port. */
const onPort = <E, R>(port: Option.Option<number>, listener: (port: number) => Layer.Layer<never, E, R>) =>
  Option.match(port, { onNone: () => Layer.empty, onSome: listener })

const api = Layer.unwrap(
  Effect.map(Settings, ({ baseUrl, host, http01Port, maxConnections, port, tlsPort, watchdogUrl }) => {
    const plain = NodeServer.make()
    return Layer.mergeAll(
      HttpApp.layer.pipe(Layer.provide(NodeHttpServer.layer(() => plain, { port, host }))),
      Layer.effectDiscard(NodeServer.limitConnections(plain, maxConnections)),
      BillingWatch.layer,
      onPort(tlsPort, (port) => TlsListener.layer({ plain, host, port, maxConnections })),
      onPort(http01Port, (port) => Http01Listener.layer({ baseUrl, host, port, maxConnections })),
      Option.match(watchdogUrl, { onNone: () => Layer.empty, onSome: Watchdog.layer })
    ).pipe(
      Layer.provide(Option.isSome(tlsPort) ? ServedCertificates.layer : Layer.empty),
      Layer.provide([apiSettings, authSettings, payments, targetWarnings])
    )
  })
)

const engine = Layer.unwrap(
  Effect.gen(function* () {
    const { baseUrl, rdapBootstrapUrl, retentionDays } = yield* Settings
    const ownDomains = yield* OwnDomains.read
    const { path } = yield* DataDirectory
    return Engine.layer({
      retentionDays,
      baseUrl,
      rdapBootstrapUrl: Option.getOrUndefined(rdapBootstrapUrl),
      id: instanceId(path, "engine"),
      ...ownDomains
    })
  })
)

/** One process runs from a data directory, so machine and directory name its parts over restarts. */
export const instanceId = (directory: string, part: string): string =>
  createHash("sha256").update(`${hostname()}\n${directory}\n${part}`).digest("hex").slice(0, 24)

const probe = Layer.unwrap(
  Effect.gen(function* () {
    const settings = yield* Settings
    const directory = yield* DataDirectory
    if (settings.formerReferenceTargets.length > 0) {
      yield* Effect.logWarning(
        "KANMON_SENTINELS is deprecated and will not be read by the next release; use KANMON_REFERENCE_TARGETS"
      )
    }
    const referenceTargets = [settings.referenceTargets, settings.formerReferenceTargets].find((all) => all.length > 0)
    return Probe.layer({
      id: instanceId(directory.path, settings.region),
      region: settings.region,
      concurrency: settings.probeConcurrency,
      hostConcurrency: settings.hostConcurrency,
      version,
      buffer: bufferedObservations,
      announcementTtl,
      referenceTargets:
        referenceTargets === undefined
          ? undefined
          : // The operator chose them, wherever they are.
            anyAnswers(referenceTargets, NodeDialer.make({ allowPrivate: true }, yield* Resolver))
    }).pipe(Layer.provide(checkNetwork))
  })
)

/** This process's clock, measured and corrected: all its parts go by the bus's time. */
const busClock = Layer.unwrap(
  Effect.gen(function* () {
    const { region, roles } = yield* Settings
    const { path } = yield* DataDirectory
    const place = roles.includes("probe") ? region : "control-plane"
    return BusClock.layer(`${place}.${instanceId(path, "clock")}`)
  })
)

/** This process's health and metrics, on a port of their own. */
const metrics = Layer.unwrap(
  Effect.map(Settings, ({ host, metricsPort }) => onPort(metricsPort, (port) => MetricsListener.layer({ host, port })))
)

/** Whether a kind of channel for e-mail is set up. */
const sendsMail = Effect.gen(function* () {
  const runner = yield* Effect.serviceOption(ChannelRunner)
  const kind = emailKind((yield* Catalogue).channels)
  return Option.isSome(runner) && kind !== undefined && runner.value.isSetUp(kind.type)
})

/** For people: what this process stands on. */
export class Summary extends Context.Service<
  Summary,
  {
    readonly database: string
    readonly bus: string
    readonly localAccess: Context.Service.Shape<typeof Bus.LocalAccess>
    /** Without a database they are not looked for, and taken to exist. */
    readonly hasAccounts: boolean
    readonly hasChannels: boolean
    /** The operator has set up mail. */
    readonly sendsMail: boolean
    /** Accounts that KANMON_ADMIN_EMAILS names and that are no admins, because their addresses are not verified. */
    readonly unprovenAdmins: ReadonlyArray<string>
  }
>()("@kanmon/server/Summary") {
  static readonly layer = Layer.effect(
    Summary,
    Effect.gen(function* () {
      const bus = yield* EventBus
      const database = yield* Effect.serviceOption(DatabaseChoice.DatabaseDescription)
      const channels = yield* Effect.serviceOption(Channels)
      const accounts = yield* Effect.serviceOption(Accounts)
      const { adminEmails } = yield* Settings
      const unproven = Option.isSome(accounts) ? yield* accounts.value.unproven(adminEmails) : []
      return Summary.of({
        bus: bus.description,
        localAccess: yield* Bus.LocalAccess,
        hasAccounts: Option.isNone(accounts) || (yield* accounts.value.exist),
        hasChannels: Option.isNone(channels) || (yield* channels.value.exist),
        sendsMail: yield* sendsMail,
        unprovenAdmins: unproven.map(({ email }) => email),
        database: Option.getOrElse(database, () => "none (this role needs no database)")
      })
    })
  )
}

/** The product with what prepares it, as far as types can follow: the parts depend on the roles. */
type Prepared<A, E, R> = Layer.Layer<
  A | Summary,
  E | Layer.Error<typeof Summary.layer>,
  Exclude<R, Layer.Success<typeof store>> | Layer.Services<typeof Summary.layer>
>

/**
 * Everything that the roles of this process need. `preparation` is built when the store stands and before anybody watches
 * or serves; a process without a database does without it.
 */
export const layerAfter = <A, E, R>(preparation: Layer.Layer<A, E, R>) =>
  Layer.unwrap(
    Effect.map(Settings, ({ roles }) => {
      const plays = (role: (typeof roles)[number]) => roles.includes(role)
      const probes = plays("probe") ? probe : Layer.empty
      if (!plays("api") && !plays("engine")) {
        return Layer.merge(metrics, Summary.layer).pipe(
          Layer.provide(HealthLive.layer),
          Layer.provideMerge(probes)
        ) as unknown as Prepared<A, E, R>
      }
      const centre = Layer.mergeAll(plays("engine") ? engine : Layer.empty, metrics, Summary.layer)
      return (plays("api") ? Layer.merge(centre, api) : centre).pipe(
        Layer.provide(HealthLive.layer),
        // The api looks at the probe of its own process, so the probe stands below it.
        Layer.provideMerge(probes),
        Layer.provideMerge(regions),
        Layer.provideMerge(channelRunner),
        Layer.provide(recipientPolicy),
        Layer.provideMerge(preparation),
        Layer.provideMerge(store),
        Layer.provide(Engine.streams)
      ) as unknown as Prepared<A, E, R>
    })
  ).pipe(
    Layer.provide(busClock),
    Layer.provide(Bus.layer),
    Layer.provide([plugins, network, BoundedEvaluator.layer, SecureRandom.layerWebCrypto])
  )

/** Everything that the roles of this process need. */
export const layer = layerAfter(Layer.empty)
