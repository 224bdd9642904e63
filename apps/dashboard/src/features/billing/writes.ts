/** Operations on plans, and the ways to pay for one. */
import type { QueryClient } from "@tanstack/react-query"
import { headersOf, type OrganizationRecord } from "../../api/organizations.ts"
import { request } from "../../api/request.ts"
import type { Parts } from "../../api/routes.ts"
import { useWrite } from "../../api/write.ts"
import { type Plan, plansQuery } from "./queries.ts"

/** The API lets the list be kept for a minute, so it is not asked again. */
const keep = (client: QueryClient, id: string, plan?: Plan) =>
  client.setQueryData(plansQuery.queryKey, (known = []) =>
    [...known.filter((each) => each.id !== id), ...(plan === undefined ? [] : [plan])].toSorted(
      (one, other) => one.price - other.price
    )
  )

export const useCreatePlan = () =>
  useWrite({
    send: (body: Parts<"POST /billing/plans">["body"]) => request("POST /billing/plans", { body }),
    learn: (client, plan) => keep(client, plan.id, plan)
  })

export const useUpdatePlan = () =>
  useWrite({
    send: ({
      body,
      planId
    }: {
      readonly planId: string
      readonly body: Parts<"PATCH /billing/plans/:planId">["body"]
    }) => request("PATCH /billing/plans/:planId", { params: { planId }, body }),
    learn: (client, plan) => keep(client, plan.id, plan)
  })

export const useDeletePlan = () =>
  useWrite({
    send: (planId: string) => request("DELETE /billing/plans/:planId", { params: { planId } }),
    learn: (client, _, planId) => keep(client, planId)
  })

/** The address of the payment provider where the plan is bought. */
export const useCheckout = (organization: OrganizationRecord) =>
  useWrite({
    send: (planId: string) => request("POST /billing/checkout", { project: headersOf(organization), body: { planId } })
  })

/** The address of the payment provider with cards, invoices and cancellation. */
export const useBillingPortal = (organization: OrganizationRecord) =>
  useWrite({ send: () => request("POST /billing/portal", { project: headersOf(organization) }) })
