/**
 * An account's subscription, as last reported by the payment provider. Pure: which plan is in force at an instant, and
 * which of two subscriptions of an account counts.
 */
import { Schema } from "effect"
import { PlanId } from "./Ids.ts"
import { dayMillis, type EpochMillis, Timestamp } from "./Timestamp.ts"

/** `incomplete`: no plan is in force until a payment arrives. */
export const SubscriptionStatus = Schema.Literals(["active", "trialing", "past_due", "canceled", "incomplete"])
export type SubscriptionStatus = typeof SubscriptionStatus.Type

export const Subscription = Schema.Struct({
  planId: PlanId,
  status: SubscriptionStatus,
  /** Null without a subscription. */
  currentPeriodStart: Schema.NullOr(Timestamp),
  currentPeriodEnd: Schema.NullOr(Timestamp),
  /** When it ends, if it was cancelled. */
  cancelAt: Schema.NullOr(Timestamp),
  /** Since when a payment is overdue; null unless `past_due`. */
  pastDueSince: Schema.NullOr(Timestamp)
})
export type Subscription = typeof Subscription.Type

/** How long a plan stays in force while a payment is overdue. */
export const graceMillis = 14 * dayMillis

/** When an overdue payment ends the plan; null when none is overdue. */
export const graceEnd = ({
  pastDueSince,
  status
}: Pick<Subscription, "pastDueSince" | "status">): EpochMillis | null =>
  status === "past_due" && pastDueSince !== null ? pastDueSince + graceMillis : null

/** The plan in force at an instant. */
export const planInForce = (
  subscription: Pick<Subscription, "pastDueSince" | "planId" | "status"> | undefined,
  defaultPlan: PlanId,
  now: EpochMillis
): PlanId => {
  if (subscription === undefined || !isLive(subscription)) return defaultPlan
  const end = graceEnd(subscription)
  return end === null || now < end ? subscription.planId : defaultPlan
}

/** Statuses in which a plan is or can be in force. */
export const liveStatuses: ReadonlyArray<SubscriptionStatus> = ["active", "trialing", "past_due"]

export const isLive = ({ status }: Pick<Subscription, "status">): boolean => liveStatuses.includes(status)

/** The fields that decide between two subscriptions of one account. */
export interface Contender {
  readonly id: string
  readonly status: SubscriptionStatus
  readonly createdAt: EpochMillis
}

/**
 * Whether a reported subscription replaces the stored one: always when it is the same; a live one replaces one that has
 * ended; otherwise the newer one wins. So a late report about an old subscription never ends a new one.
 */
export const supersedes = (incoming: Contender, current: Contender | undefined): boolean => {
  if (current === undefined || incoming.id === current.id) return true
  if (isLive(incoming) !== isLive(current)) return isLive(incoming)
  return incoming.createdAt === current.createdAt ? incoming.id > current.id : incoming.createdAt > current.createdAt
}
