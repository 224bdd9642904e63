/** Asks about subscriptions of which nothing is heard any more: what the payment provider told may have been lost on the way. */
import { every } from "@kanmon/engine/Job"
import { Effect, Layer } from "effect"
import { Billing } from "./Billing.ts"
import { PaymentGateway } from "./PaymentGateway.ts"

const pollInterval = "1 hour"

const watch = Effect.gen(function* () {
  const { configured } = yield* PaymentGateway
  const { catchUp } = yield* Billing
  if (!configured) return
  yield* every(pollInterval, "Asking about subscriptions", catchUp)
})

export const layer = Layer.effectDiscard(watch).pipe(Layer.provide(Billing.layer))
