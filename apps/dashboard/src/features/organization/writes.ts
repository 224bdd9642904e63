/** Operations on organizations, their projects, members, teams, invitations and API keys. */
import { organizationsQuery } from "../../api/organizations.ts"
import { membersQuery, type Team, teamsQuery } from "../../api/people.ts"
import type { Role } from "../../api/permissions.ts"
import { ApiError, type FormErrors } from "../../api/problem.ts"
import { request } from "../../api/request.ts"
import type { Parts } from "../../api/routes.ts"
import { type CurrentProject, giveUp, projectsQuery } from "../../api/session.ts"
import { keepEntry, useWrite } from "../../api/write.ts"
import { type Invitation, invitationsQuery, organizationKeysQuery, projectMembersQuery } from "./queries.ts"

/** Each query may be about the organization that the visitor is no longer in. A refusal changes what is known of itself. */
const gone = (organizationId: string) => (_: unknown, isDone: boolean) =>
  isDone ? [[]] : [organizationsQuery.queryKey, membersQuery(organizationId).queryKey]

export const useCreateOrganization = () =>
  useWrite({
    send: (name: string) => request("POST /organizations", { body: { name } }),
    stale: [organizationsQuery.queryKey, projectsQuery.queryKey]
  })

export const useRenameOrganization = (organizationId: string) =>
  useWrite({
    send: (name: string) =>
      request("PATCH /organizations/:organizationId", { params: { organizationId }, body: { name } }),
    stale: [organizationsQuery.queryKey]
  })

export const useDeleteOrganization = (organizationId: string, leave: () => unknown) =>
  useWrite({
    send: () => {
      giveUp(organizationId)
      return request("DELETE /organizations/:organizationId", { params: { organizationId } })
    },
    leave,
    stale: gone(organizationId)
  })

export const useCreateProject = () =>
  useWrite({
    send: (body: { readonly name: string; readonly organizationId: string }) => request("POST /projects", { body }),
    stale: [projectsQuery.queryKey]
  })

interface Given {
  readonly userId: string
  readonly role: Role
}

/** A new role of the visitor changes what pages offer. */
export const useChangeRole = (organizationId: string, selfId: string) =>
  useWrite({
    send: ({ role, userId }: Given) =>
      request("PATCH /organizations/:organizationId/members/:userId", {
        params: { organizationId, userId },
        body: { role }
      }),
    stale: ({ userId }) => [
      membersQuery(organizationId).queryKey,
      ...(userId === selfId ? [organizationsQuery.queryKey, projectsQuery.queryKey] : [])
    ]
  })

export const useRemoveMember = (organizationId: string) =>
  useWrite({
    send: (userId: string) =>
      request("DELETE /organizations/:organizationId/members/:userId", { params: { organizationId, userId } }),
    stale: [membersQuery(organizationId).queryKey, organizationsQuery.queryKey]
  })

/** The visitor leaves it. */
export const useLeaveOrganization = (organizationId: string, leave: () => unknown) =>
  useWrite({
    send: (userId: string) => {
      giveUp(organizationId)
      return request("DELETE /organizations/:organizationId/members/:userId", { params: { organizationId, userId } })
    },
    leave,
    stale: gone(organizationId)
  })

/** Gives a member a higher role in one project. */
export const useRaiseRole = (project: CurrentProject) =>
  useWrite({
    send: ({ role, userId }: Given) =>
      request("PUT /projects/:projectId/members/:userId", {
        params: { projectId: project.id, userId },
        project: project.headers,
        body: { role }
      }),
    stale: [projectMembersQuery(project.id).queryKey]
  })

export const useTakeBackRole = (project: CurrentProject) =>
  useWrite({
    send: (userId: string) =>
      request("DELETE /projects/:projectId/members/:userId", {
        params: { projectId: project.id, userId },
        project: project.headers
      }),
    stale: [projectMembersQuery(project.id).queryKey]
  })

interface WantedTeam {
  readonly name: string
  readonly memberIds: ReadonlyArray<string>
}

