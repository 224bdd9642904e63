/**
 * Payments through Stripe. Amounts, names and accounts of ours become products, prices and customers of theirs; every request
 * that makes something carries a key that names what it is for, so that asking again does not make it twice.
 */
import { createHash } from "node:crypto"
import type { Plan } from "@kanmon/domain/Plan"
import type { PlanOffer } from "@kanmon/store/Plans"
import { Effect, Layer, Option, Redacted } from "effect"
import Stripe from "stripe"
import {
  BadSignature,
  BillingNotConfigured,
  type Checkout,
  type PaymentError,
  PaymentGateway,
  PaymentsUnreachable,
  type PortalPurpose
} from "./PaymentGateway.ts"
import * as StripeNews from "./StripeNews.ts"

export interface StripeOptions {
  readonly secretKey: Redacted.Redacted
  /** Without it nothing can be heard from Stripe. */
  readonly webhookSecret: Redacted.Redacted | undefined
  /** Stripe's own unless it says otherwise. */
  readonly apiBase: string | undefined
  /** Where people come back to, without a slash at the end. Also tells the records of this installation from others'. */
  readonly baseUrl: string
}

/** People wait for most of the answers. */
const timeoutMillis = 10_000
const toleranceSeconds = 300

/** Names a request by what it is for: the same again is not done twice, another one is done. */
const once = (purpose: string, ...about: ReadonlyArray<unknown>): { readonly idempotencyKey: string } => ({
  idempotencyKey: `kanmon-${purpose}-${digest(about)}`
})

const digest = (value: unknown): string => createHash("sha256").update(JSON.stringify(value)).digest("base64url")

const toBase = (address: string) => {
  const { hostname, port, protocol } = new URL(address)
  const secure = protocol === "https:"
  return {
    host: hostname,
    port: port === "" ? (secure ? 443 : 80) : Number(port),
    protocol: secure ? ("https" as const) : ("http" as const)
  }
}

const make = ({ apiBase, baseUrl, secretKey, webhookSecret }: StripeOptions): PaymentGateway["Service"] => {
  const stripe = new Stripe(Redacted.value(secretKey), {
    ...(apiBase === undefined ? {} : toBase(apiBase)),
    timeout: timeoutMillis,
    maxNetworkRetries: 2,
    telemetry: false,
    appInfo: { name: "Kanmon" }
  })
  const returnUrl = `${baseUrl}/billing`
  const portals = new Map<string, string>()

  const customer: PaymentGateway["Service"]["customer"] = ({ email, name, userId }) => {
    const params = { email, name, metadata: { userId, installation: baseUrl } }
    return Effect.map(
      ask(() => stripe.customers.create(params, once("customer", params))),
      ({ id }) => id
    )
  }

  const productOf = Effect.fnUntraced(function* (plan: Plan, former: PlanOffer | undefined) {
    if (former?.name === plan.name) return former.productId
    if (former !== undefined)
      return (yield* ask(() => stripe.products.update(former.productId, { name: plan.name, active: true }))).id
    const params = { name: plan.name, metadata: { planId: plan.id, installation: baseUrl } }
    return (yield* ask(() => stripe.products.create(params, once("product", params)))).id
  })

  const offer: PaymentGateway["Service"]["offer"] = Effect.fnUntraced(function* (plan, former) {
    const product = yield* productOf(plan, former)
    const { currency, name, priceMinor } = plan
    if (former !== undefined && former.priceMinor === priceMinor && former.currency === currency)
      return { ...former, name }
    const params = {
      product,
      currency: currency.toLowerCase(),
      unit_amount: priceMinor,
      recurring: { interval: "month" as const },
      metadata: { planId: plan.id }
    }
    const { id: priceId } = yield* ask(() => stripe.prices.create(params, once("price", params, former?.priceId)))
    if (former !== undefined) yield* ask(() => stripe.prices.update(former.priceId, { active: false }))
    return { productId: product, priceId, name, priceMinor, currency }
  })

  const withdraw: PaymentGateway["Service"]["withdraw"] = ({ priceId, productId }) =>
    Effect.andThen(
      ask(() => stripe.prices.update(priceId, { active: false })),
      Effect.asVoid(ask(() => stripe.products.update(productId, { active: false })))
    )

  const openCheckout: PaymentGateway["Service"]["openCheckout"] = ({ customerId, former, planId, priceId, userId }) => {
    const metadata = { userId, planId, installation: baseUrl }
    const params = {
      mode: "subscription" as const,
      customer: customerId,
      client_reference_id: userId,
      line_items: [{ price: priceId, quantity: 1 }],
      success_url: `${returnUrl}?checkout=done`,
      cancel_url: `${returnUrl}?checkout=canceled`,
      metadata,
      // A session's metadata do not reach its subscription.
      subscription_data: { metadata }
    }
    return Effect.map(
      ask(() => stripe.checkout.sessions.create(params, once("checkout", params, former))),
      toCheckout
    )
  }

  const findCheckout: PaymentGateway["Service"]["findCheckout"] = (id) =>
    find(() => stripe.checkout.sessions.retrieve(id)).pipe(Effect.map(Option.map(toCheckout)))

  const closeCheckout: PaymentGateway["Service"]["closeCheckout"] = (id) =>
    attempt(() => stripe.checkout.sessions.expire(id)).pipe(
      // It was no longer open.
      Effect.catch((error) => (isRefusal(error) ? Effect.void : told(error))),
      Effect.asVoid
    )

  /** What the portal lets people do depends on a configuration, which is looked for before one is made. */
  const configured = Effect.fnUntraced(function* (purpose: PortalPurpose) {
    const features = featuresFor(purpose)
    const kanmon = digest([features, returnUrl])
    const known = portals.get(kanmon)
    if (known !== undefined) return known
    const all = yield* ask(() => stripe.billingPortal.configurations.list({ active: true, limit: 100 }))
    const found = all.data.find(({ metadata }) => metadata?.["kanmon"] === kanmon)
    const params = { features, default_return_url: returnUrl, metadata: { kanmon } }
    const { id } =
      found ?? (yield* ask(() => stripe.billingPortal.configurations.create(params, once("portal", params))))
    portals.set(kanmon, id)
    return id
  })

  const portal: PaymentGateway["Service"]["portal"] = Effect.fnUntraced(function* (customerId, purpose) {
    const configuration = yield* configured(purpose)
    const flow = flowFor(purpose)
    const session = yield* ask(() =>
      stripe.billingPortal.sessions.create({
        customer: customerId,
        configuration,
        return_url: returnUrl,
        ...(flow === undefined ? {} : { flow_data: flow })
      })
    )
    return session.url
  })

  const subscription: PaymentGateway["Service"]["subscription"] = (id) =>
    find(() => stripe.subscriptions.retrieve(id)).pipe(Effect.map(Option.flatMap(StripeNews.ofSubscription)))

  const event: PaymentGateway["Service"]["event"] = (body, signature, at) => {
    if (webhookSecret === undefined) {
      const detail = "STRIPE_WEBHOOK_SECRET is not set, so nothing that Stripe sends can be believed"
      return Effect.fail(new BillingNotConfigured({ detail }))
    }
    return Effect.try({
      try: () =>
        StripeNews.ofEvent(
          stripe.webhooks.constructEvent(
            body,
            signature ?? "",
            Redacted.value(webhookSecret),
            toleranceSeconds,
            undefined,
            at
          )
        ),
      catch: () => new BadSignature({ detail: "Stripe-Signature: it does not go with the body, or is too old" })
    })
  }

  return PaymentGateway.of({
    configured: true,
    customer,
    offer,
    withdraw,
    openCheckout,
    findCheckout,
    closeCheckout,
    portal,
    subscription,
    event
  })
}

