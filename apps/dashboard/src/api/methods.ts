/** Which ways to sign in this installation offers. */
import { queryOptions, useQuery } from "@tanstack/react-query"
import { request } from "./request.ts"

interface Methods {
  /** Whether accounts have passwords here. */
  readonly password: boolean
  readonly passkeys: boolean
  readonly signUp: "open" | "closed"
  /** Whether mail is sent; if not, its links are on the console of the server. */
  readonly mail: boolean
  /** The identity provider of the whole installation. */
  readonly singleSignOn?: { readonly label: string } | null
}

const methodsQuery = queryOptions({
  queryKey: ["sign-in-methods"],
  queryFn: ({ signal }) => request<Methods>("GET", "/auth/methods", { signal }),
  staleTime: 300_000,
  retry: false
})

export const useMethods = () => useQuery(methodsQuery).data
