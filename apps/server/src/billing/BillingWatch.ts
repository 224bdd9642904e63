/** Asks about subscriptions of which nothing is heard any more: what the payment provider told may have been lost on the way. */
import { Effect, Layer, Schedule } from "effect"
import { Billing } from "./Billing.ts"
import { PaymentGateway } from "./PaymentGateway.ts"

const pollInterval = "1 hour"

const watch = Effect.gen(function* () {
  const { configured } = yield* PaymentGateway
  const { catchUp } = yield* Billing
  if (!configured) return
  yield* catchUp.pipe(
    Effect.catchCause((cause) => Effect.logWarning("Subscriptions could not be asked about; it is tried again", cause)),
    Effect.repeat(Schedule.spaced(pollInterval)),
    Effect.forkScoped
  )
})

export const layer = Layer.effectDiscard(watch).pipe(Layer.provide(Billing.layer))
