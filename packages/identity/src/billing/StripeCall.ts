/** Requests to Stripe, and their failures: retryable, fixable by the operator, or a defect of Kanmon. */
import { Effect, Option } from "effect"
import Stripe from "stripe"
import { BillingNotConfigured, LostAtProvider, type PaymentError, PaymentsUnreachable } from "./PaymentGateway.ts"

/** One request, with the errors of Stripe's library. */
export const attempt = <A>(request: () => Promise<A>): Effect.Effect<A, unknown> =>
  Effect.tryPromise({ try: request, catch: (error) => error })

/** One request. A refusal is a defect. */
export const ask = <A>(request: () => Promise<A>): Effect.Effect<A, PaymentError> =>
  Effect.catch(attempt(request), (error) => told(error))

/** One request for an object that may not exist. */
export const find = <A>(request: () => Promise<A>): Effect.Effect<Option.Option<A>, PaymentError> =>
  attempt(request).pipe(
    Effect.map(Option.some),
    Effect.catch((error) => (isMissing(error) ? Effect.succeed(Option.none<A>()) : told(error)))
  )

/** One request that refers to objects at Stripe: the customer, and `other`. */
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

/** Maps an error to one that the operator can fix or that a retry can fix. Other errors are defects. */
export const told = (error: unknown): Effect.Effect<never, PaymentError> => {
  if (error instanceof Stripe.errors.StripeAuthenticationError || error instanceof Stripe.errors.StripePermissionError)
    return Effect.fail(
      new BillingNotConfigured({ detail: "Stripe refuses this installation's STRIPE_SECRET_KEY; contact the operator" })
    )
  if (error instanceof Stripe.errors.StripeError && isTemporary(error))
    return Effect.fail(
      new PaymentsUnreachable({ detail: "Stripe does not answer; nothing was charged. Try again shortly" })
    )
  return Effect.die(error)
}

const isTemporary = (error: InstanceType<typeof Stripe.errors.StripeError>): boolean =>
  error instanceof Stripe.errors.StripeConnectionError ||
  error.statusCode === 409 ||
  error.statusCode === 429 ||
  (error.statusCode ?? 0) >= 500
