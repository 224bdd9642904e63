/** How plans are bought, changed and left, and what is made of what the payment provider tells. */
import type { PlanId, UserId } from "@kanmon/domain/Ids"
import type { User } from "@kanmon/domain/Principal"
import { isLive } from "@kanmon/domain/Subscription"
import { dayMillis } from "@kanmon/domain/Timestamp"
import { DefaultPlan } from "@kanmon/store/billing/DefaultPlan"
import { PaymentAccounts } from "@kanmon/store/billing/PaymentAccounts"
import { type OfferedPlan, type PlanNotFound, type PlanOffer, Plans } from "@kanmon/store/billing/Plans"
import { Subscriptions } from "@kanmon/store/billing/Subscriptions"
import { Clock, Context, Data, Effect, Layer, Option } from "effect"
import {
  type BadSignature,
  type BillingNotConfigured,
  type LostAtProvider,
  type PaymentError,
  type PaymentEvent,
  PaymentGateway,
  PaymentsUnreachable
} from "./PaymentGateway.ts"

/** There is nothing to buy: why, and what to do instead. */
export class NothingToBuy extends Data.TaggedError("NothingToBuy")<{ readonly detail: string }> {}

export class Billing extends Context.Service<
  Billing,
  {
    /** The address of the page on which a person pays for a plan, goes over to it, or leaves for the one that costs nothing. */
    readonly checkout: (user: User, planId: PlanId) => Effect.Effect<string, NothingToBuy | PlanNotFound | PaymentError>
    /** The address of the page on which a person looks after what they pay. */
    readonly portal: (user: User) => Effect.Effect<string, NothingToBuy | PaymentError>
    /** Takes what the payment provider sent. */
    readonly hear: (
      body: string,
      signature: string | undefined
    ) => Effect.Effect<void, BadSignature | BillingNotConfigured | PaymentsUnreachable>
    /** Asks about subscriptions of which nothing has been heard since their period was over. */
    readonly catchUp: Effect.Effect<void>
    /** Sells a plan that has changed as it is now. A provider that is away is no hindrance: the next checkout does it. */
    readonly followPlan: (plan: OfferedPlan) => Effect.Effect<void>
    /** Takes a plan that was deleted from sale. */
    readonly withdrawPlan: (plan: OfferedPlan) => Effect.Effect<void>
  }
