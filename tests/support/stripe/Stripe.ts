/** A fake Stripe as a service, with Kanmon's payments using it. */
import { Context, Effect, Layer, Redacted } from "effect"
import * as StripeGateway from "@kanmon/identity/testing/billing/StripeGateway.ts"
import * as StripeServer from "./StripeServer.ts"

export class Stripe extends Context.Service<Stripe, StripeServer.StripeServer>()("@kanmon/tests/Stripe") {
  static readonly layer = Layer.effect(Stripe, StripeServer.make)
}

/** Payments through the Stripe at an address, for an installation at another. */
export const through = (url: string, baseUrl: string) =>
  StripeGateway.layer({
    baseUrl,
    apiBase: url,
    secretKey: Redacted.make(StripeServer.secretKey),
    webhookSecret: Redacted.make(StripeServer.webhookSecret)
  })

/** Payments through the fake Stripe. */
export const payments = (baseUrl: string) =>
  Layer.unwrap(Effect.map(Stripe, ({ url }) => through(url, baseUrl))).pipe(Layer.provide(Stripe.layer))
