/** Accounts with subscriptions and monitors on a real PostgreSQL, as created by reports of the payment provider. */
import { type OrganizationId, PlanId, type ProjectId } from "@kanmon/domain/Ids"
import type { SubscriptionStatus } from "@kanmon/domain/Subscription"
import { dayMillis } from "@kanmon/domain/Timestamp"
import { Monitors } from "@kanmon/monitoring/testing/monitors/Monitors.ts"
import { Plans } from "@kanmon/identity/testing/billing/Plans.ts"
import { type SubscriptionNews, Subscriptions } from "@kanmon/identity/testing/billing/Subscriptions.ts"
import { Effect } from "effect"
import { noon } from "./Stage.ts"

export const plan = (name: string) => PlanId.make(`plan_${name}`)

/** The seeded plans with prices. */
export const sold = Effect.gen(function* () {
  const plans = yield* Plans
  for (const { currency, id, name, priceMinor } of yield* plans.list)
    yield* plans.keepOffer(id, { productId: `prod_${id}`, priceId: `price_${id}`, name, priceMinor, currency })
})

let events = 0

/** The name of the last event. */
export const lastEvent = (): string => `evt_${events}`

/** Reports an organization's subscription. */
export const hear = (
  organizationId: OrganizationId,
  planId: PlanId,
  status: SubscriptionStatus = "active",
  more: Partial<SubscriptionNews> = {}
) =>
  Effect.gen(function* () {
    const subscriptions = yield* Subscriptions
    const news: SubscriptionNews = {
      id: `sub_${organizationId}`,
      itemId: "si_1",
      productId: `prod_${planId}`,
      status,
      currentPeriodStart: noon,
      currentPeriodEnd: noon + 30 * dayMillis,
      cancelAt: null,
      createdAt: noon,
      ...more
    }
    return yield* subscriptions.record(
      organizationId,
      yield* subscriptions.version(organizationId),
      news,
      `evt_${++events}`
    )
  })

const web = {
  name: "Web",
  type: "http",
  interval: 60,
  timeout: 30,
  regions: [],
  paused: false,
  config: { url: "https://shop.example/" }
}

export const create = (projectId: ProjectId, more: object = {}) =>
  Effect.flatMap(Monitors, (monitors) => monitors.create(projectId, { ...web, ...more }))

/** The monitors of a project, oldest first. */
export const monitorsOf = (projectId: ProjectId) =>
  Effect.flatMap(Monitors, (monitors) =>
    Effect.map(monitors.list(projectId, { limit: 1000, cursor: undefined }), ({ items }) => [...items].reverse())
  )

/** Room for two monitors, once a minute. */
export const two = Effect.gen(function* () {
  const plans = yield* Plans
  yield* sold
  const { id, ...draft } = { ...(yield* plans.get(plan("pro"))).plan, name: "Two", monitors: 2, checkInterval: 60 }
  const made = yield* plans.create(draft)
  const { currency, name, priceMinor } = draft
  yield* plans.keepOffer(made.id, { productId: `prod_${made.id}`, priceId: `p_${id}`, name, priceMinor, currency })
  return made.id
})
