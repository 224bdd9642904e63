/** The escalation policies of an organization. */
import { queryOptions, useQuery } from "@tanstack/react-query"
import { useOrganization } from "./organizations.ts"
import { request } from "./request.ts"

export type { Policy } from "./policy.ts"

export const policiesQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ["policies", organizationId],
    queryFn: ({ signal }) =>
      request("GET /organizations/:organizationId/escalation-policies", { params: { organizationId }, signal })
  })

/** The policies of the current organization. */
export const usePolicies = () => {
  const organization = useOrganization()
  return useQuery({ ...policiesQuery(organization?.id ?? ""), enabled: organization !== undefined })
}
