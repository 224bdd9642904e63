/** The features and flows of Stripe's customer portal. Pure. */
import type Stripe from "stripe"
import type { PortalPurpose } from "./PaymentGateway.ts"

export const featuresFor = (purpose: PortalPurpose) => ({
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

export const flowFor = (purpose: PortalPurpose): Stripe.BillingPortal.SessionCreateParams.FlowData | undefined => {
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
