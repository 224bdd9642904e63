/** The subscription of the organization, and the plans of the installation. */
import type { PlanRecord } from "@kanmon/protocol/PlanBody"
import type { Subscription } from "@kanmon/protocol/SubscriptionBody"
import { queryOptions } from "@tanstack/react-query"
import { headersOf, type OrganizationRecord } from "../../api/organizations.ts"
import { request } from "../../api/request.ts"

export type Plan = typeof PlanRecord.Encoded
export type SubscriptionRecord = typeof Subscription.Encoded

export const subscriptionQuery = (organization: OrganizationRecord) =>
  queryOptions({
    queryKey: ["subscription", organization.id],
    queryFn: ({ signal }) => request("GET /billing/subscription", { project: headersOf(organization), signal })
  })

export const plansQuery = queryOptions({
  queryKey: ["plans"],
  queryFn: ({ signal }) => request("GET /billing/plans", { signal })
})
