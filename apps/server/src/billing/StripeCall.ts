/** Requests to Stripe, and what their failures mean: time can mend it, the operator can, or it is a defect of ours. */
import { Effect, Option } from "effect"
import Stripe from "stripe"
import { BillingNotConfigured, LostAtProvider, type PaymentError, PaymentsUnreachable } from "./PaymentGateway.ts"

/** One request; what goes wrong as Stripe's library says it. */
export const attempt = <A>(request: () => Promise<A>): Effect.Effect<A, unknown> =>
  Effect.tryPromise({ try: request, catch: (error) => error })

/** One request; refusals are our mistakes. */
export const ask = <A>(request: () => Promise<A>): Effect.Effect<A, PaymentError> =>
  Effect.catch(attempt(request), (error) => told(error))

/** One request for something that may not exist. */
export const find = <A>(request: () => Promise<A>): Effect.Effect<Option.Option<A>, PaymentError> =>
  attempt(request).pipe(
    Effect.map(Option.some),
    Effect.catch((error) => (isMissing(error) ? Effect.succeed(Option.none<A>()) : told(error)))
  )

/** One request that names things which Stripe made for us: the customer, or something else. */
export const known = <A>(
  other: LostAtProvider["what"],
  request: () => Promise<A>
): Effect.Effect<A, PaymentError | LostAtProvider> =>
  Effect.catch(attempt(request), (error): Effect.Effect<never, PaymentError | LostAtProvider> =>
    isMissing(error)
      ? Effect.fail(new LostAtProvider({ what: error.param === "customer" ? "customer" : other }))
      : told(error)
  )

const isMissing = (error: unknown): error is InstanceType<typeof Stripe.errors.StripeError> =>
  error instanceof Stripe.errors.StripeError && error.code === "resource_missing"

export const isRefusal = (error: unknown): boolean => error instanceof Stripe.errors.StripeInvalidRequestError

/** What can help: the operator, or time. Anything else is a defect. */
export const told = (error: unknown): Effect.Effect<never, PaymentError> => {
  if (error instanceof Stripe.errors.StripeAuthenticationError || error instanceof Stripe.errors.StripePermissionError)
    return Effect.fail(
      new BillingNotConfigured({ detail: "Stripe refuses this installation's STRIPE_SECRET_KEY; tell whoever runs it" })
    )
  if (error instanceof Stripe.errors.StripeError && isPassing(error))
    return Effect.fail(
      new PaymentsUnreachable({ detail: "Stripe does not answer; nothing was charged. Try again shortly" })
    )
  return Effect.die(error)
}

const isPassing = (error: InstanceType<typeof Stripe.errors.StripeError>): boolean =>
  error instanceof Stripe.errors.StripeConnectionError ||
  error.statusCode === 409 ||
  error.statusCode === 429 ||
  (error.statusCode ?? 0) >= 500
