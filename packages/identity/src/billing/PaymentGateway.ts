/**
 * The port to the payment provider, in terms of plans and accounts; the provider's own terms belong to its driver. Every call is
 * idempotent: repeating it after an uncertain outcome has no second effect.
 */
import type { PlanId, OrganizationId } from "@kanmon/domain/Ids"
import type { Plan } from "@kanmon/domain/Plan"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import type { PlanOffer } from "./Plans.ts"
import type { SubscriptionNews } from "./Subscriptions.ts"
import { Context, Data, Effect, Layer, type Option } from "effect"

/** Payments are disabled, or the provider rejects our key. Only the operator can fix it. */
export class BillingNotConfigured extends Data.TaggedError("BillingNotConfigured")<{ readonly detail: string }> {}

/** The provider does not answer; a later retry can succeed. */
export class PaymentsUnreachable extends Data.TaggedError("PaymentsUnreachable")<{ readonly detail: string }> {}

/** The request is not an event, or its signature does not match or is too old. */
export class BadSignature extends Data.TaggedError("BadSignature")<{ readonly detail: string }> {}

/** The provider no longer knows a record of ours: it was deleted, or the key belongs to another provider account. */
export class LostAtProvider extends Data.TaggedError("LostAtProvider")<{
  readonly what: "customer" | "offer" | "subscription"
}> {}

export type PaymentError = BillingNotConfigured | PaymentsUnreachable

/** A page on which a person pays. */
export interface Checkout {
  readonly id: string
  /** Its URL while it is open. */
  readonly url: string | null
  readonly status: "open" | "complete" | "expired"
  readonly subscriptionId: string | null
}

/** A subscription changed. Its state is fetched, because events arrive late, repeated and in any order. */
export interface PaymentEvent {
  readonly id: string
  readonly type: string
  /** Absent when the event concerns no subscription. */
  readonly about: { readonly subscriptionId: string; readonly customerId: string } | undefined
}

/** The purpose of a visit to the provider's portal. */
export type PortalPurpose =
  | { readonly _tag: "Look" }
  | {
      readonly _tag: "Change"
      readonly subscriptionId: string
      /** The item of the subscription that is the plan. */
      readonly itemId: string
      readonly offer: PlanOffer
    }
  | { readonly _tag: "Cancel"; readonly subscriptionId: string }

interface Gateway {
  /** Creates the customer of an account; `lost`: the one that it replaces. */
  readonly customer: (
    account: { readonly organizationId: OrganizationId; readonly email: string; readonly name: string },
    lost?: string
  ) => Effect.Effect<string, PaymentError>
  /** Creates or updates the offer of a plan. A former price accepts no new subscribers and keeps its own. */
  readonly offer: (plan: Plan, former: PlanOffer | undefined) => Effect.Effect<PlanOffer, PaymentError | LostAtProvider>
  /** Recreates the offer of a plan that the provider has lost. */
  readonly renewOffer: (plan: Plan, lost: PlanOffer) => Effect.Effect<PlanOffer, PaymentError | LostAtProvider>
  /** Stops the sale of an offer. Existing subscriptions continue. */
  readonly withdraw: (offer: PlanOffer) => Effect.Effect<void, PaymentError | LostAtProvider>
  readonly openCheckout: (checkout: {
    readonly organizationId: OrganizationId
    readonly customerId: string
    readonly planId: PlanId
    readonly priceId: string
    /** The account's previous checkout, if any. Part of the idempotency key, so that a new one can be opened. */
    readonly former: string | undefined
  }) => Effect.Effect<Checkout, PaymentError | LostAtProvider>
  readonly findCheckout: (id: string) => Effect.Effect<Option.Option<Checkout>, PaymentError>
  /** Closes a checkout, so that it accepts no payment. A finished one stays as it is. */
  readonly closeCheckout: (id: string) => Effect.Effect<void, PaymentError>
  /** Returns the URL of the page on which a customer manages the subscription. */
  readonly portal: (customerId: string, purpose: PortalPurpose) => Effect.Effect<string, PaymentError | LostAtProvider>
  readonly subscription: (id: string) => Effect.Effect<Option.Option<SubscriptionNews>, PaymentError>
  /** Verifies and decodes a webhook request; `at` is when it arrived. */
  readonly event: (
    body: string,
    signature: string | undefined,
    at: EpochMillis
  ) => Effect.Effect<PaymentEvent, BadSignature | BillingNotConfigured>
}

const refuse = () =>
  Effect.fail(
    new BillingNotConfigured({
      detail:
        "Billing is disabled: STRIPE_SECRET_KEY is not set. Limits come from KANMON_DEFAULT_PLAN alone, which the operator of this installation can change"
    })
  )

export class PaymentGateway extends Context.Service<
  PaymentGateway,
  Gateway & {
    /** Whether plans can be bought. */
    readonly configured: boolean
  }
>()("@kanmon/identity/billing/PaymentGateway") {
  /** The gateway of an installation without billing. */
  static readonly layerNone = Layer.succeed(
    PaymentGateway,
    PaymentGateway.of({
      configured: false,
      customer: refuse,
      offer: refuse,
      renewOffer: refuse,
      withdraw: refuse,
      openCheckout: refuse,
      findCheckout: refuse,
      closeCheckout: refuse,
      portal: refuse,
      subscription: refuse,
      event: refuse
    })
  )
}
