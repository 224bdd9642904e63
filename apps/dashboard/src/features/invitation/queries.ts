/** An invitation, by the token of its link. */
import type { InvitationOffer } from "@kanmon/domain/Organization"
import { queryOptions } from "@tanstack/react-query"
import { request } from "../../api/request.ts"

export type InvitationRecord = typeof InvitationOffer.Encoded

export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ["invitation", token],
    queryFn: ({ signal }) => request("GET /invitations/:token", { params: { token }, signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY
  })
