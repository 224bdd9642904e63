/** The engine: everything that turns observations into statuses, alerts and pages, as one layer. */
import type { BoundedEvaluator } from "@kanmon/core/BoundedEvaluator"
import type { ChannelRunner } from "@kanmon/core/ChannelRunner"
import type { Dialer } from "@kanmon/core/Dialer"
import type { BusUnavailable, EventBus } from "@kanmon/core/EventBus"
import * as Core from "@kanmon/core/EventBus"
import { Catalogue } from "@kanmon/core/PluginHost"
import type { Resolver } from "@kanmon/core/Resolver"
import { checksStream, eventsStream } from "@kanmon/domain/Subjects"
import type * as ContactMethods from "./contact-methods/index.ts"
import * as CustomDomains from "./custom-domains/index.ts"
import type { Allowances } from "@kanmon/platform/database/Allowances"
import type { Confirmations } from "./channels/index.ts"
import * as Alerts from "./alerts/index.ts"
import * as Delivery from "./delivery/index.ts"
import * as DomainRegistrations from "./domain-registrations/index.ts"
import type { DueWork } from "@kanmon/platform/DueWork"
import type { EngineLocks } from "@kanmon/platform/cluster/EngineLocks"
import * as Heartbeats from "./heartbeats/index.ts"
import * as Evaluation from "./evaluation/index.ts"
import * as Escalation from "./escalation/index.ts"
import * as OnCall from "./on-call/index.ts"
import type { Outbox } from "@kanmon/platform/outbox/Outbox"
import type { OutboxQueue } from "@kanmon/platform/outbox/OutboxQueue"
import type { Transaction } from "@kanmon/platform/Transaction"
import * as Billing from "@kanmon/identity/billing"
import * as Drills from "./drills/index.ts"
import * as Integrations from "./integrations/index.ts"
import * as PageTests from "./page-tests/index.ts"
import * as Replies from "./replies/index.ts"
import * as Retention from "./retention/index.ts"
import { Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import * as Cluster from "@kanmon/platform/cluster/Cluster"
import * as Maintenance from "./maintenance/index.ts"
import type { Regions } from "./regions/index.ts"
import type { RegistryRepository } from "./registry/index.ts"
import * as Specs from "./specs/index.ts"

export interface EngineOptions {
  readonly retentionDays: number
  /** Where links in notices lead, without a slash at the end. */
  readonly baseUrl: string
  /** The largest number of alerts within a minute that a channel gets one by one; 10 unless given. */
  readonly groupAlerts?: number | undefined
  /** Where the file that names the registries' RDAP servers is; unless given, at IANA. */
  readonly rdapBootstrapUrl?: string | undefined
  readonly customDomains: CustomDomains.CustomDomainSettings
  readonly acme: CustomDomains.AcmeSettings
  /** Names this engine over restarts. */
  readonly id: string
  readonly evaluation?: Partial<Evaluation.EvaluationOptions>
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
  | Alerts.AcknowledgeLinks
  | CustomDomains.AcmeAccounts
  | Allowances
  | BoundedEvaluator
  | Catalogue
  | CustomDomains.Certificates
  | CustomDomains.Challenges
  | ChannelRunner
  | ContactMethods.ContactMethods
  | Confirmations
  | CustomDomains.CustomDomains
  | Delivery.Deliveries
  | Delivery.DeliveryQueue
  | Delivery.MessageSenders
  | Dialer
  | DomainRegistrations.DomainRegistrations
  | DueWork
  | EngineLocks
  | EventBus
  | Heartbeats.HeartbeatRepository
  | Evaluation.CaptureRepository
  | Evaluation.EvaluationRepository
  | Maintenance.MaintenanceSchedule
  | Maintenance.MaintenanceWindows
  | Alerts.OpenAlerts
  | OnCall.Handoffs
  | Escalation.Escalations
  | Alerts.ExternalAlerts
  | Drills.Drills
  | Integrations.Inbound
  | PageTests.PageTests
  | Replies.PageReplies
  | Replies.ReplyRepository
  | Outbox
  | OutboxQueue
  | Regions
  | RegistryRepository
  | Resolver
  | Evaluation.Rollups
  | Alerts.HoldRepository
  | Delivery.ReaderZoneRepository
  | Evaluation.Summaries
  | Alerts.RuleReviewRepository
  | SecureRandom.SecureRandom
  | Specs.SpecRepository
  | Billing.Subscriptions
  | Transaction
  | Retention.Retention
> =>
  Layer.mergeAll(
    Layer.mergeAll(
      Evaluation.layerWorker({ retentionDays: options.retentionDays, ...options.evaluation }),
      Maintenance.layerWorker,
      DomainRegistrations.layerWorker.pipe(
        Layer.provide(
          DomainRegistrations.Rdap.layer(
            options.rdapBootstrapUrl === undefined ? {} : { bootstrapUrl: options.rdapBootstrapUrl }
          )
        )
      )
    ).pipe(Layer.provide(Evaluation.layerEvaluation), Layer.provide(Alerts.Alerts.layer(options.baseUrl))),
    Heartbeats.layerWorker,
    OnCall.layerWorker,
    Escalation.layerWorker,
    PageTests.layerWorker(options.baseUrl),
    Integrations.layerWorker(options.baseUrl),
    Drills.layerWorker(options.baseUrl),
    Billing.layerWorker,
    Specs.layerWorker,
    Retention.layerWorker(options),
    CustomDomains.layerWorker({ ...options.customDomains, engine: options.id }).pipe(
      Layer.provide(CustomDomains.Acme.layer(options.acme))
    ),
    Alerts.layerWorker,
    Delivery.layerWorker({
      engine: options.id,
      baseUrl: options.baseUrl,
      groupAlerts: options.groupAlerts ?? 10
    }).pipe(Layer.provide(Replies.layerPort)),
    Replies.layerWorker,
    Layer.effectDiscard(
      Effect.flatMap(Catalogue, ({ channels }) => Delivery.DeliveryMetrics.beginDeliveries(channels.keys()))
    )
  ).pipe(Layer.provide(Cluster.layer(options.id)))
