/** The people of an organization, those who are invited, their teams, and its API keys. */
import type { ApiKey } from "@kanmon/domain/ApiKey"
import type * as Domain from "@kanmon/domain/Organization"
import type { Role } from "@kanmon/domain/Role"
import type { CreatedApiKey } from "@kanmon/protocol/ApiKeysApi"
import { queryOptions } from "@tanstack/react-query"
import { request } from "../../api/request.ts"
import { allRoles, permits } from "../../api/permissions.ts"

export type OrganizationKey = typeof ApiKey.Encoded
export type NewOrganizationKey = typeof CreatedApiKey.Encoded
export type Invitation = typeof Domain.Invitation.Encoded

export const invitationsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ["invitations", organizationId],
    queryFn: ({ signal }) =>
      request("GET /organizations/:organizationId/invitations", { params: { organizationId }, signal })
  })

export const projectMembersQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["project-members", projectId],
    queryFn: ({ signal }) =>
      request("GET /projects/:projectId/members", {
        params: { projectId },
        project: { "kanmon-project": projectId },
        signal
      })
  })

/** The roles that somebody may give: none above their own, and only owners make owners. */
export const givable = (own: Role): ReadonlyArray<Role> =>
  permits(own, "members.write") ? allRoles.slice(0, allRoles.indexOf(own) + 1) : []

export const organizationKeysQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ["organization-keys", organizationId],
    queryFn: ({ signal }) =>
      request("GET /organizations/:organizationId/api-keys", {
        params: { organizationId },
        query: { limit: 100 },
        signal
      })
  })
