/** All of the store, on one connection. */
import { Layer, type Redacted } from "effect"
import { Accounts } from "./Accounts.ts"
import { AcmeAccounts } from "./AcmeAccounts.ts"
import { AlertHistory } from "./AlertHistory.ts"
import { AlertRules } from "./AlertRules.ts"
import * as AuthRecordsSql from "./AuthRecordsSql.ts"
import { Certificates } from "./Certificates.ts"
import { Challenges } from "./Challenges.ts"
import { Channels } from "./Channels.ts"
import { CustomDomains } from "./CustomDomains.ts"
import { Deliveries } from "./Deliveries.ts"
import { DeliverySignal } from "./DeliverySignal.ts"
import { Domains } from "./Domains.ts"
import { Heartbeats } from "./Heartbeats.ts"
import { History } from "./History.ts"
import { IdempotencyKeys } from "./IdempotencyKeys.ts"
import { Incidents } from "./Incidents.ts"
import { Judging } from "./Judging.ts"
import { Maintenance } from "./Maintenance.ts"
import { Monitors } from "./Monitors.ts"
import { Outbox } from "./Outbox.ts"
import { OutboxSignal } from "./OutboxSignal.ts"
import { PaymentAccounts } from "./PaymentAccounts.ts"
import { Plans } from "./Plans.ts"
import * as ProjectKeysSql from "./ProjectKeysSql.ts"
import { Projects } from "./Projects.ts"
import { Secrets } from "./Secrets.ts"
import { PublicPages } from "./PublicPages.ts"
import { StatusPages } from "./StatusPages.ts"
import { Subscriptions } from "./Subscriptions.ts"
import { Upkeep } from "./Upkeep.ts"

/** Every service, over a migrated database. `secret` is the installation's: what is stored encrypted depends on it. */
export const layer = (secret: Redacted.Redacted) =>
  Layer.mergeAll(
    Accounts.layer,
    AcmeAccounts.layer,
    AlertHistory.layer,
    AlertRules.layer,
    AuthRecordsSql.layer,
    Certificates.layer,
    Challenges.layer,
    Channels.layer,
    CustomDomains.layer,
    Deliveries.layer,
    Domains.layer,
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
    ProjectKeysSql.layer,
    Projects.layer,
    StatusPages.layer,
    PublicPages.layer,
    Subscriptions.layer,
    Upkeep.layer
  ).pipe(Layer.provide([DeliverySignal.layer, OutboxSignal.layer, Secrets.layer(secret)]))
