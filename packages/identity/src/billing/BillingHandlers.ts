/** Plans and subscriptions over HTTP: each handler only translates. */
import type { PlanNotFound } from "@kanmon/domain/NotFound"
import { decodeStrict } from "@kanmon/domain/FieldErrors"
import { graceEnd } from "@kanmon/domain/Subscription"
import { Api } from "@kanmon/protocol/Api"
import { CallerOrganization, CallerUser } from "@kanmon/protocol/Middleware"
import { CheckoutRequest } from "@kanmon/protocol/BillingApi"
import * as PlanBody from "@kanmon/protocol/PlanBody"
import { invalid, notFound, Problem } from "@kanmon/protocol/Problem"
import { type PlanInUse, Plans } from "./Plans.ts"
import { type OrganizationStanding, Subscriptions } from "./Subscriptions.ts"
import { Organizations } from "../organizations/index.ts"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { asProblem } from "@kanmon/platform/http/AsProblem"
import * as Payload from "@kanmon/platform/http/Payload"
import { Billing, type NothingToBuy } from "./Billing.ts"
import type { BadSignature, BillingNotConfigured, PaymentsUnreachable } from "./PaymentGateway.ts"

/** How long the plans are remembered here, and by those who ask. */
const remembered = "5 seconds"
const mayBeKept = { "cache-control": "public, max-age=60" }

const checkoutIn = Payload.read(decodeStrict(CheckoutRequest))

export const layer = HttpApiBuilder.group(
  Api,
  "billing",
  Effect.fnUntraced(function* (handlers) {
    const plans = yield* Plans
    const subscriptions = yield* Subscriptions
    const billing = yield* Billing
    const organizations = yield* Organizations
    // Anybody may ask, as often as they like: the database is not asked each time.
    const [list, forget] = yield* Effect.cachedInvalidateWithTTL(plans.list, remembered)

    return handlers.handleAll({
      plans: () =>
        Effect.map(list, (all) => HttpServerResponse.jsonUnsafe(all.map(PlanBody.encode), { headers: mayBeKept })),
      createPlan: ({ payload }) =>
        Effect.gen(function* () {
          const plan = yield* plans.create(yield* Effect.fromResult(PlanBody.decode(payload)))
          yield* forget
          return PlanBody.encode(plan)
        }).pipe(refusing),
      updatePlan: ({ params, payload }) =>
        Effect.gen(function* () {
          const changed = yield* plans.update(params.planId, (current) =>
            Effect.fromResult(PlanBody.decode(PlanBody.merge(current, payload)))
          )
          yield* forget
          yield* billing.followPlan(changed)
          return PlanBody.encode(changed.plan)
        }).pipe(refusing),
      removePlan: ({ params }) =>
        Effect.gen(function* () {
          const removed = yield* plans.remove(params.planId)
          yield* forget
          yield* billing.withdrawPlan(removed)
          return { id: params.planId, deleted: true as const }
        }).pipe(refusing),
      subscription: () =>
        Effect.gen(function* () {
          return {
            ...toSubscription(yield* subscriptions.standing(yield* CallerOrganization)),
            payments: billing.configured
          }
        }),
      checkout: ({ payload }) =>
        Effect.gen(function* () {
          const organizationId = yield* CallerOrganization
          const { email, name } = yield* CallerUser
          const { planId } = yield* checkoutIn(payload)
          const buyer = { organizationId, email, name: (yield* organizations.nameOf(organizationId)) ?? name }
          const checkoutUrl = yield* Effect.catchTag(billing.checkout(buyer, planId), "PlanNotFound", () =>
            Effect.fail(
              invalid([{ path: "planId", message: `There is no plan ${planId}; GET /billing/plans lists them` }])
            )
          )
          return { checkoutUrl }
        }).pipe(refusing),
      portal: () =>
        Effect.gen(function* () {
          return { portalUrl: yield* billing.portal({ organizationId: yield* CallerOrganization }) }
        }).pipe(refusing)
    })
  })
)

/** An organization without a subscription stays on the default plan for an unlimited time. */
const toSubscription = ({ monitors, plan, shared, subscription }: OrganizationStanding) => {
  const { cancelAt, currentPeriodEnd, currentPeriodStart, pastDueSince, planId, status } = subscription ?? {
    planId: plan.id,
    status: "active" as const,
    currentPeriodStart: null,
    currentPeriodEnd: null,
    cancelAt: null,
    pastDueSince: null
  }
  return {
    planId,
    status,
    currentPeriodStart,
    currentPeriodEnd,
    cancelAt,
    pastDueSince,
    graceEndsAt: graceEnd({ pastDueSince, status }),
    effectivePlanId: plan.id,
    monitorsUsed: monitors,
    monitorsShared: shared
  }
}

const inUse: Readonly<Record<PlanInUse["why"], string>> = {
  free: "plan_free is always there: organizations without a subscription have it",
  default:
    "This is the plan of organizations without a subscription (KANMON_DEFAULT_PLAN); choose another one for them first",
  subscribers: "Organizations subscribe to this plan; change it, or delete it when they have left"
}

/** Problems that the operator has to fix, or that a later attempt may not have. */
const paymentProblems = {
  BillingNotConfigured: ({ detail }: BillingNotConfigured) => new Problem({ code: "billing_not_configured", detail }),
  PaymentsUnreachable: ({ detail }: PaymentsUnreachable) => new Problem({ code: "unavailable", detail, retryAfter: 5 })
}

const refusing = asProblem({
  ...paymentProblems,
  PlanNotFound: (_: PlanNotFound) => notFound("plan"),
  PlanInUse: ({ why }: PlanInUse) => new Problem({ code: "conflict", detail: inUse[why] }),
  NothingToBuy: ({ detail }: NothingToBuy) => new Problem({ code: "conflict", detail })
})

/** Answers the errors of what the payment provider sends. */
export const ofPayment = asProblem({
  ...paymentProblems,
  BadSignature: ({ detail }: BadSignature) => new Problem({ code: "malformed_request", detail })
})
