/**
 * The port to whoever takes the money. It speaks of plans and accounts; which company stands behind it, and in which words it
 * is spoken to, is the business of its driver. Everything may be asked again: a call that may have been answered before has the
 * same effect, not a second one.
 */
import type { PlanId, UserId } from "@kanmon/domain/Ids"
import type { Plan } from "@kanmon/domain/Plan"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import type { PlanOffer } from "@kanmon/store/billing/Plans"
import type { SubscriptionNews } from "@kanmon/store/billing/Subscriptions"
import { Context, Data, Effect, Layer, type Option } from "effect"

/** Nobody takes money here, or they do not know us. The operator can mend it, asking again cannot. */
export class BillingNotConfigured extends Data.TaggedError("BillingNotConfigured")<{ readonly detail: string }> {}

/** It does not answer now; asking again later can help. */
export class PaymentsUnreachable extends Data.TaggedError("PaymentsUnreachable")<{ readonly detail: string }> {}

/** What was sent is no event, or its signature does not go with it or is too old. */
export class BadSignature extends Data.TaggedError("BadSignature")<{ readonly detail: string }> {}

/** It no longer knows something that it made for us: somebody deleted it, or we speak to another account of ours now. */
export class LostAtProvider extends Data.TaggedError("LostAtProvider")<{
  readonly what: "customer" | "offer" | "subscription"
}> {}

export type PaymentError = BillingNotConfigured | PaymentsUnreachable

/** A page on which a person pays. */
export interface Checkout {
  readonly id: string
  /** Where it is, as long as it is open. */
  readonly url: string | null
  readonly status: "open" | "complete" | "expired"
  readonly subscriptionId: string | null
}

/** Something happened to a subscription. How it stands is to be asked: news come late, twice and in any order. */
export interface PaymentEvent {
  readonly id: string
  readonly type: string
  /** Absent when the event concerns no subscription. */
  readonly about: { readonly subscriptionId: string; readonly customerId: string } | undefined
}

/** What a person wants to do about what they pay. */
export type PortalPurpose =
  | { readonly _tag: "Look" }
  | {
      readonly _tag: "Change"
      readonly subscriptionId: string
      /** The part of the subscription that is the plan. */
      readonly itemId: string
      readonly offer: PlanOffer
    }
  | { readonly _tag: "Cancel"; readonly subscriptionId: string }

interface Gateway {
  /** Makes the provider's customer for an account, in the place of one that was lost. */
  readonly customer: (
    account: { readonly userId: UserId; readonly email: string; readonly name: string },
    lost?: string
  ) => Effect.Effect<string, PaymentError>
  /** Sells a plan as it is now. A former price takes no new subscribers, and keeps those it has. */
  readonly offer: (plan: Plan, former: PlanOffer | undefined) => Effect.Effect<PlanOffer, PaymentError | LostAtProvider>
  /** Sells a plan anew, in the place of an offer that was lost. */
  readonly renewOffer: (plan: Plan, lost: PlanOffer) => Effect.Effect<PlanOffer, PaymentError | LostAtProvider>
  /** Takes an offer from sale. Those who have subscribed stay. */
  readonly withdraw: (offer: PlanOffer) => Effect.Effect<void, PaymentError | LostAtProvider>
  readonly openCheckout: (checkout: {
    readonly userId: UserId
    readonly customerId: string
    readonly planId: PlanId
    readonly priceId: string
    /** The account's checkout before, if any: who asks again after it wants another one. */
    readonly former: string | undefined
  }) => Effect.Effect<Checkout, PaymentError | LostAtProvider>
  readonly findCheckout: (id: string) => Effect.Effect<Option.Option<Checkout>, PaymentError>
  /** Nobody can pay on it any more. One that is over is left as it is. */
  readonly closeCheckout: (id: string) => Effect.Effect<void, PaymentError>
  /** The address of the page on which a customer looks after what they pay. */
  readonly portal: (customerId: string, purpose: PortalPurpose) => Effect.Effect<string, PaymentError | LostAtProvider>
  readonly subscription: (id: string) => Effect.Effect<Option.Option<SubscriptionNews>, PaymentError>
  /** Reads what was sent to us, as it came over the wire at an instant. */
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
        "Nothing is sold here: STRIPE_SECRET_KEY is not set. Limits come from KANMON_DEFAULT_PLAN alone, which the operator of this installation can change"
    })
  )

export class PaymentGateway extends Context.Service<
  PaymentGateway,
  Gateway & {
    /** Something can be bought. */
    readonly configured: boolean
  }
>()("@kanmon/server/PaymentGateway") {
  /** Nobody takes money. */
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
