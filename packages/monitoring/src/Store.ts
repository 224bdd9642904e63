/** All of the store, on one connection. */
import { FailureReason } from "@kanmon/core/Recurring"
import { Effect, Layer, type Redacted } from "effect"
import * as Accounts from "@kanmon/identity/accounts"
import * as Organizations from "@kanmon/identity/organizations"
import * as ContactMethods from "./contact-methods/index.ts"
import * as CustomDomains from "./custom-domains/index.ts"
import { Allowances } from "@kanmon/platform/database/Allowances"
import * as Alerts from "./alerts/index.ts"
import * as Channels from "./channels/index.ts"
import * as Delivery from "./delivery/index.ts"
import * as DependencyUnavailable from "@kanmon/platform/DependencyUnavailable"
import * as DomainRegistrations from "./domain-registrations/index.ts"
import { EngineLocks } from "@kanmon/platform/cluster/EngineLocks"
import * as Heartbeats from "./heartbeats/index.ts"
import * as Escalation from "./escalation/index.ts"
import * as Evaluation from "./evaluation/index.ts"
import { DueWork } from "@kanmon/platform/DueWork"
import { IdempotencyKeys } from "@kanmon/platform/http/IdempotencyKeys"
import * as Incidents from "./incidents/index.ts"
import * as Maintenance from "./maintenance/index.ts"
import * as Monitors from "./monitors/index.ts"
import * as Audit from "@kanmon/identity/audit"
import * as OnCall from "./on-call/index.ts"
import { Outbox } from "@kanmon/platform/outbox/Outbox"
import { OutboxQueue } from "@kanmon/platform/outbox/OutboxQueue"
import { Transaction } from "@kanmon/platform/Transaction"
import { OutboxSignal } from "@kanmon/platform/outbox/OutboxSignal"
import * as Billing from "@kanmon/identity/billing"
import * as Regions from "./regions/index.ts"
import * as Specs from "./specs/index.ts"
import * as ApiKeys from "@kanmon/identity/api-keys"
import * as Projects from "@kanmon/identity/projects"
import * as SecretCheck from "@kanmon/platform/database/SecretCheck"
import { Secrets } from "@kanmon/platform/database/Secrets"
import * as Drills from "./drills/index.ts"
import * as Integrations from "./integrations/index.ts"
import * as PageTests from "./page-tests/index.ts"
import * as Replies from "./replies/index.ts"
import * as StatusPages from "./status-pages/index.ts"
import * as SingleSignOn from "@kanmon/identity/sso"
import * as Contents from "./contents/index.ts"
import * as Retention from "./retention/index.ts"

/** Channels, with what alerts do when they change. */
const channels = Channels.layer.pipe(Layer.provide([Alerts.ChannelUse.layer, Escalation.PolicyUse.channels]))

/** The features that send messages, by the kind of what they tell of. */
const senders = Layer.effect(
  Delivery.MessageSenders,
  Effect.gen(function* () {
    const pages = yield* Escalation.EscalationMessages
    return new Map([
      [Alerts.alertKind, yield* Alerts.AlertMessages],
      [Escalation.pageKind, pages],
      [Escalation.drillPageKind, pages],
      [Escalation.AcknowledgementMessages.acknowledgementKind, Escalation.AcknowledgementMessages.sender],
      [Alerts.pageTestKind, yield* PageTests.PageTestMessages],
      [Delivery.StoppedMethods.stoppedKind, Delivery.StoppedMethods.sender]
    ])
  })
).pipe(Layer.provide([Escalation.EscalationMessages.layer, PageTests.PageTestMessages.layer]))

/** Accounts, organizations, projects and plans, with what other features do when they change. */
const accounts = Layer.mergeAll(
  Accounts.AuthRecordRules.layer,
  Billing.layer.pipe(Layer.provide([Organizations.OrganizationLock.layer, Monitors.PlanFitting.layer]))
).pipe(
  Layer.provideMerge(
    Organizations.layer.pipe(
      Layer.provide([Projects.FirstProject.layer, Billing.PlansOfOrganizations.layer, Escalation.PolicyUse.teams])
    )
  ),
  Layer.provideMerge(
    Projects.layer.pipe(
      Layer.provide([Alerts.DefaultRule.layer, Monitors.ProjectMonitors.layer, StatusPages.ProjectPages.layer])
    )
  ),
  Layer.provideMerge(Incidents.layer),
  Layer.provideMerge(Delivery.layer),
  Layer.provideMerge(senders),
  Layer.provideMerge(Alerts.layer),
  Layer.provideMerge(PageTests.layer),
  Layer.provideMerge(Escalation.layerEscalations),
  Layer.provideMerge(Delivery.layerQueue),
  Layer.provideMerge(Evaluation.layer),
  Layer.provideMerge(Maintenance.layer),
  Layer.provideMerge([Contents.OrganizationContents.layer, OnCall.layerPresence])
)

/**
 * Every service, over a migrated database. `secret` is the installation's secret, which encrypts stored secrets; a
 * process with another one is refused. `keepSecret` is run before a new database comes to depend on it.
 */
export const layer = <E = never>(secret: Redacted.Redacted, keepSecret: Effect.Effect<void, E> = Effect.void) =>
  Layer.mergeAll(
    Allowances.layer,
    ApiKeys.layer,
    channels,
    ContactMethods.layer,
    CustomDomains.layer.pipe(Layer.provide(StatusPages.PageDomains.layer)),
    DomainRegistrations.layer,
    DueWork.layer,
    EngineLocks.layer,
    Heartbeats.layer,
    Integrations.layer,
    IdempotencyKeys.layer,
    Monitors.layer,
    Drills.Drills.layer.pipe(Layer.provide(Escalation.layer)),
    Escalation.layer,
    OnCall.layer.pipe(Layer.provide(Escalation.PolicyUse.schedules)),
    OutboxQueue.layer,
    Replies.layer,
    Regions.layer,
    Retention.layer.pipe(
      Layer.provideMerge(
        Accounts.layer.pipe(
          Layer.provide([
            ApiKeys.layer,
            Channels.EarlierChannels.layer.pipe(Layer.provide(channels)),
            ContactMethods.EarlierContactMethods.layer.pipe(Layer.provide(ContactMethods.layer)),
            SingleSignOn.layer
          ])
        )
      )
    ),
    SingleSignOn.layer,
    Layer.succeed(FailureReason, DependencyUnavailable.reason),
    StatusPages.layer
  ).pipe(
    Layer.provideMerge(accounts),
    Layer.provide(Layer.effectDiscard(SecretCheck.check(keepSecret))),
    Layer.provideMerge([Audit.layer, Specs.layer]),
    Layer.provideMerge([Outbox.layer, Transaction.layer]),
    Layer.provide([OutboxSignal.layer, Secrets.layer(secret)])
  )
