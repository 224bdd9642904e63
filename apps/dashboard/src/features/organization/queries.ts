/** The people of an organization, those who are invited, and their teams. */
import type * as Domain from "@kanmon/domain/Organization"
import type { Role } from "@kanmon/domain/Role"
import { queryOptions } from "@tanstack/react-query"
import { request } from "../../api/request.ts"
import { allRoles, permits } from "../../api/permissions.ts"

export type Member = typeof Domain.Member.Encoded
export type Invitation = typeof Domain.Invitation.Encoded
export type Team = typeof Domain.Team.Encoded
type ProjectMember = typeof Domain.ProjectMember.Encoded

const pathOf = (id: string) => `/organizations/${id}`

export const membersQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ["members", organizationId],
    queryFn: ({ signal }) => request<ReadonlyArray<Member>>("GET", `${pathOf(organizationId)}/members`, { signal })
  })

export const invitationsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ["invitations", organizationId],
    queryFn: ({ signal }) =>
      request<ReadonlyArray<Invitation>>("GET", `${pathOf(organizationId)}/invitations`, { signal })
  })

export const teamsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ["teams", organizationId],
    queryFn: ({ signal }) => request<ReadonlyArray<Team>>("GET", `${pathOf(organizationId)}/teams`, { signal })
  })

export const projectMembersQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["project-members", projectId],
    queryFn: ({ signal }) =>
      request<ReadonlyArray<ProjectMember>>("GET", `/projects/${projectId}/members`, {
        project: { "kanmon-project": projectId },
        signal
      })
  })

/** The roles that somebody may give: none above their own, and only owners make owners. */
export const givable = (own: Role): ReadonlyArray<Role> =>
  permits(own, "members.write") ? allRoles.slice(0, allRoles.indexOf(own) + 1) : []
