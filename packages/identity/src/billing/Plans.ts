/**
 * Plans. A change of a plan applies to its subscribers and their monitors. A deleted plan is only hidden and no longer sold,
 * because ended subscriptions and open checkouts still refer to it.
 */
import { PlanNotFound } from "@kanmon/domain/NotFound"
import { nextPlanId, PlanId, type OrganizationId } from "@kanmon/domain/Ids"
import { freePlanId, type Plan } from "@kanmon/domain/Plan"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { AuditLog } from "../audit/index.ts"
import { Transaction } from "@kanmon/platform/Transaction"
import { DefaultPlan } from "./DefaultPlan.ts"
import { Entitlement } from "./Entitlement.ts"
import { PlanRepository } from "./PlanRepository.ts"
import { SubscriptionRepository } from "./SubscriptionRepository.ts"

/** The plan is an account's plan, or would be without a subscription. */
export class PlanInUse extends Schema.TaggedError<PlanInUse>()("PlanInUse", {
  id: PlanId,
  why: Schema.Literals(["free", "default", "subscribers"])
}) {}

/** The fields of a plan that an administrator sets. */
type PlanDraft = Omit<Plan, "id">

export type { OfferedPlan, PlanOffer } from "./PlanRepository.ts"

export class Plans extends Context.Service<Plans>()("@kanmon/identity/billing/Plans", {
  make: Effect.gen(function* () {
    const repository = yield* PlanRepository
    const subscriptions = yield* SubscriptionRepository
    const entitlement = yield* Entitlement
    const transaction = yield* Transaction
    const audit = yield* AuditLog
    const random = yield* SecureRandom.SecureRandom
    const defaultPlan = yield* DefaultPlan

    const get = Effect.fn("Plans.get")(function* (id: PlanId) {
      return (yield* repository.find(id)) ?? (yield* new PlanNotFound({ id }))
    })

    /** The plan of an account, with everything it includes. */
    const inForce = Effect.fn("Plans.inForce")(function* (organizationId: OrganizationId) {
      return yield* entitlement.planOf(organizationId, yield* Clock.currentTimeMillis)
    })

    const create = Effect.fn("Plans.create")(function* (draft: PlanDraft) {
      const id = yield* Effect.provideService(nextPlanId, SecureRandom.SecureRandom, random)
      const plan = { ...draft, id }
      yield* repository.insert(plan, yield* Clock.currentTimeMillis)
      yield* audit.record([{ action: "plan.created", target: plan, after: plan }])
      return plan
    }, transaction.run)

    const update = <E>(id: PlanId, change: (current: Plan) => Effect.Effect<PlanDraft, E>) =>
      transaction
        .run(
          Effect.gen(function* () {
            const current = yield* repository.lock(id)
            if (current === undefined) return yield* new PlanNotFound({ id })
            const plan = { ...(yield* change(current.plan)), id }
            const at = yield* Clock.currentTimeMillis
            yield* repository.update(plan, at)
            yield* audit.record([{ action: "plan.updated", target: plan, before: current.plan, after: plan }])
            // The subscription worker then fits the monitors, one account after the other.
            if (plan.monitors !== current.plan.monitors || plan.checkInterval !== current.plan.checkInterval)
              yield* subscriptions.scheduleSubscribers(id, id === defaultPlan, at)
            return { ...current, plan }
          })
        )
        .pipe(Effect.withSpan("Plans.update"))

    const remove = Effect.fn("Plans.remove")((id: PlanId) =>
      transaction.run(
        Effect.gen(function* () {
          const offered = yield* repository.lockForRemoval(id)
          if (offered === undefined) return yield* new PlanNotFound({ id })
          if (id === freePlanId) return yield* new PlanInUse({ id, why: "free" })
          if (id === defaultPlan) return yield* new PlanInUse({ id, why: "default" })
          if (yield* subscriptions.hasSubscribers(id)) return yield* new PlanInUse({ id, why: "subscribers" })
          yield* repository.markDeleted(id, yield* Clock.currentTimeMillis)
          yield* audit.record([{ action: "plan.deleted", target: offered.plan, before: offered.plan }])
          return offered
        })
      )
    )

    const { list, saveOffer: keepOffer } = repository
    return {
      /** Cheapest first. */
      list,
      get,
      inForce,
      create,
      update,
      remove,
      /** Stores the offer of the plan at the payment provider. */
      keepOffer
    }
  })
}) {
  static readonly layer = Layer.effect(Plans, Plans.make).pipe(
    Layer.provide([Entitlement.layer, PlanRepository.layer, SubscriptionRepository.layer])
  )
}
