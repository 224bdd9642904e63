/** Which ways to sign in this installation offers. */
import type { SignInMethods } from "@kanmon/protocol/AccountBody"
import { queryOptions, useQuery } from "@tanstack/react-query"
import { request } from "./request.ts"

export const methodsQuery = queryOptions({
  queryKey: ["sign-in-methods"],
  queryFn: ({ signal }) => request<typeof SignInMethods.Encoded>("GET", "/auth/methods", { signal }),
  staleTime: 300_000,
  retry: false
})

export const useMethods = () => useQuery(methodsQuery).data
