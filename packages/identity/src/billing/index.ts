/** Plans, their limits, subscriptions and payments. */
import { Layer } from "effect"
import * as Cluster from "@kanmon/platform/cluster/Cluster"
import * as BillingHandlers from "./BillingHandlers.ts"
import * as BillingWorker from "./BillingWorker.ts"
import { PaymentAccounts } from "./PaymentAccounts.ts"
import * as PaymentHandlers from "./PaymentHandlers.ts"
import { Plans } from "./Plans.ts"
import { Subscriptions } from "./Subscriptions.ts"
import * as SubscriptionWorker from "./SubscriptionWorker.ts"

export { Billing } from "./Billing.ts"
export { DefaultPlan } from "./DefaultPlan.ts"
export { PaymentGateway } from "./PaymentGateway.ts"
export { PlanChanged } from "./PlanChanged.ts"
export * as PlanLimit from "./PlanLimit.ts"
export * as PlansOfOrganizations from "./PlansOfOrganizations.ts"
export { Plans } from "./Plans.ts"
export { Entitlement, PlanLimitReached } from "./Entitlement.ts"
export * as StripePayments from "./StripePayments.ts"
export { Subscriptions } from "./Subscriptions.ts"

/** The services of this feature. */
export const layer = Layer.mergeAll(PaymentAccounts.layer, Plans.layer, Subscriptions.layer)

/** The operations of this feature. */
export const layerApi = BillingHandlers.layer

/** Endpoints that read the request themselves. */
export const layerDirect = PaymentHandlers.layer

/** The jobs of this feature. */
export const layerWorker = Cluster.singleton("subscriptions", SubscriptionWorker.layer)

/** The job of every process that calls the payment provider. */
export const layerPaymentWorker = BillingWorker.layer
