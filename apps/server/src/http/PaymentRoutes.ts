/**
 * Where the payment provider tells what happened: `POST /billing/webhook`. Nobody signs in; the signature goes with the body as
 * it came over the wire, byte for byte, so it is read before anything else touches it. Answered when it is durable: whoever
 * gets no 2xx tells it again.
 */
import { basePath } from "@kanmon/protocol/Api"
import { Problem } from "@kanmon/protocol/Problem"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Billing } from "../billing/Billing.ts"
import { ofPayment } from "./BillingHandlers.ts"
import * as ProblemResponse from "./ProblemResponse.ts"

const webhookPath = `${basePath}/billing/webhook`

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const billing = yield* Billing
    const handle = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const body = yield* Effect.orDie(request.text)
      yield* billing
        .hear(body, request.headers["stripe-signature"])
        .pipe(
          Effect.mapError((error) =>
            error._tag === "BadSignature"
              ? new Problem({ code: "malformed_request", detail: error.detail })
              : ofPayment(error)
          )
        )
      return HttpServerResponse.jsonUnsafe({ received: true })
    }).pipe(Effect.catch(ProblemResponse.toResponse))
    yield* router.add("POST", webhookPath, handle)
  })
)
