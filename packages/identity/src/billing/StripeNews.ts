/**
 * Maps Stripe's subscriptions and events. Pure. Subscriptions have the format of the pinned API version; events have that of
 * the account's webhook endpoint, so only ids are read from them, also where older versions had them.
 */
import type { SubscriptionStatus } from "@kanmon/domain/Subscription"
import type { SubscriptionNews } from "./Subscriptions.ts"
import { Option } from "effect"
import type Stripe from "stripe"
import type { PaymentEvent } from "./PaymentGateway.ts"

/** The state of a subscription; none if it has no item, so that it cannot be for a plan. */
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
 * Stripe sets `unpaid` after its last retry of a late payment: this ends access, and the grace period of `past_due`. Like
 * `paused`, it waits for a payment. An unknown status grants no access.
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

/** The subscription and the customer of an event; none for events that do not concern subscriptions. */
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

/** The common fields of the objects in events. */
interface Named {
  readonly id?: string
  readonly customer?: Reference
  /** Used by checkouts, and by invoices until 2025. */
  readonly subscription?: Reference
  readonly parent?: { readonly subscription_details?: { readonly subscription?: Reference } | null } | null
}

const idOf = (reference: Reference): string | undefined =>
  typeof reference === "string" ? reference : (reference?.id ?? undefined)
