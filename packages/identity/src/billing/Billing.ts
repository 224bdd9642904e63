/** Buying, changing and cancelling plans, and processing the payment provider's events. */
import type { PlanId, OrganizationId } from "@kanmon/domain/Ids"
import { isLive } from "@kanmon/domain/Subscription"
import { dayMillis } from "@kanmon/domain/Timestamp"
import { DefaultPlan } from "./DefaultPlan.ts"
import { PaymentAccounts } from "./PaymentAccounts.ts"
import { type OfferedPlan, type PlanOffer, Plans } from "./Plans.ts"
import { Subscriptions } from "./Subscriptions.ts"
import { Clock, Context, Data, Effect, Layer, Option } from "effect"
import {
  type LostAtProvider,
  type PaymentError,
  type PaymentEvent,
  PaymentGateway,
  PaymentsUnreachable
} from "./PaymentGateway.ts"

/** The plan cannot be bought; `detail` says why, and what to do instead. */
export class NothingToBuy extends Data.TaggedError("NothingToBuy")<{ readonly detail: string }> {}

/** The person who buys for an organization and receives the provider's invoices. */
interface Buyer {
  readonly organizationId: OrganizationId
  /** The name of the organization. */
  readonly name: string
  /** The address of the person. */
  readonly email: string
}

