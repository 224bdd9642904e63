/** Fetches subscriptions without recent events: an event of the payment provider may have been lost. */
import { every } from "@kanmon/core/Recurring"
import { Effect, Layer } from "effect"
import { Billing } from "./Billing.ts"
import { PaymentGateway } from "./PaymentGateway.ts"

const pollInterval = "1 hour"

const watch = Effect.gen(function* () {
  const { configured } = yield* PaymentGateway
  const { catchUp } = yield* Billing
  if (!configured) return
  yield* every(pollInterval, "Fetching subscriptions", catchUp)
})

export const layer = Layer.effectDiscard(watch).pipe(Layer.provide(Billing.layer))