export const layer = (options: StripeOptions): Layer.Layer<PaymentGateway> =>
  Layer.sync(PaymentGateway, () => make(options))

const toCheckout = (session: Stripe.Checkout.Session): Checkout => ({
  id: session.id,
  url: session.url,
  status: session.status === "complete" ? "complete" : session.status === "expired" ? "expired" : "open",
  subscriptionId: typeof session.subscription === "string" ? session.subscription : (session.subscription?.id ?? null)
})

const featuresFor = (purpose: PortalPurpose) => ({
  invoice_history: { enabled: true },
  payment_method_update: { enabled: true },
  subscription_cancel: { enabled: true, mode: "at_period_end" as const },
  ...(purpose._tag === "Change"
    ? {
        subscription_update: {
          enabled: true,
          default_allowed_updates: ["price" as const],
          proration_behavior: "create_prorations" as const,
          products: [{ product: purpose.offer.productId, prices: [purpose.offer.priceId] }]
        }
      }
    : {})
})

const flowFor = (purpose: PortalPurpose): Stripe.BillingPortal.SessionCreateParams.FlowData | undefined => {
  switch (purpose._tag) {
    case "Look":
      return undefined
    case "Cancel":
      return { type: "subscription_cancel", subscription_cancel: { subscription: purpose.subscriptionId } }
    case "Change":
      return {
        type: "subscription_update_confirm",
        subscription_update_confirm: {
          subscription: purpose.subscriptionId,
          items: [{ id: purpose.itemId, price: purpose.offer.priceId, quantity: 1 }]
        }
      }
  }
}

/** One request; what goes wrong as Stripe's library says it. */
const attempt = <A>(request: () => Promise<A>): Effect.Effect<A, unknown> =>
  Effect.tryPromise({ try: request, catch: (error) => error })

/** One request; refusals are our mistakes. */
const ask = <A>(request: () => Promise<A>): Effect.Effect<A, PaymentError> =>
  Effect.catch(attempt(request), (error) => told(error))

/** One request for something that may not exist. */
const find = <A>(request: () => Promise<A>): Effect.Effect<Option.Option<A>, PaymentError> =>
  attempt(request).pipe(
    Effect.map(Option.some),
    Effect.catch((error) =>
      error instanceof Stripe.errors.StripeError && error.code === "resource_missing"
        ? Effect.succeed(Option.none<A>())
        : told(error)
    )
  )

const isRefusal = (error: unknown): boolean => error instanceof Stripe.errors.StripeInvalidRequestError

/** What can help: the operator, or time. Anything else is a defect. */
const told = (error: unknown): Effect.Effect<never, PaymentError> => {
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
