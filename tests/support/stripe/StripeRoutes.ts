/** The requests of Stripe's API that Kanmon makes, with their documented parameters. */
import * as StripeForm from "./StripeForm.ts"
import type { Form, Shape } from "./StripeForm.ts"
import { invalid, list, Refusal, type StripeObject, type StripeState } from "./StripeState.ts"

interface Route {
  readonly method: string
  readonly path: RegExp
  readonly takes: Shape
  readonly answer: (state: StripeState, form: any, id: string) => unknown
}

const customers: ReadonlyArray<Route> = [
  {
    method: "POST",
    path: /^\/v1\/customers$/,
    takes: { email: false, name: false, metadata: false },
    answer: (state, form) => state.add("cus", "customer", form)
  }
]

const catalogue: ReadonlyArray<Route> = [
  {
    method: "POST",
    path: /^\/v1\/products$/,
    takes: { name: true, metadata: false, active: false },
    answer: (state, form) => state.add("prod", "product", { active: true, ...form })
  },
  {
    method: "POST",
    path: /^\/v1\/products\/(\w+)$/,
    takes: { name: false, metadata: false, active: false },
    answer: (state, form, id) => Object.assign(state.get("product", id), withBoolean(form, "active"))
  },
  {
    method: "POST",
    path: /^\/v1\/prices$/,
    takes: { currency: true, product: true, unit_amount: true, recurring: true, metadata: false },
    answer: (state, form) => {
      state.get("product", form.product, "product")
      if (!/^[a-z]{3}$/.test(form.currency)) throw invalid("invalid_currency", `Invalid currency: ${form.currency}`)
      if (!/^\d+$/.test(form.unit_amount)) throw invalid("parameter_invalid_integer", "Invalid integer", "unit_amount")
      if (!["day", "week", "month", "year"].includes(form.recurring.interval))
        throw invalid("parameter_invalid", "Invalid interval", "recurring[interval]")
      return state.add("price", "price", {
        ...form,
        unit_amount: Number(form.unit_amount),
        recurring: { interval_count: 1, ...form.recurring },
        active: true
      })
    }
  },
  {
    method: "POST",
    path: /^\/v1\/prices\/(\w+)$/,
    takes: { active: false, metadata: false, nickname: false },
    answer: (state, form, id) => Object.assign(state.get("price", id), withBoolean(form, "active"))
  }
]

const sessions: ReadonlyArray<Route> = [
  {
    method: "POST",
    path: /^\/v1\/checkout\/sessions$/,
    takes: {
      mode: true,
      line_items: true,
      success_url: true,
      cancel_url: false,
      client_reference_id: false,
      customer: false,
      customer_email: false,
      metadata: false,
      subscription_data: false
    },
    answer: (state, form) => {
      if (form.mode !== "subscription") throw invalid("parameter_invalid", "Expected mode=subscription here", "mode")
      if (form.customer !== undefined && form.customer_email !== undefined)
        throw invalid("parameter_invalid", "You may only specify one of these parameters: customer, customer_email")
      state.get("customer", form.customer, "customer")
      const [item] = form.line_items
      if (item?.quantity !== "1") throw invalid("parameter_missing", "Expected a quantity", "line_items[0][quantity]")
      if (state.get("price", item.price, "line_items[0][price]")["active"] !== true)
        throw invalid("price_inactive", "The price specified is inactive", "line_items[0][price]")
      const session = state.add("cs_test", "checkout.session", {
        ...form,
        status: "open",
        payment_status: "unpaid",
        subscription: null,
        expires_at: state.now() + 86_400
      })
      return Object.assign(session, { url: `https://checkout.stripe.com/c/pay/${session.id}` })
    }
  },
  {
    method: "GET",
    path: /^\/v1\/checkout\/sessions\/(\w+)$/,
    takes: { expand: false },
    answer: (state, _form, id) => state.get("checkout.session", id)
  },
  {
    method: "POST",
    path: /^\/v1\/checkout\/sessions\/(\w+)\/expire$/,
    takes: { expand: false },
    answer: (state, _form, id) => {
      const session = state.get("checkout.session", id)
      if (session["status"] !== "open")
        throw invalid("session_not_open", "Only Checkout Sessions with a status of open can be expired")
      state.tell("checkout.session.expired", Object.assign(session, { status: "expired", url: null }))
      return session
    }
  }
]

