/** The people of an organization, those who are invited, and their teams. */
import type * as Domain from "@kanmon/domain/Organization"
import type { Role } from "@kanmon/domain/Role"
import { queryOptions } from "@tanstack/react-query"
import { request } from "../../api/request.ts"
import { allRoles, permits } from "../../api/permissions.ts"

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
