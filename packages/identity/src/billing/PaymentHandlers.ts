/**
 * The webhook of the payment provider: `POST /billing/webhook`. Requests are authenticated by a signature over the exact bytes of
 * the body. The answer is sent when the event is stored: the provider repeats an event that gets no 2xx.
 */
import { DirectRoutes } from "@kanmon/protocol/DirectApi"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Billing } from "./Billing.ts"
import { ofPayment } from "./BillingHandlers.ts"

export const layer = HttpApiBuilder.group(
  DirectRoutes,
  "payments",
  Effect.fnUntraced(function* (handlers) {
    const billing = yield* Billing
    return handlers.handleRaw("webhook", ({ request }) =>
      Effect.orDie(request.text).pipe(
        Effect.flatMap((body) => ofPayment(billing.receive(body, request.headers["stripe-signature"]))),
        Effect.as(HttpServerResponse.jsonUnsafe({ received: true }))
      )
    )
  })
)
