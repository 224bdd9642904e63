/** Single sign-on of an organization: its identity provider, and the domains that it has proven. */
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
  /** Whether the plan includes it. */
  readonly included: boolean
  readonly connection: Settings | null
  readonly hasClientSecret: boolean
  readonly domains: ReadonlyArray<Domain>
  readonly warnings: ReadonlyArray<string>
  readonly redirectUri: string
  readonly entityId: string
  readonly consumerUrl: string
  readonly startUrl: string
  readonly scimUrl: string
}

export interface ScimToken {
  readonly id: string
  readonly name: string
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
  readonly createdBy: { readonly name: string }
}

/** As only its creation shows it. */
export interface CreatedScimToken extends ScimToken {
  readonly token: string
}

export const scimTokensQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ["scim-tokens", organizationId],
    queryFn: ({ signal }) =>
      request("GET /organizations/:organizationId/scim-tokens", { params: { organizationId }, signal })
  })

export const signOnQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ["sign-on", organizationId],
    queryFn: ({ signal }) => request("GET /organizations/:organizationId/sso", { params: { organizationId }, signal })
  })
