/** Operations on escalation policies. */
import { policiesQuery } from "../../../api/policies.ts"
import { request } from "../../../api/request.ts"
import type { Parts } from "../../../api/routes.ts"
import { useWrite } from "../../../api/write.ts"

type Policies = "/organizations/:organizationId/escalation-policies"

export const useCreatePolicy = (organizationId: string) =>
  useWrite({
    send: (body: Parts<`POST ${Policies}`>["body"]) =>
      request("POST /organizations/:organizationId/escalation-policies", { params: { organizationId }, body }),
    stale: [policiesQuery(organizationId).queryKey]
  })

export const useUpdatePolicy = (organizationId: string) =>
  useWrite({
    send: ({
      body,
      policyId
    }: {
      readonly policyId: string
      readonly body: Parts<`PATCH ${Policies}/:policyId`>["body"]
    }) =>
      request("PATCH /organizations/:organizationId/escalation-policies/:policyId", {
        params: { organizationId, policyId },
        body
      }),
    stale: [policiesQuery(organizationId).queryKey]
  })

export const useDeletePolicy = (organizationId: string, leave: () => unknown) =>
  useWrite({
    send: (policyId: string) =>
      request("DELETE /organizations/:organizationId/escalation-policies/:policyId", {
        params: { organizationId, policyId }
      }),
    leave,
    stale: [policiesQuery(organizationId).queryKey]
  })
