/** All accounts and organizations of the installation, for its administrators. */
import type { InstallationAccount, InstallationOrganization } from "@kanmon/protocol/OperatorBody"
import { infiniteQueryOptions } from "@tanstack/react-query"
import { type Page, requestPage } from "../../api/pages.ts"

export type AccountOfAll = typeof InstallationAccount.Encoded
export type OrganizationOfAll = typeof InstallationOrganization.Encoded

export type Kind = "accounts" | "organizations"

/** The request of a list. */
interface Asked {
  readonly query: { readonly q: string | undefined; readonly limit: number; readonly cursor: string | undefined }
  readonly signal: AbortSignal
}

const pageSize = 20

const listOf = <A>(kind: Kind, q: string, ask: (asked: Asked) => Promise<Page<A>>) =>
  infiniteQueryOptions({
    queryKey: ["installation", kind, q],
    queryFn: ({ pageParam, signal }) =>
      ask({ query: { q: q === "" ? undefined : q, limit: pageSize, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next
  })

export const accountsQuery = (q: string) =>
  listOf<AccountOfAll>("accounts", q, (asked) => requestPage("GET /installation/accounts", asked))

export const organizationsQuery = (q: string) =>
  listOf<OrganizationOfAll>("organizations", q, (asked) => requestPage("GET /installation/organizations", asked))

/** The list of one kind. */
export type ListQuery<A> = ReturnType<typeof listOf<A>>
