/**
 * The port to whoever takes the money. It speaks of plans and accounts; which company stands behind it, and in which words it
 * is spoken to, is the business of its driver. Everything may be asked again: a call that may have been answered before has the
 * same effect, not a second one.
 */
import type { PlanId, UserId } from "@kanmon/domain/Ids"
import type { Plan } from "@kanmon/domain/Plan"
import type { SubscriptionStatus } from "@kanmon/domain/Subscription"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Data, Effect, Layer, type Option } from "effect"

/** No account with a payment provider is configured. */
export class BillingNotConfigured extends Data.TaggedError("BillingNotConfigured")<{ readonly detail: string }> {}

/** It does not answer now; asking again later can help. */
export class PaymentsUnreachable extends Data.TaggedError("PaymentsUnreachable")<{ readonly detail: string }> {}

/** The signature does not go with the body, or is too old. */
export class BadSignature extends Data.TaggedError("BadSignature")<{ readonly detail: string }> {}

export type PaymentError = BillingNotConfigured | PaymentsUnreachable

/** A plan as the provider sells it. */
export interface Offer {
  /** Stays the same as long as the plan lives. */
  readonly productId: string
  readonly priceId: string
}

/** A subscription as it stands at the provider. */
export interface PaidSubscription {
  readonly id: string
  readonly customerId: string
  readonly productId: string
  /** What is changed when the subscription goes over to another plan. */
  readonly itemId: string
  readonly status: SubscriptionStatus
  readonly currentPeriodStart: EpochMillis
  readonly currentPeriodEnd: EpochMillis
  readonly cancelAt: EpochMillis | null
  readonly createdAt: EpochMillis
}

/** A page on which a person pays. */
export interface Checkout {
  readonly id: string
  readonly url: string | null
  readonly status: "open" | "complete" | "expired"
  readonly subscriptionId: string | null
}

/** Something happened to a subscription. Its state is to be asked for: news come late, twice and in any order. */
export interface PaymentEvent {
  readonly id: string
  readonly type: string
  /** Absent when the event concerns none. */
  readonly subscriptionId: string | undefined
}

/** What a person can do on a page of the provider about a subscription they have. */
export type PortalPurpose =
  | { readonly _tag: "Look" }
  | { readonly _tag: "Change"; readonly subscriptionId: string; readonly itemId: string; readonly priceId: string }
  | { readonly _tag: "Cancel"; readonly subscriptionId: string }

interface Gateway {
  /** The provider's customer for an account; made the first time. */
  readonly customer: (account: {
    readonly userId: UserId
    readonly email: string
    readonly name: string
  }) => Effect.Effect<string, PaymentError>
  /** Offers a plan as it is now. A former price takes no new subscribers, and keeps those it has. */
  readonly offer: (plan: Plan, former: Offer | undefined) => Effect.Effect<Offer, PaymentError>
  /** Takes an offer from sale. Those who have subscribed stay. */
  readonly withdraw: (offer: Offer) => Effect.Effect<void, PaymentError>
  readonly openCheckout: (checkout: {
    readonly userId: UserId
    readonly customerId: string
    readonly planId: PlanId
    readonly priceId: string
    /** The account's checkout before, if any: after it, the same checkout is another one. */
    readonly former: string | undefined
  }) => Effect.Effect<Checkout, PaymentError>
  readonly findCheckout: (id: string) => Effect.Effect<Option.Option<Checkout>, PaymentError>
  /** Nobody can pay on it any more. One that is over is left as it is. */
  readonly closeCheckout: (id: string) => Effect.Effect<void, PaymentError>
  /** The address of the page on which a customer looks after what they pay; `offers` are the plans they may go over to. */
  readonly portal: (
    customerId: string,
    purpose: PortalPurpose,
    offers: ReadonlyArray<Offer>
  ) => Effect.Effect<string, PaymentError>
  readonly subscription: (id: string) => Effect.Effect<Option.Option<PaidSubscription>, PaymentError>
  /** Reads an event that was sent to us, as it came over the wire. */
  readonly event: (
    body: string,
    signature: string | undefined
  ) => Effect.Effect<PaymentEvent, BadSignature | BillingNotConfigured>
}

export class PaymentGateway extends Context.Service<PaymentGateway, Gateway & { readonly configured: boolean }>()(
  "@kanmon/server/PaymentGateway"
) {
  /** Nothing can be bought. */
  static readonly layerUnconfigured = Layer.succeed(
    PaymentGateway,
    (() => {
      const refuse = () =>
        Effect.fail(
          new BillingNotConfigured({
            detail:
              "Nothing can be bought here: payments are not configured. Whoever runs this installation can set STRIPE_SECRET_KEY, or lift the limits with KANMON_DEFAULT_PLAN"
          })
        )
      return PaymentGateway.of({
        configured: false,
        customer: refuse,
        offer: refuse,
        withdraw: refuse,
        openCheckout: refuse,
        findCheckout: refuse,
        closeCheckout: refuse,
        portal: refuse,
        subscription: refuse,
        event: refuse
      })
    })()
  )
}