>()("@kanmon/server/Billing") {
  static readonly layer = Layer.effect(
    Billing,
    Effect.gen(function* () {
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

      const customerOf = Effect.fnUntraced(function* (user: User) {
        const userId = user.userId as UserId
        const known = yield* accounts.customerOf(userId)
        return known ?? (yield* accounts.keepCustomer(userId, yield* gateway.customer({ ...user, userId })))
      })

      /** Asks how a subscription stands and writes it down, one for each account at a time. */
      const follow = Effect.fnUntraced(function* (userId: UserId, subscriptionId: string, eventId?: string) {
        const ask = Effect.gen(function* () {
          if (eventId !== undefined && (yield* subscriptions.heard(eventId))) return "Repeated" as const
          const version = yield* subscriptions.version(userId)
          const news = yield* gateway.subscription(subscriptionId)
          if (Option.isNone(news)) return "Foreign" as const
          return yield* subscriptions.record(userId, version, news.value, eventId)
        }).pipe(
          accounts.inTurn(userId),
          Effect.catchTag("NoTurn", () => busy)
        )
        // Asking took longer than a turn, and another one has written meanwhile.
        for (let attempt = 0; attempt < mostAttempts; attempt++) {
          const recorded = yield* ask
          if (recorded !== "Outdated") return recorded
        }
        return yield* busy
      })

      const isSubscribed = (userId: UserId) =>
        Effect.map(
          subscriptions.standing(userId),
          ({ subscription }) => subscription !== undefined && isLive(subscription)
        )

      /** The page for a first subscription. An account has one at a time, so that nobody pays twice. */
      const open = Effect.fnUntraced(function* (user: User, planId: PlanId, offer: PlanOffer) {
        const userId = user.userId as UserId
        const customerId = yield* customerOf(user)
        const former = yield* accounts.checkoutOf(userId)
        if (former !== undefined) {
          if (former.priceId !== offer.priceId) yield* gateway.closeCheckout(former.sessionId)
          const found = yield* gateway.findCheckout(former.sessionId)
          if (Option.isSome(found)) {
            const { status, subscriptionId, url } = found.value
            if (status === "open" && url !== null) return Option.some(url)
            // Paid: perhaps it has not been heard of yet, perhaps it is long over.
            if (subscriptionId !== null) yield* follow(userId, subscriptionId)
            if (yield* isSubscribed(userId)) return Option.none()
          }
        }
        const { priceId } = offer
        const opened = yield* gateway.openCheckout({ userId, customerId, planId, priceId, former: former?.sessionId })
        const kept = yield* accounts.replaceCheckout(userId, former?.sessionId, { sessionId: opened.id, priceId })
        if (!kept) yield* gateway.closeCheckout(opened.id)
        return kept && opened.url !== null ? Option.some(opened.url) : Option.none()
      })

      const decide = Effect.fnUntraced(function* (user: User, planId: PlanId) {
        const offered = yield* plans.get(planId)
        const { plan, subscription } = yield* subscriptions.standing(user.userId as UserId)
        const free = offered.plan.priceMinor === 0
        if (subscription === undefined || !isLive(subscription)) {
          if (planId === plan.id) return yield* new NothingToBuy({ detail: `You are on the plan ${plan.name} already` })
          if (free)
            return yield* new NothingToBuy({
              detail: `The plan ${offered.plan.name} costs nothing and needs no checkout`
            })
          return yield* open(user, planId, yield* offerOf(offered))
        }
        if (planId === subscription.planId)
          return yield* new NothingToBuy({
            detail: "You pay for this plan already; POST /billing/portal looks after that"
          })
        const customerId = yield* customerOf(user)
        const { id: subscriptionId, itemId } = subscription
        if (!free) {
          const offer = yield* offerOf(offered)
          return Option.some(yield* gateway.portal(customerId, { _tag: "Change", subscriptionId, itemId, offer }))
        }
        if (planId !== defaultPlan)
          return yield* new NothingToBuy({ detail: `The plan ${offered.plan.name} is not for sale` })
        return Option.some(yield* gateway.portal(customerId, { _tag: "Cancel", subscriptionId }))
      })

      /** Makes anew what the provider has lost. */
      const renew = Effect.fnUntraced(function* (user: User, planId: PlanId, { what }: LostAtProvider) {
        const userId = user.userId as UserId
        if (what === "subscription") return yield* new NothingToBuy({ detail: lostSubscription })
        if (what === "customer") {
          const lost = yield* accounts.customerOf(userId)
          if (lost !== undefined)
            yield* accounts.replaceCustomer(userId, lost, yield* gateway.customer({ ...user, userId }, lost))
        } else {
          const { offer, plan } = yield* plans.get(planId)
          if (offer !== undefined) yield* plans.keepOffer(planId, yield* gateway.renewOffer(plan, offer))
        }
        yield* Effect.annotateLogs(Effect.logWarning("The payment provider lost something; it was made anew"), { what })
        return Option.none<string>()
      })

      const checkout: Billing["Service"]["checkout"] = Effect.fn("Billing.checkout")(function* (user, planId) {
        for (let attempt = 0; attempt < mostAttempts; attempt++) {
          const url = yield* decide(user, planId).pipe(
            Effect.catchTag("LostAtProvider", (lost) => renew(user, planId, lost)),
            // What was just made anew is lost again: there is nothing to wait for, but time.
            Effect.catchTag("LostAtProvider", () => busy)
          )
          if (Option.isSome(url)) return url.value
        }
        return yield* busy
      })

      const portal: Billing["Service"]["portal"] = Effect.fn("Billing.portal")(function* (user) {
        const known = yield* accounts.customerOf(user.userId as UserId)
        if (known === undefined && gateway.configured)
          return yield* new NothingToBuy({ detail: "You have bought nothing yet; POST /billing/checkout begins that" })
        return yield* Effect.catchTag(gateway.portal(known ?? "", { _tag: "Look" }), "LostAtProvider", () =>
          Effect.fail(new NothingToBuy({ detail: lostSubscription }))
        )
      })

      const take = Effect.fnUntraced(function* ({ about, id }: PaymentEvent) {
        if (about === undefined) return "Foreign" as const
        const userId = yield* accounts.accountOf(about.customerId)
        return userId === undefined ? ("Foreign" as const) : yield* follow(userId, about.subscriptionId, id)
      })

      const hear: Billing["Service"]["hear"] = Effect.fn("Billing.hear")(function* (body, signature) {
        const event = yield* gateway.event(body, signature, yield* Clock.currentTimeMillis)
        const outcome = yield* take(event)
        const note = outcome === "Doubled" ? Effect.logWarning(twoSubscriptions) : Effect.logInfo("A payment event")
        yield* Effect.annotateLogs(note, { event: event.id, type: event.type, outcome })
      })

      const catchUp = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        for (const { id, userId } of yield* subscriptions.unheard(now - unheardMillis))
          yield* tolerant(follow(userId, id), "A subscription could not be asked about; it is tried again")
      }).pipe(Effect.withSpan("Billing.catchUp"))

      const followPlan: Billing["Service"]["followPlan"] = (offered) =>
        offered.offer === undefined || offered.plan.priceMinor === 0
          ? Effect.void
          : tolerant(offerOf(offered), "A changed plan is sold as it was until the next checkout")

      const withdrawPlan: Billing["Service"]["withdrawPlan"] = ({ offer }) =>
        offer === undefined
          ? Effect.void
          : tolerant(gateway.withdraw(offer), "The payment provider still knows a plan that was deleted")

      return Billing.of({ checkout, portal, hear, catchUp, followPlan, withdrawPlan })
    })
  )
}

/** A period that is over is followed by news of the next one within the hour. */
const unheardMillis = dayMillis

const lostSubscription =
  "The payment provider no longer knows what you pay; tell whoever runs this installation, who can look there"

/** How often others may come in between. */
const mostAttempts = 5

const busy = Effect.suspend(() =>
  Effect.fail(new PaymentsUnreachable({ detail: "Too much is happening to this account at once; try again shortly" }))
)

const twoSubscriptions =
  "An account has another subscription, which counts; look at its customer, who may be paying for both"

const tolerant = <A>(effect: Effect.Effect<A, PaymentError | LostAtProvider>, words: string): Effect.Effect<void> =>
  effect.pipe(
    Effect.asVoid,
    Effect.catch((error) =>
      Effect.annotateLogs(Effect.logWarning(words), {
        why: error._tag === "LostAtProvider" ? `It does not know the ${error.what}` : error.detail
      })
    )
  )
