/**
 * What Stripe tells, in our words. Pure. Subscriptions are read as the pinned version of the API shows them; events come in the
 * version of the account's webhook endpoint, so only names are taken from them, from the old places too.
 */
import type { SubscriptionStatus } from "@kanmon/domain/Subscription"
import type { SubscriptionNews } from "@kanmon/store/billing/Subscriptions"
import { Option } from "effect"
import type Stripe from "stripe"
import type { PaymentEvent } from "./PaymentGateway.ts"

/** A subscription as it stands; none for one that sells nothing of ours, because it has no part with a product. */
export const ofSubscription = (subscription: Stripe.Subscription): Option.Option<SubscriptionNews> => {
  const item = subscription.items.data[0]
  if (item === undefined) return Option.none()
  const { product } = item.price
  const currentPeriodEnd = item.current_period_end * 1000
  const ends = subscription.cancel_at ?? (subscription.cancel_at_period_end ? item.current_period_end : null)
  return Option.some({
    id: subscription.id,
    itemId: item.id,
    productId: typeof product === "string" ? product : product.id,
    status: statuses[subscription.status] ?? "incomplete",
    currentPeriodStart: item.current_period_start * 1000,
    currentPeriodEnd,
    cancelAt: ends === null ? null : ends * 1000,
    createdAt: subscription.created * 1000
  })
}

/**
 * Stripe sets `unpaid` when its retries of a late payment are over: access ends then, and the grace of `past_due` with it. It waits
 * for a payment like `paused`. A status that is not known gives nothing.
 * @see https://docs.stripe.com/billing/subscriptions/overview#subscription-statuses
 */
const statuses: Readonly<Record<string, SubscriptionStatus>> = {
  active: "active",
  trialing: "trialing",
  past_due: "past_due",
  unpaid: "incomplete",
  canceled: "canceled",
  incomplete: "incomplete",
  incomplete_expired: "canceled",
  paused: "incomplete"
}

/** Whom an event is about, for those kinds that concern subscriptions. */
export const ofEvent = ({ data, id, type }: Stripe.Event): PaymentEvent => {
  const object = data.object as Named
  const subscriptionId = type.startsWith("customer.subscription.")
    ? object.id
    : type.startsWith("checkout.session.")
      ? idOf(object.subscription)
      : type.startsWith("invoice.")
        ? idOf(object.parent?.subscription_details?.subscription ?? object.subscription)
        : undefined
  const customerId = idOf(object.customer)
  const about = subscriptionId === undefined || customerId === undefined ? undefined : { subscriptionId, customerId }
  return { id, type, about }
}

type Reference = string | { readonly id: string } | null | undefined

/** What the objects of events have in common. */
interface Named {
  readonly id?: string
  readonly customer?: Reference
  /** Where invoices named it until 2025, and where checkouts still do. */
  readonly subscription?: Reference
  readonly parent?: { readonly subscription_details?: { readonly subscription?: Reference } | null } | null
}

const idOf = (reference: Reference): string | undefined =>
  typeof reference === "string" ? reference : (reference?.id ?? undefined)
