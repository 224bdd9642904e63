/** The sessions and the passkeys of the account. */
import type { AccountSession } from "@kanmon/protocol/AccountBody"
import { queryOptions } from "@tanstack/react-query"
import { request } from "../../api/request.ts"

export type OwnSession = typeof AccountSession.Encoded

export const sessionsQuery = queryOptions({
  queryKey: ["account-sessions"],
  queryFn: ({ signal }) => request("GET /account/sessions", { signal }),
  // Others come and go without an event.
  staleTime: 0
})

export const passkeysQuery = queryOptions({
  queryKey: ["passkeys"],
  queryFn: ({ signal }) => request("GET /auth/passkey/list-user-passkeys", { signal })
})
