/**
 * The subscriptions of accounts. A report about a subscription, its effect on the account's monitors and the id of the event that
 * caused it are stored in one transaction, so that a repeated event has no second effect.
 */
import { OrganizationContents, OrganizationLock } from "../organizations/index.ts"
import type { OrganizationId } from "@kanmon/domain/Ids"
import type { Plan } from "@kanmon/domain/Plan"
import { graceEnd, isLive, type SubscriptionStatus, supersedes } from "@kanmon/domain/Subscription"
import { dayMillis, type EpochMillis, toIso } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Exit, Layer } from "effect"
import { AuditLog } from "../audit/index.ts"
import { Transaction } from "@kanmon/platform/Transaction"
import { Entitlement } from "./Entitlement.ts"
import { PlanChanged } from "./PlanChanged.ts"
import { PlanRepository } from "./PlanRepository.ts"
import { type StoredSubscription, SubscriptionRepository } from "./SubscriptionRepository.ts"

/** An account's subscription, plan and usage. */
export interface OrganizationStanding {
  readonly subscription: StoredSubscription | undefined
  /** The plan in force, with everything it includes. */
  readonly plan: Plan
  /** How many monitors there are over all projects. */
  readonly monitors: number
  /** How many count against the plan: without a subscription also those of organizations that share it. */
  readonly shared: number
}

/** A subscription as the payment provider has just described it. */
export interface SubscriptionNews {
  readonly id: string
  readonly itemId: string
  readonly productId: string
  readonly status: SubscriptionStatus
  readonly currentPeriodStart: EpochMillis
  readonly currentPeriodEnd: EpochMillis
  readonly cancelAt: EpochMillis | null
  readonly createdAt: EpochMillis
}

/**
 * `Outdated`: another change was stored meanwhile; fetch again. `Repeated`: this event was already processed. `Foreign`: the
 * product is not one of our plans. `Superseded`: another subscription of the account counts. `Doubled`: likewise, and both are
 * live.
 */
type Recorded = "Written" | "Outdated" | "Repeated" | "Foreign" | "Superseded" | "Doubled"

