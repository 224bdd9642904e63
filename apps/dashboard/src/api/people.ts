/** The members of an organization and their teams. */
import type * as Domain from "@kanmon/domain/Organization"
import { queryOptions } from "@tanstack/react-query"
import { request } from "./request.ts"

export type Member = typeof Domain.Member.Encoded
export type Team = typeof Domain.Team.Encoded

export const membersQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ["members", organizationId],
    queryFn: ({ signal }) =>
      request("GET /organizations/:organizationId/members", { params: { organizationId }, signal })
  })

export const teamsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ["teams", organizationId],
    queryFn: ({ signal }) => request("GET /organizations/:organizationId/teams", { params: { organizationId }, signal })
  })