export class Billing extends Context.Service<Billing>()("@kanmon/identity/billing/Billing", {
  make: Effect.gen(function* () {
    const gateway = yield* PaymentGateway
    const plans = yield* Plans
    const subscriptions = yield* Subscriptions
    const accounts = yield* PaymentAccounts
    const defaultPlan = yield* DefaultPlan

    const offerOf = Effect.fnUntraced(function* ({ offer: former, plan }: OfferedPlan) {
      const offer = yield* gateway.offer(plan, former)
      yield* plans.keepOffer(plan.id, offer)
      return offer
    })

    const customerOf = Effect.fnUntraced(function* (buyer: Buyer) {
      const { organizationId } = buyer
      const known = yield* accounts.customerOf(organizationId)
      return known ?? (yield* accounts.keepCustomer(organizationId, yield* gateway.customer(buyer)))
    })

    /** Queries a subscription and stores its state, one at a time per account. */
    const follow = Effect.fnUntraced(function* (
      organizationId: OrganizationId,
      subscriptionId: string,
      eventId?: string
    ) {
      const ask = Effect.gen(function* () {
        if (eventId !== undefined && (yield* subscriptions.heard(eventId))) return "Repeated" as const
        const version = yield* subscriptions.version(organizationId)
        const news = yield* gateway.subscription(subscriptionId)
        if (Option.isNone(news)) return "Foreign" as const
        return yield* subscriptions.record(organizationId, version, news.value, eventId)
      }).pipe(
        accounts.inTurn(organizationId),
        Effect.catchTag("NoTurn", () => busy)
      )
      // The request took longer than the lock, and another one was stored meanwhile.
      for (let attempt = 0; attempt < maxAttempts; attempt++) {
        const recorded = yield* ask
        if (recorded !== "Outdated") return recorded
      }
      return yield* busy
    })

    const isSubscribed = (organizationId: OrganizationId) =>
      Effect.map(
        subscriptions.standing(organizationId),
        ({ subscription }) => subscription !== undefined && isLive(subscription)
      )

    /**
     * The page for a first subscription. An account has one open checkout at a time, which prevents double payment.
     */
    const open = Effect.fnUntraced(function* (buyer: Buyer, planId: PlanId, offer: PlanOffer) {
      const { organizationId } = buyer
      const customerId = yield* customerOf(buyer)
      const former = yield* accounts.checkoutOf(organizationId)
      if (former !== undefined) {
        if (former.priceId !== offer.priceId) yield* gateway.closeCheckout(former.sessionId)
        const found = yield* gateway.findCheckout(former.sessionId)
        if (Option.isSome(found)) {
          const { status, subscriptionId, url } = found.value
          if (status === "open" && url !== null) return Option.some(url)
          // Paid, but the webhook may not have arrived yet, or the subscription may have ended.
          if (subscriptionId !== null) yield* follow(organizationId, subscriptionId)
          if (yield* isSubscribed(organizationId)) return Option.none()
        }
      }
      const { priceId } = offer
      const opened = yield* gateway.openCheckout({
        organizationId,
        customerId,
        planId,
        priceId,
        former: former?.sessionId
      })
      const kept = yield* accounts.replaceCheckout(organizationId, former?.sessionId, {
        sessionId: opened.id,
        priceId
      })
      if (!kept) yield* gateway.closeCheckout(opened.id)
      return kept && opened.url !== null ? Option.some(opened.url) : Option.none()
    })

    const decide = Effect.fnUntraced(function* (buyer: Buyer, planId: PlanId) {
      const offered = yield* plans.get(planId)
      const { plan, subscription } = yield* subscriptions.standing(buyer.organizationId)
      const free = offered.plan.priceMinor === 0
      if (subscription === undefined || !isLive(subscription)) {
        if (planId === plan.id) return yield* new NothingToBuy({ detail: `You already have the plan ${plan.name}` })
        if (free)
          return yield* new NothingToBuy({
            detail: `The plan ${offered.plan.name} is free and needs no checkout`
          })
        return yield* open(buyer, planId, yield* offerOf(offered))
      }
      if (planId === subscription.planId)
        return yield* new NothingToBuy({
          detail: "You already pay for this plan; POST /billing/portal manages the subscription"
        })
      const customerId = yield* customerOf(buyer)
      const { id: subscriptionId, itemId } = subscription
      if (!free) {
        const offer = yield* offerOf(offered)
        return Option.some(yield* gateway.portal(customerId, { _tag: "Change", subscriptionId, itemId, offer }))
      }
      if (planId !== defaultPlan)
        return yield* new NothingToBuy({ detail: `The plan ${offered.plan.name} is not for sale` })
      return Option.some(yield* gateway.portal(customerId, { _tag: "Cancel", subscriptionId }))
    })

    /** Recreates an object that the provider has lost. */
    const renew = Effect.fnUntraced(function* (buyer: Buyer, planId: PlanId, { what }: LostAtProvider) {
      const { organizationId } = buyer
      if (what === "subscription") return yield* new NothingToBuy({ detail: lostSubscription })
      if (what === "customer") {
        const lost = yield* accounts.customerOf(organizationId)
        if (lost !== undefined)
          yield* accounts.replaceCustomer(organizationId, lost, yield* gateway.customer(buyer, lost))
      } else {
        const { offer, plan } = yield* plans.get(planId)
        if (offer !== undefined) yield* plans.keepOffer(planId, yield* gateway.renewOffer(plan, offer))
      }
      yield* Effect.annotateLogs(Effect.logWarning("The payment provider lost an object; it was recreated"), { what })
      return Option.none<string>()
    })

    /** Returns the URL of the page on which the user buys the plan, changes to it, or cancels for the free one. */
    const checkout = Effect.fn("Billing.checkout")(function* (buyer: Buyer, planId: PlanId) {
      for (let attempt = 0; attempt < maxAttempts; attempt++) {
        const url = yield* decide(buyer, planId).pipe(
          Effect.catchTag("LostAtProvider", (lost) => renew(buyer, planId, lost)),
          // The recreated object is lost again, so only a later retry can help.
          Effect.catchTag("LostAtProvider", () => busy)
        )
        if (Option.isSome(url)) return url.value
      }
      return yield* busy
    })

    /** Returns the URL of the page on which the user manages the subscription. */
    const portal = Effect.fn("Billing.portal")(function* ({ organizationId }: Pick<Buyer, "organizationId">) {
      const known = yield* accounts.customerOf(organizationId)
      if (known === undefined && gateway.configured)
        return yield* new NothingToBuy({ detail: "You have no subscription yet; POST /billing/checkout starts one" })
      return yield* Effect.catchTag(gateway.portal(known ?? "", { _tag: "Look" }), "LostAtProvider", () =>
        Effect.fail(new NothingToBuy({ detail: lostSubscription }))
      )
    })

    const take = Effect.fnUntraced(function* ({ about, id }: PaymentEvent) {
      if (about === undefined) return "Foreign" as const
      const organizationId = yield* accounts.organizationOf(about.customerId)
      return organizationId === undefined
        ? ("Foreign" as const)
        : yield* follow(organizationId, about.subscriptionId, id)
    })

    /** Processes a webhook request of the payment provider. */
    const receive = Effect.fn("Billing.receive")(function* (body: string, signature: string | undefined) {
      const event = yield* gateway.event(body, signature, yield* Clock.currentTimeMillis)
      const outcome = yield* take(event)
      const note =
        outcome === "Doubled" ? Effect.logWarning(twoSubscriptions) : Effect.logInfo("Payment event processed")
      yield* Effect.annotateLogs(note, { event: event.id, type: event.type, outcome })
    })

    /** Fetches subscriptions without an event since the end of their period. */
    const catchUp = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      for (const { id, organizationId } of yield* subscriptions.unheard(now - unheardMillis))
        yield* tolerant(follow(organizationId, id), "A subscription could not be fetched; it is retried")
    }).pipe(Effect.withSpan("Billing.catchUp"))

    /** Updates the offer of a changed plan. If the provider does not answer, the next checkout does it. */
    const followPlan = (offered: OfferedPlan) =>
      offered.offer === undefined || offered.plan.priceMinor === 0
        ? Effect.void
        : tolerant(offerOf(offered), "The offer of a changed plan could not be updated; the next checkout retries it")

    /** Stops the sale of a deleted plan. */
    const withdrawPlan = ({ offer }: OfferedPlan) =>
      offer === undefined
        ? Effect.void
        : tolerant(
            gateway.withdraw(offer),
            "The offer of a deleted plan could not be withdrawn from the payment provider"
          )

    return {
      /** Whether plans can be bought. */
      configured: gateway.configured,
      checkout,
      portal,
      receive,
      catchUp,
      followPlan,
      withdrawPlan
    }
  })
}) {
  static readonly layer = Layer.effect(Billing, Billing.make)
}

/** The provider normally reports the next period within an hour of the end of the last one. */
const unheardMillis = dayMillis

const lostSubscription = "The payment provider no longer has your subscription; contact the operator"

/** The number of attempts when concurrent changes interfere. */
const maxAttempts = 5

const busy = Effect.suspend(() =>
  Effect.fail(new PaymentsUnreachable({ detail: "Too many concurrent changes to this account; try again shortly" }))
)

const twoSubscriptions =
  "An account has two live subscriptions and may be paying for both; check its customer at the payment provider"

const tolerant = <A>(effect: Effect.Effect<A, PaymentError | LostAtProvider>, words: string): Effect.Effect<void> =>
  effect.pipe(
    Effect.asVoid,
    Effect.catch((error) =>
      Effect.annotateLogs(Effect.logWarning(words), {
        why: error._tag === "LostAtProvider" ? `The provider does not know the ${error.what}` : error.detail
      })
    )
  )