export class Subscriptions extends Context.Service<Subscriptions>()("@kanmon/identity/billing/Subscriptions", {
  make: Effect.gen(function* () {
    const repository = yield* SubscriptionRepository
    const plans = yield* PlanRepository
    const entitlement = yield* Entitlement
    const planChanged = yield* PlanChanged
    const organizations = yield* OrganizationLock
    const contents = yield* OrganizationContents
    const transaction = yield* Transaction
    const audit = yield* AuditLog

    const standing = Effect.fn("Subscriptions.standing")(function* (organizationId: OrganizationId) {
      const subscription = yield* repository.find(organizationId)
      const plan = yield* entitlement.planOf(organizationId, yield* Clock.currentTimeMillis)
      const { total } = yield* contents.countMonitors([{ organizationId, before: null }])
      const now = yield* Clock.currentTimeMillis
      const shares = yield* repository.findShared(organizationId, now, { lock: false })
      const shared = shares === undefined ? total : (yield* contents.countMonitors(shares)).total
      return { subscription, plan, monitors: total, shared }
    })

    /** Grows with every change of the account's subscription; 0 when there was none. */
    const version = Effect.fn("Subscriptions.version")((organizationId: OrganizationId) =>
      Effect.map(repository.find(organizationId), (found) => found?.version ?? 0)
    )

    /** Fits the monitors of a locked account to its plan, and schedules the next time. */
    const fitNow = Effect.fnUntraced(function* (organizationId: OrganizationId, at: EpochMillis) {
      const subscription = yield* repository.find(organizationId)
      const end = subscription === undefined ? null : graceEnd(subscription)
      // Before the plan is read: a concurrent change of the plan schedules the account after this.
      yield* repository.setFitAt(organizationId, end !== null && end > at ? end : null)
      const plan = yield* entitlement.planOf(organizationId, at)
      // A disabled organization has room for no monitors. All are paused, and resumed as after a change of plan.
      const isDisabled = yield* repository.isDisabled(organizationId)
      yield* planChanged(organizationId, isDisabled ? { ...plan, monitors: 0 } : plan, at)
    })

    /**
     * Stores a state that was fetched after `version` was read, and fits the account's monitors to it. Fails with `Outdated` if
     * the version has changed, so that an older state never replaces a newer one.
     */
    const record = Effect.fn("Subscriptions.record")(function* (
      organizationId: OrganizationId,
      seen: number,
      news: SubscriptionNews,
      eventId: string | undefined
    ): Effect.fn.Return<Recorded> {
      const at = yield* Clock.currentTimeMillis
      yield* organizations.hold(organizationId)
      const current = yield* repository.find(organizationId)
      if ((current?.version ?? 0) !== seen) return "Outdated"
      const sold = yield* plans.findByProduct(news.productId)
      // A product that was one of our plans may have become something else: then the subscription counts as canceled.
      const planId = sold ?? (current?.id === news.id ? current.planId : undefined)
      if (planId === undefined) return "Foreign"
      const { productId: _, ...told } = sold === undefined ? { ...news, status: "canceled" as const } : news
      if (eventId !== undefined && !(yield* repository.insertEvent(eventId, at))) return "Repeated"
      if (current !== undefined && !supersedes(told, current))
        return isLive(told) && isLive(current) ? "Doubled" : "Superseded"
      const overdueSince = current?.id === told.id ? current.pastDueSince : null
      const pastDueSince = told.status === "past_due" ? (overdueSince ?? at) : null
      yield* repository.save(organizationId, { ...told, planId, pastDueSince }, at)
      yield* audit.record([
        {
          action: "subscription.updated",
          target: { id: told.id, name: planId },
          organizationId,
          before: current === undefined ? {} : audited(current),
          after: audited({ ...told, planId })
        }
      ])
      yield* fitNow(organizationId, at)
      return "Written"
    }, transaction.run)

    /** Schedules the accounts with an ended subscription, because the default plan may have changed. */
    const reconsider = Effect.flatMap(Clock.currentTimeMillis, repository.scheduleEnded).pipe(
      Effect.withSpan("Subscriptions.reconsider")
    )

    /** Fits the monitors of accounts that are due: the grace period ended, or the plan was changed. */
    const settle = Effect.gen(function* () {
      const at = yield* Clock.currentTimeMillis
      const due = yield* repository.findDue(at)
      // A failing account does not keep the others from being settled.
      const outcomes = yield* Effect.forEach(due, (organizationId) =>
        Effect.exit(transaction.run(Effect.andThen(organizations.hold(organizationId), fitNow(organizationId, at))))
      )
      yield* outcomes.find(Exit.isFailure) ?? Effect.void
      return due.length
    }).pipe(Effect.withSpan("Subscriptions.settle"))

    /** Fits the monitors of an organization to its plan, and to whether it is disabled. */
    const refit = Effect.fn("Subscriptions.refit")(function* (organizationId: OrganizationId) {
      yield* organizations.hold(organizationId)
      yield* fitNow(organizationId, yield* Clock.currentTimeMillis)
    }, transaction.run)

    /** Deletes old events. */
    const forget = Effect.flatMap(Clock.currentTimeMillis, (now) => repository.deleteEvents(now - keptMillis)).pipe(
      Effect.withSpan("Subscriptions.forget")
    )

    const { findOverdue: unheard, hasEvent: heard } = repository
    return {
      standing,
      version,
      /** Whether the event was already processed. */
      heard,
      record,
      /** Live subscriptions with a period that ended before an instant, and no event for the next one. */
      unheard,
      reconsider,
      settle,
      refit,
      forget
    }
  })
}) {
  static readonly layer = Layer.effect(Subscriptions, Subscriptions.make).pipe(
    Layer.provide([Entitlement.layer, PlanRepository.layer, SubscriptionRepository.layer])
  )
}

/** The payment provider repeats an event for some days; this is much longer. */
const keptMillis = 30 * dayMillis

const audited = ({
  cancelAt,
  currentPeriodEnd,
  planId,
  status
}: Pick<StoredSubscription, "planId" | "status" | "currentPeriodEnd" | "cancelAt">) => ({
  planId,
  status,
  currentPeriodEnd: toIso(currentPeriodEnd),
  cancelAt: cancelAt === null ? null : toIso(cancelAt)
})
