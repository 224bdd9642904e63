/**
 * Payments through Stripe. Plans become products and prices, accounts become customers. Every creating request has an
 * idempotency key derived from its purpose, so that a repeated request creates nothing twice.
 */
import { createHash } from "node:crypto"
import type { Plan } from "@kanmon/domain/Plan"
import type { PlanOffer } from "./Plans.ts"
import { Effect, Layer, Option, Redacted } from "effect"
import Stripe from "stripe"
import {
  BadSignature,
  BillingNotConfigured,
  type Checkout,
  PaymentGateway,
  type PortalPurpose
} from "./PaymentGateway.ts"
import { ask, attempt, find, isRefusal, known, told } from "./StripeCall.ts"
import * as StripeNews from "./StripeNews.ts"
import * as StripePortal from "./StripePortal.ts"

export interface StripeOptions {
  readonly secretKey: Redacted.Redacted
  /** Without it, webhooks are disabled. */
  readonly webhookSecret: Redacted.Redacted | undefined
  /** Default: Stripe's own. */
  readonly apiBase: string | undefined
  /** Where users return to, without a trailing slash. Also identifies this installation's records at Stripe. */
  readonly baseUrl: string
}

/** Short, because users wait for most responses. */
const timeoutMillis = 10_000
const toleranceSeconds = 300

/** The idempotency key of a request, derived from its purpose and subject. */
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
  const returnUrl = `${baseUrl}/`
  const portals = new Map<string, string>()

  const customer: PaymentGateway["Service"]["customer"] = ({ email, name, organizationId }, lost) => {
    const params = { email, name, metadata: { organizationId, installation: baseUrl } }
    return Effect.map(
      ask(() => stripe.customers.create(params, once("customer", params, lost))),
      ({ id }) => id
    )
  }

  /** `before`: the former offer. Part of the idempotency key, so that the same plan can be created again. */
  const newProduct = (plan: Plan, before?: PlanOffer) => {
    const params = { name: plan.name, metadata: { planId: plan.id, installation: baseUrl } }
    return ask(() => stripe.products.create(params, once("product", params, before?.productId)))
  }

  const newOffer = Effect.fnUntraced(function* (plan: Plan, productId: string, before?: PlanOffer) {
    const { currency, name, priceMinor } = plan
    const params = {
      product: productId,
      currency: currency.toLowerCase(),
      unit_amount: priceMinor,
      recurring: { interval: "month" as const },
      metadata: { planId: plan.id }
    }
    const key = once("price", params, before?.priceId)
    const { id: priceId } = yield* known("offer", () => stripe.prices.create(params, key))
    return { productId, priceId, name, priceMinor, currency }
  })

  const offer: PaymentGateway["Service"]["offer"] = Effect.fnUntraced(function* (plan, former) {
    if (former === undefined) return yield* newOffer(plan, (yield* newProduct(plan)).id)
    if (former.name !== plan.name)
      yield* known("offer", () => stripe.products.update(former.productId, { name: plan.name }))
    if (former.priceMinor === plan.priceMinor && former.currency === plan.currency)
      return { ...former, name: plan.name }
    const made = yield* newOffer(plan, former.productId, former)
    // Existing subscriptions keep the former price.
    yield* known("offer", () => stripe.prices.update(former.priceId, { active: false }))
    return made
  })

  const renewOffer: PaymentGateway["Service"]["renewOffer"] = Effect.fnUntraced(function* (plan, lost) {
    const { id } = yield* newProduct(plan, lost)
    return yield* newOffer(plan, id, lost)
  })

  const withdraw: PaymentGateway["Service"]["withdraw"] = ({ priceId, productId }) =>
    Effect.andThen(
      known("offer", () => stripe.prices.update(priceId, { active: false })),
      Effect.asVoid(known("offer", () => stripe.products.update(productId, { active: false })))
    )

  const openCheckout: PaymentGateway["Service"]["openCheckout"] = ({
    customerId,
    former,
    planId,
    priceId,
    organizationId
  }) => {
    const metadata = { organizationId, planId, installation: baseUrl }
    const params = {
      mode: "subscription" as const,
      customer: customerId,
      client_reference_id: organizationId,
      line_items: [{ price: priceId, quantity: 1 }],
      success_url: `${returnUrl}?checkout=done`,
      cancel_url: `${returnUrl}?checkout=canceled`,
      metadata,
      // The metadata of a session are not copied to its subscription.
      subscription_data: { metadata }
    }
    return Effect.map(
      known("offer", () => stripe.checkout.sessions.create(params, once("checkout", params, former))),
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

  /** The id of the portal configuration for a purpose; an existing one is reused. */
  const configured = Effect.fnUntraced(function* (purpose: PortalPurpose) {
    const features = StripePortal.featuresFor(purpose)
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
    const flow = StripePortal.flowFor(purpose)
    const session = yield* known("subscription", () =>
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
      const detail = "STRIPE_WEBHOOK_SECRET is not set, so webhooks cannot be verified"
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
      catch: () => new BadSignature({ detail: "Stripe-Signature: it does not match the body, or is too old" })
    })
  }

  return PaymentGateway.of({
    configured: true,
    customer,
    offer,
    renewOffer,
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
