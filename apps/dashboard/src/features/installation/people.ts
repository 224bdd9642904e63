/** All accounts and organizations of the installation, for its administrators. */
import type { InstallationAccount, InstallationOrganization } from "@kanmon/protocol/OperatorBody"
import { infiniteQueryOptions } from "@tanstack/react-query"
import { queryOf, requestPage } from "../../api/pages.ts"

export type AccountOfAll = typeof InstallationAccount.Encoded
export type OrganizationOfAll = typeof InstallationOrganization.Encoded

const pageSize = 20

export const listOf = <A>(kind: "accounts" | "organizations", q: string) =>
  infiniteQueryOptions({
    queryKey: ["installation", kind, q],
    queryFn: ({ pageParam, signal }) =>
      requestPage<A>(
        `/installation/${kind}${queryOf({ q: q === "" ? undefined : q, limit: pageSize, cursor: pageParam })}`,
        { signal }
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next
  })
