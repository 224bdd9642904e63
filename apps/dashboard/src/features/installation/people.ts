/** All accounts and organizations of the installation, for its administrators. */
import { infiniteQueryOptions } from "@tanstack/react-query"
import { queryOf, requestPage } from "../../api/pages.ts"

export interface AccountOfAll {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly emailVerified: boolean
  readonly admin: boolean
  readonly createdAt: string
  readonly lastSeenAt: string | null
  readonly disabledAt: string | null
  readonly organizations: ReadonlyArray<{ readonly id: string; readonly name: string }>
}

export interface OrganizationOfAll {
  readonly id: string
  readonly name: string
  readonly members: number
  readonly projects: number
  readonly plan: { readonly id: string; readonly name: string }
  readonly createdAt: string
  readonly disabledAt: string | null
}

const pageSize = 20

const listOf = <A>(kind: "accounts" | "organizations", q: string) =>
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

export const accountsQuery = (q: string) => listOf<AccountOfAll>("accounts", q)
export const allOrganizationsQuery = (q: string) => listOf<OrganizationOfAll>("organizations", q)
