/** Which ways to sign in this installation offers. */
import type { SignInMethods } from "@kanmon/protocol/AccountBody"
import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query"
import { request } from "./request.ts"

export const methodsQuery = queryOptions({
  queryKey: ["sign-in-methods"],
  queryFn: ({ signal }) => request("GET /auth/methods", { signal }),
  staleTime: 300_000,
  retry: false
})

/** Whether the visitor is to make the first account: there is none, and no identity provider that signs people in. */
export const isNewInstallation = async (client: QueryClient): Promise<boolean> => {
  const isNew = ({ firstAccount, signUp, singleSignOn }: typeof SignInMethods.Encoded): boolean =>
    firstAccount !== null && signUp === "open" && singleSignOn === null
  try {
    // Somebody else may have made it since.
    return (
      isNew(await client.ensureQueryData(methodsQuery)) &&
      isNew(await client.fetchQuery({ ...methodsQuery, staleTime: 0 }))
    )
  } catch {
    return false
  }
}

export const useMethods = () => useQuery(methodsQuery).data
