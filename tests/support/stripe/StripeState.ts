/** Stripe's state, and what its users and its clock do. Every change creates its events, in order. */

export interface StripeObject {
  readonly id: string
  readonly object: string
  [field: string]: any
}

export interface StripeEvent extends StripeObject {
  readonly type: string
  readonly created: number
}

/** Stripe's error response. */
export class Refusal extends Error {
  readonly status: number
  readonly body: object
  constructor(status: number, type: string, code: string, message: string, param?: string) {
    super(message)
    this.status = status
    this.body = { error: { type, code, message, ...(param === undefined ? {} : { param }) } }
  }
}

export const invalid = (code: string, message: string, param?: string): Refusal =>
  new Refusal(400, "invalid_request_error", code, message, param)

const month = 30 * 86_400

export class StripeState {
  readonly objects = new Map<string, StripeObject>()
  readonly events: Array<StripeEvent> = []
  #next = 0
  /** Seconds. */
  now = (): number => Math.floor(Date.now() / 1000)

  id(prefix: string): string {
    return `${prefix}_${String(++this.#next).padStart(6, "0")}`
  }

  add(prefix: string, object: string, fields: object): StripeObject {
    const made: StripeObject = { id: this.id(prefix), object, created: this.now(), livemode: false, ...fields }
    this.objects.set(made.id, made)
    return made
  }

  /** `param` is the parameter that named it. */
  get(object: string, id: unknown, param = "id"): StripeObject {
    const found = this.objects.get(String(id))
    if (found?.object !== object)
      throw new Refusal(404, "invalid_request_error", "resource_missing", `No such ${object}: '${String(id)}'`, param)
    return found
  }

  all(object: string): ReadonlyArray<StripeObject> {
    return [...this.objects.values()].filter((one) => one.object === object)
  }

  tell(type: string, object: StripeObject): StripeEvent {
    const event: StripeEvent = {
      id: this.id("evt"),
      object: "event",
      api_version: "2026-10-28.endive",
      created: this.now(),
      type,
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      data: { object: structuredClone(object) }
    }
    this.events.push(event)
    return event
  }

  /** A user pays on a checkout page. */
  pay(sessionId: string): StripeObject {
    const session = this.get("checkout.session", sessionId)
    if (session["status"] !== "open") throw invalid("session_not_open", "The page has expired")
    const start = this.now()
    const subscription = this.add("sub", "subscription", {
      status: "active",
      customer: session["customer"],
      cancel_at_period_end: false,
      cancel_at: null,
      metadata: session["subscription_data"]?.metadata ?? {},
      items: { object: "list", data: [this.#item(session["line_items"][0].price, start)] }
    })
    Object.assign(session, { status: "complete", payment_status: "paid", subscription: subscription.id, url: null })
    this.tell("customer.subscription.created", subscription)
    this.tell("invoice.paid", this.#invoice(subscription))
    this.tell("checkout.session.completed", session)
    return subscription
  }

  /** A user confirms on a portal page. */
  confirm(portalUrl: string): StripeObject {
    const portal = this.all("billing_portal.session").find(({ url }) => url === portalUrl)
    const flow = portal?.["flow"]
    if (flow?.type === "subscription_cancel") {
      const subscription = this.get("subscription", flow.subscription_cancel.subscription)
      subscription["cancel_at_period_end"] = true
      this.tell("customer.subscription.updated", subscription)
      return subscription
    }
    if (flow?.type !== "subscription_update_confirm") throw new Error("There is nothing to confirm on this page")
    const { items, subscription: id } = flow.subscription_update_confirm
    const subscription = this.get("subscription", id)
    const item = subscription["items"].data[0]
    item.price = this.#price(items[0].price)
    this.tell("customer.subscription.updated", subscription)
    return subscription
  }

  /** Sets the status of a subscription, as Stripe does on its own. */
  turn(subscriptionId: string, status: string): StripeEvent {
    const subscription = this.get("subscription", subscriptionId)
    subscription["status"] = status
    if (status === "past_due") this.tell("invoice.payment_failed", this.#invoice(subscription))
    const type = status === "canceled" ? "customer.subscription.deleted" : "customer.subscription.updated"
    return this.tell(type, subscription)
  }

  #price(id: string): StripeObject {
    const { product, recurring, unit_amount, currency } = this.get("price", id)
    return { id, object: "price", product, recurring, unit_amount, currency }
  }

  #item(priceId: string, start: number): StripeObject {
    return {
      id: this.id("si"),
      object: "subscription_item",
      quantity: 1,
      current_period_start: start,
      current_period_end: start + month,
      price: this.#price(priceId)
    }
  }

  #invoice(subscription: StripeObject): StripeObject {
    return this.add("in", "invoice", {
      customer: subscription["customer"],
      parent: { type: "subscription_details", subscription_details: { subscription: subscription.id, metadata: {} } }
    })
  }
}

/** A list in Stripe's format. */
export const list = (data: ReadonlyArray<StripeObject>, url: string) => ({ object: "list", data, has_more: false, url })
