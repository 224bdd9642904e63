/** All of the store, on one connection. */
import { Effect, Layer, type Redacted } from "effect"
import { AccountLimits } from "./accounts/AccountLimits.ts"
import { Accounts } from "./accounts/Accounts.ts"
import { AcmeAccounts } from "./certificates/AcmeAccounts.ts"
import { Allowances } from "./database/Allowances.ts"
import { AlertHistory } from "./alerts/AlertHistory.ts"
import { AlertRules } from "./alerts/AlertRules.ts"
import * as AuthRecordsSql from "./accounts/AuthRecordsSql.ts"
import { Certificates } from "./certificates/Certificates.ts"
import { Challenges } from "./certificates/Challenges.ts"
import { Channels } from "./alerts/Channels.ts"
import { Confirmations } from "./alerts/Confirmations.ts"
import { CustomDomains } from "./certificates/CustomDomains.ts"
import { Deliveries } from "./alerts/Deliveries.ts"
import { DeliverySignal } from "./alerts/DeliverySignal.ts"
import { Domains } from "./monitors/Domains.ts"
import { EngineLocks } from "./database/EngineLocks.ts"
import { Heartbeats } from "./monitors/Heartbeats.ts"
import { History } from "./history/History.ts"
import { IdempotencyKeys } from "./database/IdempotencyKeys.ts"
import { Incidents } from "./incidents/Incidents.ts"
import { Judging } from "./history/Judging.ts"
import { Maintenance } from "./incidents/Maintenance.ts"
import { Monitors } from "./monitors/Monitors.ts"
import { Outbox } from "./outbox/Outbox.ts"
import { OutboxSignal } from "./outbox/OutboxSignal.ts"
import { PaymentAccounts } from "./billing/PaymentAccounts.ts"
import { Plans } from "./billing/Plans.ts"
import { ProbeRegions } from "./regions/ProbeRegions.ts"
import * as ProjectKeysSql from "./accounts/ProjectKeysSql.ts"
import { Projects } from "./accounts/Projects.ts"
import * as SecretCheck from "./database/SecretCheck.ts"
import { Secrets } from "./database/Secrets.ts"
import { PublicPages } from "./pages/PublicPages.ts"
import { SignInAttempts } from "./accounts/SignInAttempts.ts"
import { StatusPages } from "./pages/StatusPages.ts"
import { Subscriptions } from "./billing/Subscriptions.ts"
import { Upkeep } from "./Upkeep.ts"

/**
 * Every service, over a migrated database. `secret` is the installation's: what is stored encrypted depends on it, and a
 * process with another one is refused. `keepSecret` is run before a new database comes to depend on it.
 */
export const layer = <E = never>(secret: Redacted.Redacted, keepSecret: Effect.Effect<void, E> = Effect.void) =>
  Layer.mergeAll(
    AccountLimits.layer,
    Accounts.layer,
    AcmeAccounts.layer,
    AlertHistory.layer,
    AlertRules.layer,
    Allowances.layer,
    AuthRecordsSql.layer,
    Certificates.layer,
    Challenges.layer,
    Channels.layer,
    Confirmations.layer,
    CustomDomains.layer,
    Deliveries.layer,
    Domains.layer,
    EngineLocks.layer,
    Heartbeats.layer,
    History.layer,
    IdempotencyKeys.layer,
    Incidents.layer,
    Judging.layer,
    Maintenance.layer,
    Monitors.layer,
    Outbox.layer,
    PaymentAccounts.layer,
    Plans.layer,
    ProbeRegions.layer,
    ProjectKeysSql.layer,
    Projects.layer,
    SignInAttempts.layer,
    StatusPages.layer,
    PublicPages.layer,
    Subscriptions.layer,
    Upkeep.layer
  ).pipe(
    Layer.provide(Layer.effectDiscard(SecretCheck.check(keepSecret))),
    Layer.provide([DeliverySignal.layer, OutboxSignal.layer, Secrets.layer(secret)])
  )
