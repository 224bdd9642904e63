/** `/settings/sign-on`: the identity provider of the organization, its domains, and its directory. */
import { useQuery } from "@tanstack/react-query"
import { type OrganizationRecord, useOrganization } from "../api/organizations.ts"
import { ApiError } from "../api/problem.ts"
import { Domains } from "../features/sso/Domains.tsx"
import { ProviderForm } from "../features/sso/ProviderForm.tsx"
import { signOnQuery } from "../features/sso/queries.ts"
import { ScimTokens } from "../features/sso/ScimTokens.tsx"
import { SignOnTest } from "../features/sso/SignOnTest.tsx"
import { t } from "../locales/text.ts"
import { RouteLink } from "../ui/Button.tsx"
import { EmptyState, Notice } from "../ui/Notice.tsx"
import { restricted } from "./restricted.tsx"

const Page = ({ organization: { id } }: { readonly organization: OrganizationRecord }) => {
  const { data, error } = useQuery(signOnQuery(id))
  if (error instanceof ApiError && error.code === "plan_limit_reached")
    return (
      <EmptyState
        title={t("Your plan has no single sign-on")}
        actions={
          <RouteLink kind="primary" to="/settings/billing">
            {t("See your plan")}
          </RouteLink>
        }
      >
        {t("With it, members sign in through your own identity provider, which also decides their roles.")}
      </EmptyState>
    )
  if (data === undefined) return error === null ? null : <Notice>{error.message}</Notice>
  return (
    <>
      <ProviderForm organizationId={id} record={data} />
      {data.settings !== null && <SignOnTest organizationId={id} />}
      <Domains organizationId={id} domains={data.domains} />
      <ScimTokens organizationId={id} address={data.addresses.scimUrl} />
    </>
  )
}

const SignOn = () => {
  const organization = useOrganization()
  return (
    <>
      <title>{`${t("Single sign-on")} · Kanmon`}</title>
      {organization !== undefined && <Page key={organization.id} organization={organization} />}
    </>
  )
}

export default restricted("sso.read", SignOn)
