/** Single sign-on of an organization: its identity provider, the domains that it has proven, and the tokens of its directory. */
import type { OrganizationSignOn } from "@kanmon/domain/SignOnSettings"
import type { Role } from "@kanmon/domain/Role"
import { queryOptions } from "@tanstack/react-query"
import { request } from "../../api/request.ts"

export type Settings = OrganizationSignOn
export type GroupRole = Settings["roles"][number]
export type { Role }

export interface Domain {
  readonly domain: string
  readonly record: { readonly name: string; readonly value: string }
  readonly verifiedAt: string | null
}

export interface SignOnRecord {
  readonly settings: Settings | null
  readonly hasClientSecret: boolean
  readonly domains: ReadonlyArray<Domain>
  /** What the identity provider must know. */
  readonly addresses: {
    readonly redirectUri: string
    readonly entityId: string
    readonly consumerUrl: string
    readonly startUrl: string
    readonly scimUrl: string
  }
}

export interface ScimToken {
  readonly id: string
  readonly name: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
}

export const signOnQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ["sign-on", organizationId],
    queryFn: ({ signal }) => request<SignOnRecord>("GET", `/organizations/${organizationId}/sso`, { signal })
  })

export const scimTokensQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ["scim-tokens", organizationId],
    queryFn: ({ signal }) =>
      request<ReadonlyArray<ScimToken>>("GET", `/organizations/${organizationId}/scim-tokens`, { signal })
  })
