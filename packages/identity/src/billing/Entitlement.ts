/**
 * The limits of an account's plan, checked in the transaction that changes its monitors or its plan. The transaction
 * locks the account before any monitor, so that two changes at the limit are serialized.
 */
import { PlanId, type ProjectId, type OrganizationId } from "@kanmon/domain/Ids"
import { freePlanId, type Plan, roomOf } from "@kanmon/domain/Plan"
import { planInForce } from "@kanmon/domain/Subscription"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { OrganizationContents } from "../organizations/index.ts"
import { DefaultPlan } from "./DefaultPlan.ts"
import { PlanRepository } from "./PlanRepository.ts"
import { SubscriptionRepository } from "./SubscriptionRepository.ts"

/** The plan allows no more. `current` is what the account has, or what was asked for. */
export class PlanLimitReached extends Schema.TaggedError<PlanLimitReached>()("PlanLimitReached", {
  limited: Schema.Literals([
    "monitors",
    "sharedMonitors",
    "running",
    "interval",
    "retryInterval",
    "customDomain",
    "phoneNumbers"
  ]),
  limit: Schema.Int,
  current: Schema.Int,
  planId: PlanId,
  planName: Schema.String
}) {}

export class Entitlement extends Context.Service<Entitlement>()("@kanmon/identity/billing/Entitlement", {
  make: Effect.gen(function* () {
    const plans = yield* PlanRepository
    const { findShared } = yield* SubscriptionRepository
    const { countMonitors } = yield* OrganizationContents
    const defaultPlan = yield* DefaultPlan

    /** The plan in force, with everything it includes. */
    const planOf = Effect.fn("Entitlement.planOf")(function* (organizationId: OrganizationId, at: EpochMillis) {
      const candidates = yield* plans.findCandidates(organizationId, defaultPlan)
      const plan = candidates.plans.get(planInForce(candidates.subscription, defaultPlan, at))!
      const free = candidates.plans.get(freePlanId)!
      return { ...plan, customDomain: plan.customDomain || free.customDomain }
    })

    const sharedOf = Effect.fnUntraced(function* (organizationId: OrganizationId, at: EpochMillis) {
      const shares = yield* findShared(organizationId, at, { lock: true })
      return shares && (yield* countMonitors(shares)).total
    })

    /**
     * Refuses so many more monitors than the plan has room for. Paused ones count like others. Organizations without a subscription
     * share the plan with the others that the same account founded.
     */
    const admitMonitors = Effect.fnUntraced(function* (
      organizationId: OrganizationId,
      plan: Plan,
      more: number,
      at: EpochMillis
    ) {
      if (roomOf(plan) === Number.POSITIVE_INFINITY) return
      const { total } = yield* countMonitors([{ organizationId, before: null }])
      if (total + more > plan.monitors) return yield* refused(plan, "monitors", plan.monitors, total)
      const shared = (yield* sharedOf(organizationId, at)) ?? total
      if (shared + more > plan.monitors) return yield* refused(plan, "sharedMonitors", plan.monitors, shared)
    })

    /** Refuses to let one more run than the plan has room for: after a downgrade there can be more monitors than that. */
    const admitRunning = Effect.fnUntraced(function* (organizationId: OrganizationId, plan: Plan) {
      if (roomOf(plan) === Number.POSITIVE_INFINITY) return
      const { running } = yield* countMonitors([{ organizationId, before: null }])
      if (running >= plan.monitors) return yield* refused(plan, "running", plan.monitors, running)
    })

    /** Refuses a custom domain if the project's plan does not include one. */
    const admitDomain = Effect.fnUntraced(function* (projectId: ProjectId, at: EpochMillis) {
      const owner = yield* plans.findOwner(projectId)
      if (owner === undefined) return
      const plan = yield* planOf(owner, at)
      if (!plan.customDomain) return yield* refused(plan, "customDomain", 0, 1)
    })

    /** The shortest interval, in seconds, that the plan of a project allows. */
    const shortestInterval = Effect.fn("Entitlement.shortestInterval")(function* (
      projectId: ProjectId,
      at: EpochMillis
    ) {
      const owner = yield* plans.findOwner(projectId)
      return owner === undefined ? 0 : (yield* planOf(owner, at)).checkInterval
    })

    /** Refuses an interval that is shorter than the plan allows. */
    const admitInterval = (plan: Plan, interval: number) =>
      interval < plan.checkInterval ? Effect.fail(refused(plan, "interval", plan.checkInterval, interval)) : Effect.void

    /** Refuses a retry interval that is shorter than the plan allows; null is none. */
    const admitRetryInterval = (plan: Plan, interval: number | null) =>
      interval !== null && interval < plan.checkInterval
        ? Effect.fail(refused(plan, "retryInterval", plan.checkInterval, interval))
        : Effect.void

    return { planOf, shortestInterval, admitInterval, admitRetryInterval, admitMonitors, admitRunning, admitDomain }
  })
}) {
  static readonly layer = Layer.effect(Entitlement, Entitlement.make).pipe(
    Layer.provide([PlanRepository.layer, SubscriptionRepository.layer])
  )
}

const refused = (plan: Plan, limited: PlanLimitReached["limited"], limit: number, current: number) =>
  new PlanLimitReached({ limited, limit, current, planId: plan.id, planName: plan.name })