/** Creates a team, or changes one, with its members. */
export const useSaveTeam = (organizationId: string, team: Team | undefined) =>
  useWrite({
    send: async ({ memberIds, name }: WantedTeam) => {
      const params = { organizationId }
      const body = { name }
      const { id } =
        team === undefined
          ? await request("POST /organizations/:organizationId/teams", { params, body })
          : team.name === name
            ? team
            : await request("PATCH /organizations/:organizationId/teams/:teamId", {
                params: { ...params, teamId: team.id },
                body
              })
      const before = team?.memberIds ?? []
      for (const userId of memberIds.filter((each) => !before.includes(each)))
        await request("PUT /organizations/:organizationId/teams/:teamId/members/:userId", {
          params: { ...params, teamId: id, userId }
        })
      for (const userId of before.filter((each) => !memberIds.includes(each)))
        await request("DELETE /organizations/:organizationId/teams/:teamId/members/:userId", {
          params: { ...params, teamId: id, userId }
        })
    },
    stale: [teamsQuery(organizationId).queryKey]
  })

export const useDeleteTeam = (organizationId: string) =>
  useWrite({
    send: (teamId: string) =>
      request("DELETE /organizations/:organizationId/teams/:teamId", { params: { organizationId, teamId } }),
    stale: [teamsQuery(organizationId).queryKey]
  })

export interface Invited {
  readonly invited: ReadonlyArray<Invitation>
  readonly refused: ReadonlyArray<{ readonly email: string; readonly reason: string }>
  /** The limit that stopped the rest. */
  readonly limit: FormErrors | undefined
}

/** Invites several people, one after another, so that a limit stops the rest. */
export const useInvite = (organizationId: string) =>
  useWrite({
    send: async ({
      emails,
      role
    }: {
      readonly emails: ReadonlyArray<string>
      readonly role: Role
    }): Promise<Invited> => {
      const invited: Array<Invitation> = []
      const refused: Array<{ readonly email: string; readonly reason: string }> = []
      for (const email of emails)
        try {
          invited.push(
            await request("POST /organizations/:organizationId/invitations", {
              params: { organizationId },
              body: { email, role }
            })
          )
        } catch (error) {
          if (!(error instanceof ApiError)) throw error
          refused.push({ email, reason: error.message })
          if (error.code === "plan_limit_reached")
            return { invited, refused, limit: { fields: {}, general: error.message, code: error.code } }
        }
      return { invited, refused, limit: undefined }
    },
    stale: [invitationsQuery(organizationId).queryKey]
  })

export const useResendInvitation = (organizationId: string) =>
  useWrite({
    send: (invitationId: string) =>
      request("POST /organizations/:organizationId/invitations/:invitationId/resend", {
        params: { organizationId, invitationId }
      }),
    stale: [invitationsQuery(organizationId).queryKey]
  })

export const useRevokeInvitation = (organizationId: string) =>
  useWrite({
    send: (invitationId: string) =>
      request("DELETE /organizations/:organizationId/invitations/:invitationId", {
        params: { organizationId, invitationId }
      }),
    stale: [invitationsQuery(organizationId).queryKey]
  })

export const useCreateOrganizationKey = (organizationId: string) =>
  useWrite({
    send: (body: Parts<"POST /organizations/:organizationId/api-keys">["body"]) =>
      request("POST /organizations/:organizationId/api-keys", { params: { organizationId }, body }),
    // The secret is shown once and not kept.
    learn: (client, { apiKey: _, ...key }) =>
      keepEntry(client, organizationKeysQuery(organizationId).queryKey, key, true)
  })

export const useDeleteOrganizationKey = (organizationId: string) =>
  useWrite({
    send: (keyId: string) =>
      request("DELETE /organizations/:organizationId/api-keys/:keyId", { params: { organizationId, keyId } }),
    learn: (client, _, keyId) =>
      client.setQueryData(organizationKeysQuery(organizationId).queryKey, (known) =>
        known?.filter(({ id }) => id !== keyId)
      )
  })
