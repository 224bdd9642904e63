/**
 * The webhook of the payment provider: `POST /billing/webhook`. Requests are authenticated by a signature over the exact bytes of
 * the body. The answer is sent when the event is stored: the provider repeats an event that gets no 2xx.
 */
import { basePath } from "@kanmon/protocol/BasePath"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Billing } from "./Billing.ts"
import { ofPayment } from "./BillingHandlers.ts"
import * as ProblemResponse from "@kanmon/platform/http/ProblemResponse"

const webhookPath = `${basePath}/billing/webhook`

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const billing = yield* Billing
    const handle = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const body = yield* Effect.orDie(request.text)
      yield* ofPayment(billing.receive(body, request.headers["stripe-signature"]))
      return HttpServerResponse.jsonUnsafe({ received: true })
    }).pipe(Effect.catch(ProblemResponse.toResponse))
    yield* router.add("POST", webhookPath, handle)
  })
)
