/**
 * What an account pays for, as the payment provider told it last. Pure: which plan is in force at an instant, and which of two
 * subscriptions of one account counts.
 */
import { Schema } from "effect"
import { PlanId } from "./Ids.ts"
import { dayMillis, type EpochMillis, Timestamp } from "./Timestamp.ts"

/** `incomplete`: it gives nothing until a payment arrives, the first one or one that was given up. */
export const SubscriptionStatus = Schema.Literals(["active", "trialing", "past_due", "canceled", "incomplete"])
export type SubscriptionStatus = typeof SubscriptionStatus.Type

export const Subscription = Schema.Struct({
  planId: PlanId,
  status: SubscriptionStatus,
  /** Null without a subscription. */
  currentPeriodStart: Schema.NullOr(Timestamp),
  currentPeriodEnd: Schema.NullOr(Timestamp),
  /** When it ends, where that has been decided. */
  cancelAt: Schema.NullOr(Timestamp),
  /** Since when a payment is missing; null unless `past_due`. */
  pastDueSince: Schema.NullOr(Timestamp)
})
export type Subscription = typeof Subscription.Type

/** How long a plan stays in force while a payment is missing. */
export const graceMillis = 14 * dayMillis

/** When a missing payment ends the plan; null when none is missing. */
export const graceEnd = ({
  pastDueSince,
  status
}: Pick<Subscription, "pastDueSince" | "status">): EpochMillis | null =>
  status === "past_due" && pastDueSince !== null ? pastDueSince + graceMillis : null

/** The plan whose limits hold at an instant. */
export const planInForce = (
  subscription: Pick<Subscription, "pastDueSince" | "planId" | "status"> | undefined,
  defaultPlan: PlanId,
  now: EpochMillis
): PlanId => {
  if (subscription === undefined || !isLive(subscription)) return defaultPlan
  const end = graceEnd(subscription)
  return end === null || now < end ? subscription.planId : defaultPlan
}

/** It gives something, or is about to again. */
export const liveStatuses: ReadonlyArray<SubscriptionStatus> = ["active", "trialing", "past_due"]

export const isLive = ({ status }: Pick<Subscription, "status">): boolean => liveStatuses.includes(status)

/** What tells two subscriptions of one account apart. */
export interface Contender {
  readonly id: string
  readonly status: SubscriptionStatus
  readonly createdAt: EpochMillis
}

/**
 * Whether news of one subscription replace what is known of another: its own state always; a live one that of one which has
 * ended; of two alike the younger one. So late news of an old subscription never end a new one.
 */
export const supersedes = (incoming: Contender, current: Contender | undefined): boolean => {
  if (current === undefined || incoming.id === current.id) return true
  if (isLive(incoming) !== isLive(current)) return isLive(incoming)
  return incoming.createdAt === current.createdAt ? incoming.id > current.id : incoming.createdAt > current.createdAt
}
