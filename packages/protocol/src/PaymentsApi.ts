/** Webhooks of the payment provider. The signature in the header is the only credential. */
import { boundedText } from "@kanmon/domain/BoundedText"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Problems } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import { operation } from "./internal/Operation.ts"

export class PaymentsApi extends HttpApiGroup.make("payments")
  .add(
    HttpApiEndpoint.post("webhook", "/webhook", {
      headers: {
        "Stripe-Signature": boundedText(8192).annotate({
          description: "`t=<seconds>,v1=<signature>`, at most five minutes old"
        })
      },
      payload: Schema.JsonObject,
      success: Schema.Struct({ received: Schema.Literal(true) }),
      error: refuses(
        "malformed_request",
        "request_timeout",
        "payload_too_large",
        "unsupported_media_type",
        "billing_not_configured"
      )
    }).annotateMerge(
      operation({
        id: "receiveStripeEvent",
        summary: "Receive a Stripe event",
        description:
          "Stores a signed event of Stripe about a subscription. For Stripe only. A bad signature, or one older than five minutes, is refused with 400; an event that is sent again has no second effect.",
        request: {
          id: "evt_1QabcDEFghIJklMN",
          type: "customer.subscription.updated",
          created: 1795163400,
          data: { object: { id: "sub_1QabcDEFghIJklMN", status: "active" } }
        },
        response: { received: true }
      })
    )
  )
  .middleware(Problems)
  .prefix("/billing")
  .annotateMerge(OpenApi.annotations({ title: "Billing" })) {}
