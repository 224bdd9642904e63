/** All of the store, on one connection. */
import { FailureReason } from "@kanmon/core/Recurring"
import { Effect, Layer, type Redacted } from "effect"
import * as Accounts from "./accounts/index.ts"
import * as Organizations from "./organizations/index.ts"
import * as CustomDomains from "./custom-domains/index.ts"
import { Allowances } from "./platform/database/Allowances.ts"
import * as Alerts from "./alerts/index.ts"
import * as Channels from "./channels/index.ts"
import * as DependencyUnavailable from "./platform/DependencyUnavailable.ts"
import * as DomainRegistrations from "./domain-registrations/index.ts"
import { EngineLocks } from "./platform/cluster/EngineLocks.ts"
import * as Heartbeats from "./heartbeats/index.ts"
import * as Evaluation from "./evaluation/index.ts"
import { DueWork } from "./platform/DueWork.ts"
import { IdempotencyKeys } from "./platform/http/IdempotencyKeys.ts"
import * as Incidents from "./incidents/index.ts"
import * as Maintenance from "./maintenance/index.ts"
import * as Monitors from "./monitors/index.ts"
import * as Audit from "./audit/index.ts"
import { Outbox } from "./platform/outbox/Outbox.ts"
import { OutboxQueue } from "./platform/outbox/OutboxQueue.ts"
import { Transaction } from "./platform/Transaction.ts"
import { OutboxSignal } from "./platform/outbox/OutboxSignal.ts"
import * as Billing from "./billing/index.ts"
import * as Regions from "./regions/index.ts"
import * as ApiKeys from "./api-keys/index.ts"
import * as Projects from "./projects/index.ts"
import * as SecretCheck from "./platform/database/SecretCheck.ts"
import { Secrets } from "./platform/database/Secrets.ts"
import * as StatusPages from "./status-pages/index.ts"
import * as SingleSignOn from "./sso/index.ts"
import * as Retention from "./retention/index.ts"

/** Accounts, organizations, projects and plans, with what other features do when they change. */
const accounts = Layer.mergeAll(
  Accounts.AuthRecordRepository.layer,
  Billing.layer.pipe(Layer.provide([Organizations.OrganizationLock.layer, Monitors.PlanFitting.layer]))
).pipe(
  Layer.provideMerge(
    Organizations.layer.pipe(Layer.provide([Projects.FirstProject.layer, Billing.PlansOfOrganizations.layer]))
  ),
  Layer.provideMerge(Projects.layer.pipe(Layer.provide([Alerts.DefaultRule.layer, StatusPages.ProjectPages.layer]))),
  Layer.provideMerge(Incidents.layer),
  Layer.provideMerge(Alerts.layer),
  Layer.provideMerge(Evaluation.layer),
  Layer.provideMerge(Maintenance.layer)
)

/**
 * Every service, over a migrated database. `secret` is the installation's: what is stored encrypted depends on it, and a
 * process with another one is refused. `keepSecret` is run before a new database comes to depend on it.
 */
export const layer = <E = never>(secret: Redacted.Redacted, keepSecret: Effect.Effect<void, E> = Effect.void) =>
  Layer.mergeAll(
    Allowances.layer,
    ApiKeys.layer,
    Channels.layer,
    CustomDomains.layer,
    DomainRegistrations.layer,
    DueWork.layer,
    EngineLocks.layer,
    Heartbeats.layer,
    IdempotencyKeys.layer,
    Monitors.layer,
    OutboxQueue.layer,
    Regions.layer,
    Retention.layer.pipe(
      Layer.provideMerge(
        Accounts.layer.pipe(
          Layer.provide([
            ApiKeys.layer,
            Channels.EarlierChannels.layer.pipe(Layer.provide(Channels.layer)),
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
    Layer.provideMerge(Audit.layer),
    Layer.provideMerge([Outbox.layer, Transaction.layer]),
    Layer.provide([OutboxSignal.layer, Secrets.layer(secret)])
  )
