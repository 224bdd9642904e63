/** Plans and subscriptions of organizations. Webhooks of the payment provider have a route of their own. */
import { PlanId } from "@kanmon/domain/Ids"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Body from "./Body.ts"
import { Deleted } from "./Lists.ts"
import { PlanRecord, type PlanRequest } from "./PlanBody.ts"
import {
  AddressLimits,
  AdminOnly,
  Authorization,
  Idempotency,
  JsonBody,
  Limits,
  OrganizationOnly,
  Problems
} from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import { Subscription } from "./SubscriptionBody.ts"
import { deleted } from "./internal/Examples.ts"
import * as Examples from "./internal/InstallationExamples.ts"
import { operation } from "./internal/Operation.ts"

const params = { planId: PlanId }

export const CheckoutRequest = Schema.Struct({ planId: PlanId })

export class BillingApi extends HttpApiGroup.make("billing")
  .add(
    HttpApiEndpoint.get("plans", "/plans", { success: Schema.Array(PlanRecord) })
      .middleware(AddressLimits)
      .middleware(Problems)
      .annotateMerge(
        operation({
          id: "listPlans",
          summary: "List plans",
          description: "Lists the plans of the installation, cheapest first. No authentication is needed.",
          response: [Examples.plan]
        })
      ),
    HttpApiEndpoint.post("createPlan", "/plans", {
      payload: Body.sent<PlanRequest>("PlanRequest"),
      success: PlanRecord.pipe(HttpApiSchema.status(201)),
      error: refuses("validation_failed")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .middleware(AdminOnly)
      .middleware(Limits)
      .middleware(Authorization)
      .middleware(Problems)
      .annotateMerge(
        operation({
          id: "createPlan",
          summary: "Create a plan",
          description:
            "Creates a plan that organizations can subscribe to. For admins of the installation; others get 403 `forbidden`.",
          request: Examples.planRequest,
          response: Examples.plan
        })
      ),
    HttpApiEndpoint.patch("updatePlan", "/plans/:planId", {
      params,
      payload: Body.sent<Body.Change<PlanRequest>>("PlanChange"),
      success: PlanRecord,
      error: refuses("not_found", "validation_failed", "unavailable")
    })
      .middleware(JsonBody)
      .middleware(AdminOnly)
      .middleware(Limits)
      .middleware(Authorization)
      .middleware(Problems)
      .annotateMerge(
        operation({
          id: "updatePlan",
          summary: "Update a plan",
          description:
            "Changes the fields that are sent. Existing subscribers keep their price and get the new limits. For admins of the installation; others get 403 `forbidden`.",
          request: { price: 24.9 },
          response: { ...Examples.plan, price: 24.9 }
        })
      ),
    HttpApiEndpoint.delete("removePlan", "/plans/:planId", {
      params,
      success: Deleted,
      error: refuses("not_found", "conflict", "unavailable")
    })
      .middleware(AdminOnly)
      .middleware(Limits)
      .middleware(Authorization)
      .middleware(Problems)
      .annotateMerge(
        operation({
          id: "deletePlan",
          summary: "Delete a plan",
          description:
            "Deletes a plan without subscribers. 409 `conflict` when an organization subscribes to it. For admins of the installation; others get 403 `forbidden`.",
          response: deleted(Examples.plan.id)
        })
      ),
    HttpApiEndpoint.get("subscription", "/subscription", { success: Subscription })
      .middleware(OrganizationOnly)
      .middleware(Limits)
      .middleware(Authorization)
      .middleware(Problems)
      .annotateMerge(
        operation({
          id: "getSubscription",
          access: "billing.read",
          summary: "Get the subscription",
          description:
            "Returns the subscription of the organization, the plan that sets its limits now, and the number of monitors in use.",
          response: Examples.subscription
        })
      ),
    HttpApiEndpoint.post("checkout", "/checkout", {
      payload: Body.sent<typeof CheckoutRequest.Encoded>("CheckoutRequest"),
      success: Schema.Struct({
        checkoutUrl: Schema.String.annotate({ description: "Address to redirect the person to, to pay or confirm" })
      }),
      error: refuses("conflict", "validation_failed", "unavailable", "billing_not_configured")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .middleware(OrganizationOnly)
      .middleware(Limits)
      .middleware(Authorization)
      .middleware(Problems)
      .annotateMerge(
        operation({
          id: "startCheckout",
          access: "billing.write",
          summary: "Start a checkout",
          description:
            "Returns an address at the payment provider where a person subscribes to the plan or changes to it. The subscription changes when the provider confirms it. 503 `billing_not_configured` when the operator has set up no payments.",
          request: { planId: Examples.plan.id },
          response: { checkoutUrl: "https://checkout.stripe.com/c/pay/cs_test_a1b2c3" }
        })
      ),
    HttpApiEndpoint.post("portal", "/portal", {
      success: Schema.Struct({
        portalUrl: Schema.String.annotate({ description: "Address to redirect the person to" })
      }),
      error: refuses("conflict", "unavailable", "billing_not_configured")
    })
      .middleware(Idempotency)
      .middleware(OrganizationOnly)
      .middleware(Limits)
      .middleware(Authorization)
      .middleware(Problems)
      .annotateMerge(
        operation({
          id: "openBillingPortal",
          access: "billing.write",
          summary: "Open the billing portal",
          description:
            "Returns an address at the payment provider where a person manages cards and invoices and cancels. 503 `billing_not_configured` when the operator has set up no payments.",
          response: { portalUrl: "https://billing.stripe.com/p/session/test_a1b2c3" }
        })
      )
  )
  .prefix("/billing")
  .annotateMerge(
    OpenApi.annotations({ title: "Billing", description: "Plans, the subscription of an organization, and payment." })
  ) {}
