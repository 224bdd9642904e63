/** Operations on the identity provider of an organization, its domains and its tokens for provisioning. */
import { request } from "../../api/request.ts"
import type { Parts } from "../../api/routes.ts"
import { useWrite } from "../../api/write.ts"
import { scimTokensQuery, signOnQuery } from "./queries.ts"

export const useSaveProvider = (organizationId: string) =>
  useWrite({
    send: (body: Parts<"PUT /organizations/:organizationId/sso">["body"]) =>
      request("PUT /organizations/:organizationId/sso", { params: { organizationId }, body }),
    learn: (client, record) => client.setQueryData(signOnQuery(organizationId).queryKey, record)
  })

export const useRemoveProvider = (organizationId: string) =>
  useWrite({
    send: () => request("DELETE /organizations/:organizationId/sso", { params: { organizationId } }),
    stale: [signOnQuery(organizationId).queryKey]
  })

/** The address of the identity provider, for a sign-in that only shows its claims. */
export const useTestProvider = (organizationId: string) =>
  useWrite({
    send: () => request("POST /organizations/:organizationId/sso/test", { params: { organizationId } })
  })

export const useAddDomain = (organizationId: string) =>
  useWrite({
    send: (domain: string) =>
      request("POST /organizations/:organizationId/sso/domains", { params: { organizationId }, body: { domain } }),
    stale: [signOnQuery(organizationId).queryKey]
  })

export const useVerifyDomain = (organizationId: string) =>
  useWrite({
    send: (domain: string) =>
      request("POST /organizations/:organizationId/sso/domains/:domain/verify", { params: { organizationId, domain } }),
    stale: [signOnQuery(organizationId).queryKey]
  })

export const useRemoveDomain = (organizationId: string) =>
  useWrite({
    send: (domain: string) =>
      request("DELETE /organizations/:organizationId/sso/domains/:domain", { params: { organizationId, domain } }),
    stale: [signOnQuery(organizationId).queryKey]
  })

export const useCreateScimToken = (organizationId: string) =>
  useWrite({
    send: (body: Parts<"POST /organizations/:organizationId/scim-tokens">["body"]) =>
      request("POST /organizations/:organizationId/scim-tokens", { params: { organizationId }, body }),
    stale: [scimTokensQuery(organizationId).queryKey]
  })

export const useDeleteScimToken = (organizationId: string) =>
  useWrite({
    send: (tokenId: string) =>
      request("DELETE /organizations/:organizationId/scim-tokens/:tokenId", { params: { organizationId, tokenId } }),
    stale: [scimTokensQuery(organizationId).queryKey]
  })
