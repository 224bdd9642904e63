/** Stripe as the payment provider. Its library is large and loaded only by installations that take payments. */
import { Effect, Layer } from "effect"
import type { PaymentGateway } from "./PaymentGateway.ts"
import type { StripeOptions } from "./StripeGateway.ts"

export const layer = (options: StripeOptions): Layer.Layer<PaymentGateway> =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("./StripeGateway.ts")),
      (StripeGateway) => StripeGateway.layer(options)
    )
  )