const subscriptions: ReadonlyArray<Route> = [
  {
    method: "GET",
    path: /^\/v1\/subscriptions\/(\w+)$/,
    takes: { expand: false },
    answer: (state, _form, id) => state.get("subscription", id)
  }
]

const portals: ReadonlyArray<Route> = [
  {
    method: "GET",
    path: /^\/v1\/billing_portal\/configurations$/,
    takes: { active: false, is_default: false, limit: false },
    answer: (state) => list(state.all("billing_portal.configuration"), "/v1/billing_portal/configurations")
  },
  {
    method: "POST",
    path: /^\/v1\/billing_portal\/configurations$/,
    takes: { features: true, business_profile: false, default_return_url: false, metadata: false },
    answer: (state, form) => {
      const { products } = form.features.subscription_update ?? { products: [] }
      for (const { prices, product } of products)
        for (const id of prices)
          if (state.get("price", id)["product"] !== product)
            throw invalid("parameter_invalid", "The price is of another product", "features")
      return state.add("bpc", "billing_portal.configuration", { ...form, active: true })
    }
  },
  {
    method: "POST",
    path: /^\/v1\/billing_portal\/sessions$/,
    takes: { customer: true, configuration: false, return_url: false, flow_data: false },
    answer: (state, { configuration, flow_data: flow, ...form }) => {
      state.get("customer", form.customer, "customer")
      if (configuration === undefined)
        throw invalid("no_configuration", "No configuration provided and your test mode default has not been created")
      checkFlow(state, form.customer, state.get("billing_portal.configuration", configuration), flow)
      const session = state.add("bps", "billing_portal.session", { ...form, configuration, flow: flow ?? null })
      return Object.assign(session, { url: `https://billing.stripe.com/p/session/${session.id}` })
    }
  }
]

const checkFlow = (state: StripeState, customer: string, { features }: StripeObject, flow: any): void => {
  if (flow === undefined) return
  const details = flow[flow.type]
  if (state.get("subscription", details.subscription)["customer"] !== customer)
    throw invalid("parameter_invalid", "The subscription is of another customer", "flow_data")
  if (flow.type === "subscription_cancel" && features.subscription_cancel?.enabled !== "true")
    throw invalid("feature_disabled", "subscription_cancel is disabled in the configuration")
  if (flow.type !== "subscription_update_confirm") return
  const [item] = details.items
  const offered = (features.subscription_update?.products ?? []).flatMap(({ prices }: any) => prices)
  if (features.subscription_update?.enabled !== "true" || !offered.includes(item.price))
    throw invalid("price_not_offered", "The price is not among those of the configuration", "flow_data")
  if (state.get("subscription", details.subscription)["items"].data[0].id !== item.id)
    throw invalid("resource_missing", "No such subscription item", "flow_data")
}

const withBoolean = (form: Form, name: string) =>
  name in form ? { ...form, [name]: form[name] === "true" } : { ...form }

const routes = [...customers, ...catalogue, ...sessions, ...subscriptions, ...portals]

/** Handles a request, or throws Stripe's error. */
export const handle = (state: StripeState, method: string, path: string, form: Form): unknown => {
  for (const route of routes) {
    const match = route.method === method ? route.path.exec(path) : null
    if (match === null) continue
    const wrong = StripeForm.objection(form, route.takes)
    if (wrong !== undefined) throw invalid(wrong.code, `${wrong.code}: ${wrong.param}`, wrong.param)
    return structuredClone(route.answer(state, form, match[1] ?? ""))
  }
  throw new Refusal(404, "invalid_request_error", "url_invalid", `Unrecognized request URL (${method}: ${path})`)
}
