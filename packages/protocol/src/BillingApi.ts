/** Plans, and what an account pays for one. What the payment provider sends has a route of its own. */
import { PlanId } from "@kanmon/domain/Ids"
import * as Domain from "@kanmon/domain/Subscription"
import { Timestamp } from "@kanmon/domain/Timestamp"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Body from "./Body.ts"
import { Gate } from "./Gate.ts"
import { Deleted } from "./Lists.ts"
import { PlanRecord, type PlanRequest } from "./PlanBody.ts"
import { Problem } from "./Problem.ts"

const params = { planId: PlanId }

export const Subscription = Schema.Struct({
  ...Domain.Subscription.fields,
  graceEndsAt: Schema.NullOr(Timestamp).annotate({
    description: "When the plan ends unless the missing payment arrives; null when none is missing"
  }),
  effectivePlanId: PlanId.annotate({ description: "The plan whose limits hold now" }),
  monitorsUsed: Schema.Int.annotate({ description: "Monitors over all projects" })
}).annotate({ identifier: "Subscription" })

export const CheckoutRequest = Schema.Struct({ planId: PlanId })

export class BillingApi extends HttpApiGroup.make("billing")
  .add(
    HttpApiEndpoint.get("plans", "/plans", { success: Schema.Array(PlanRecord), error: Problem }).annotate(
      OpenApi.Summary,
      "The plans, cheapest first"
    ),
    HttpApiEndpoint.post("createPlan", "/plans", {
      payload: Body.sent<PlanRequest>(),
      success: PlanRecord.pipe(HttpApiSchema.status(201)),
      error: Problem
    })
      .middleware(Gate)
      .annotate(OpenApi.Summary, "Makes a plan; for admins"),
    HttpApiEndpoint.patch("updatePlan", "/plans/:planId", {
      params,
      payload: Body.sent<Partial<PlanRequest>>(),
      success: PlanRecord,
      error: Problem
    })
      .middleware(Gate)
      .annotate(OpenApi.Summary, "Changes a plan; who subscribed keeps the price, and gets the limits. For admins"),
    HttpApiEndpoint.delete("removePlan", "/plans/:planId", { params, success: Deleted, error: Problem })
      .middleware(Gate)
      .annotate(OpenApi.Summary, "Deletes a plan that nobody subscribed to; for admins"),
    HttpApiEndpoint.get("subscription", "/subscription", { success: Subscription, error: Problem })
      .middleware(Gate)
      .annotate(OpenApi.Summary, "What your account pays for, and how it stands"),
    HttpApiEndpoint.post("checkout", "/checkout", {
      payload: Body.sent<typeof CheckoutRequest.Encoded>(),
      success: Schema.Struct({
        checkoutUrl: Schema.String.annotate({ description: "Where to send the person to pay or confirm" })
      }),
      error: Problem
    })
      .middleware(Gate)
      .annotate(OpenApi.Summary, "Begins to pay for a plan, or goes over to it"),
    HttpApiEndpoint.post("portal", "/portal", {
      success: Schema.Struct({
        portalUrl: Schema.String.annotate({ description: "Where to send the person" })
      }),
      error: Problem
    })
      .middleware(Gate)
      .annotate(OpenApi.Summary, "A page for cards, invoices and cancelling")
  )
  .prefix("/billing")
  .annotateMerge(OpenApi.annotations({ title: "Billing" })) {}
