/** Answers to an invitation. */
import { request } from "../../api/request.ts"
import { useWrite } from "../../api/write.ts"

export const useAcceptInvitation = (token: string) =>
  useWrite({ send: () => request("POST /invitations/:token/accept", { params: { token } }) })

export const useDeclineInvitation = (token: string) =>
  useWrite({ send: () => request("POST /invitations/:token/decline", { params: { token } }) })
