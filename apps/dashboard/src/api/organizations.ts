/** The organizations of the account, and the one of the current project. */
import type { Organization } from "@kanmon/domain/Organization"
import { queryOptions, useQuery } from "@tanstack/react-query"
import { request } from "./request.ts"
import { useProject } from "./session.ts"

export type OrganizationRecord = typeof Organization.Encoded

export const organizationsQuery = queryOptions({
  queryKey: ["organizations"],
  queryFn: ({ signal }) => request("GET /organizations", { signal }),
  staleTime: 60_000
})

/** The organization that owns the current project; undefined until it is known. */
export const useOrganization = ({ isNeeded = true } = {}): OrganizationRecord | undefined => {
  const project = useProject()
  const { data } = useQuery({ ...organizationsQuery, enabled: isNeeded })
  return data?.find(({ id }) => id === project?.organizationId)
}

/** The headers that select an organization. */
export const headersOf = ({ id }: OrganizationRecord): Readonly<Record<string, string>> => ({
  "kanmon-organization": id
})
