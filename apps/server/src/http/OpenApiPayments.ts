/** The payment provider's part of the OpenAPI document, written by hand: its route stands outside the contract. */
import { basePath } from "@kanmon/protocol/Api"
import { CheckoutRequest } from "@kanmon/protocol/BillingApi"
import { planFields } from "@kanmon/protocol/PlanBody"
import type { ProblemCode } from "@kanmon/protocol/Problem"
import { type Json, jsonSchema, properties } from "./OpenApiMonitors.ts"

/** What the route may refuse with besides what every route may. */
export const paymentProblems: Readonly<Record<string, ReadonlyArray<ProblemCode>>> = {
  receiveStripeEvent: ["malformed_request", "payload_too_large", "billing_not_configured"]
}

export const paymentPaths: Json = {
  [`${basePath}/billing/webhook`]: {
    post: {
      tags: ["Billing"],
      operationId: "receiveStripeEvent",
      summary: "Receive a Stripe event",
      description:
        "Stores a signed event of Stripe about a subscription. For Stripe only. A bad signature, or one older than five minutes, is refused with 400; an event that is sent again has no second effect.",
      security: [],
      parameters: [
        {
          name: "Stripe-Signature",
          in: "header",
          required: true,
          description: "`t=<seconds>,v1=<signature>`, at most five minutes old",
          schema: { type: "string" }
        }
      ],
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: { type: "object" },
            example: {
              id: "evt_1QabcDEFghIJklMN",
              type: "customer.subscription.updated",
              created: 1795163400,
              data: { object: { id: "sub_1QabcDEFghIJklMN", status: "active" } }
            }
          }
        }
      },
      responses: {
        "200": {
          description: "The event is stored",
          content: {
            "application/json": {
              schema: {
                type: "object",
                properties: { received: { type: "boolean", const: true } },
                required: ["received"]
              },
              example: { received: true }
            }
          }
        }
      }
    }
  }
}

const flags = { customDomain: false, unlimitedTeamMembers: false, sso: false }

/** Bodies that the contract leaves open, because they are decoded by hand. */
export const paymentRequests: Json = {
  PlanRequest: {
    type: "object",
    properties: properties(planFields, { regions: null, currency: "EUR", ...flags }),
    required: ["name", "monitors", "checkInterval", "price"],
    additionalProperties: false,
    examples: [{ name: "Studio", monitors: 200, checkInterval: 30, regions: 3, price: 19.9 }]
  },
  PlanChange: {
    type: "object",
    description: "Any of the fields",
    properties: properties(planFields, {}),
    additionalProperties: false,
    examples: [{ price: 24.9 }]
  },
  CheckoutRequest: { ...jsonSchema(CheckoutRequest), additionalProperties: false, examples: [{ planId: "plan_pro" }] }
}
