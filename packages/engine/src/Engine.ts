/** The centre: everything that turns observations into the truth, as one layer. */
import type { BoundedEvaluator } from "@kanmon/core/BoundedEvaluator"
import type { ChannelRunner } from "@kanmon/core/ChannelRunner"
import type { Dialer } from "@kanmon/core/Dialer"
import type { BusUnavailable, EventBus } from "@kanmon/core/EventBus"
import * as Core from "@kanmon/core/EventBus"
import { Catalogue } from "@kanmon/core/PluginHost"
import type { Resolver } from "@kanmon/core/Resolver"
import { checksStream, eventsStream } from "@kanmon/domain/Subjects"
import type { AcmeAccounts } from "@kanmon/store/certificates/AcmeAccounts"
import type { Allowances } from "@kanmon/store/database/Allowances"
import type { Certificates } from "@kanmon/store/certificates/Certificates"
import type { Challenges } from "@kanmon/store/certificates/Challenges"
import type { Confirmations } from "@kanmon/store/alerts/Confirmations"
import type { CustomDomains } from "@kanmon/store/certificates/CustomDomains"
import type { Deliveries } from "@kanmon/store/alerts/Deliveries"
import type { Domains } from "@kanmon/store/monitors/Domains"
import type { EngineLocks } from "@kanmon/store/database/EngineLocks"
import type { Heartbeats } from "@kanmon/store/monitors/Heartbeats"
import type { Judging } from "@kanmon/store/history/Judging"
import type { Maintenance } from "@kanmon/store/incidents/Maintenance"
import type { Monitors } from "@kanmon/store/monitors/Monitors"
import type { Outbox } from "@kanmon/store/outbox/Outbox"
import type { Subscriptions } from "@kanmon/store/billing/Subscriptions"
import type { Upkeep } from "@kanmon/store/Upkeep"
import { Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { Acme, type AcmeSettings } from "./certificates/Acme.ts"
import * as AlertReview from "./alerts/AlertReview.ts"
import { Alerts } from "./alerts/Alerts.ts"
import * as Cluster from "./Cluster.ts"
import * as CustomDomainWatch from "./certificates/CustomDomainWatch.ts"
import * as Deliverer from "./alerts/Deliverer.ts"
import * as DomainWatch from "./expiry/DomainWatch.ts"
import * as EngineMetrics from "./EngineMetrics.ts"
import * as HeartbeatWatch from "./heartbeats/HeartbeatWatch.ts"
import * as Housekeeping from "./Housekeeping.ts"
import * as Judge from "./judging/Judge.ts"
import * as StalenessWorker from "./judging/StalenessWorker.ts"
import * as MaintenanceWatch from "./maintenance/MaintenanceWatch.ts"
import * as OutboxRelay from "./outbox/OutboxRelay.ts"
import { Rdap } from "./expiry/Rdap.ts"
import type { Regions } from "./Regions.ts"
import { SpecBuckets } from "./outbox/SpecBuckets.ts"
import * as SubscriptionWatch from "./SubscriptionWatch.ts"

export interface EngineOptions {
  readonly retentionDays: number
  /** Where links in notices lead, without a slash at the end. */
  readonly baseUrl: string
  /** Where the file that names the registries' RDAP servers is; unless given, at IANA. */
  readonly rdapBootstrapUrl?: string | undefined
  readonly customDomains: CustomDomainWatch.CustomDomainSettings
  readonly acme: AcmeSettings
  /** Names this engine over restarts. */
  readonly id: string
  readonly judge?: Partial<Judge.JudgeOptions>
}

/** The streams exist before anybody publishes or consumes. */
export const streams: Layer.Layer<never, BusUnavailable, EventBus> = Layer.effectDiscard(
  Effect.gen(function* () {
    const bus = yield* Core.EventBus
    yield* bus.ensureStream(checksStream)
    yield* bus.ensureStream(eventsStream)
  })
)

export const layer = (
  options: EngineOptions
): Layer.Layer<
  never,
  never,
  | AcmeAccounts
  | Allowances
  | BoundedEvaluator
  | Catalogue
  | Certificates
  | Challenges
  | ChannelRunner
  | Confirmations
  | CustomDomains
  | Deliveries
  | Dialer
  | Domains
  | EngineLocks
  | EventBus
  | Heartbeats
  | Judging
  | Maintenance
  | Monitors
  | Outbox
  | Regions
  | Resolver
  | SecureRandom.SecureRandom
  | Subscriptions
  | Upkeep
> =>
  Layer.mergeAll(
    Layer.mergeAll(
      Judge.layer({ retentionDays: options.retentionDays, ...options.judge }),
      Cluster.once("staleness", StalenessWorker.layer),
      Cluster.once("rules", AlertReview.layer),
      Cluster.once("maintenance", MaintenanceWatch.layer),
      Cluster.once(
        "domains",
        DomainWatch.layer.pipe(
          Layer.provide(
            Rdap.layer(options.rdapBootstrapUrl === undefined ? {} : { bootstrapUrl: options.rdapBootstrapUrl })
          )
        )
      )
    ).pipe(Layer.provide(Alerts.layer(options.baseUrl))),
    Cluster.once("heartbeats", HeartbeatWatch.layer),
    Cluster.once("subscriptions", SubscriptionWatch.layer),
    Cluster.once("outbox", OutboxRelay.layer.pipe(Layer.provide(SpecBuckets.layer))),
    Cluster.once("housekeeping", Housekeeping.layer(options)),
    // These share their work by leases, each engine as much as it can.
    CustomDomainWatch.layer({ ...options.customDomains, engine: options.id }).pipe(
      Layer.provide(Acme.layer(options.acme))
    ),
    Deliverer.layer({ engine: options.id }),
    Layer.effectDiscard(Effect.flatMap(Catalogue, ({ channels }) => EngineMetrics.beginDeliveries(channels.keys())))
  ).pipe(Layer.provide(Cluster.layer(options.id)))
