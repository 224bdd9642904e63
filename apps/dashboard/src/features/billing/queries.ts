/** The subscription of the account, and the plans of the installation. */
import type { PlanRecord } from "@kanmon/protocol/PlanBody"
import type { Subscription } from "@kanmon/protocol/SubscriptionBody"
import { queryOptions } from "@tanstack/react-query"
import { request } from "../../api/request.ts"

export type Plan = typeof PlanRecord.Encoded
export type SubscriptionRecord = typeof Subscription.Encoded

export const subscriptionQuery = queryOptions({
  queryKey: ["subscription"],
  queryFn: ({ signal }) => request<SubscriptionRecord>("GET", "/billing/subscription", { signal })
})

export const plansQuery = queryOptions({
  queryKey: ["plans"],
  queryFn: ({ signal }) => request<ReadonlyArray<Plan>>("GET", "/billing/plans", { signal })
})
