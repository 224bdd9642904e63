/** `/settings/sign-on`: the identity provider of the organization, and its domains. */
import { useQuery } from "@tanstack/react-query"
import { type OrganizationRecord, useOrganization } from "../api/organizations.ts"
import { Domains } from "../features/sso/Domains.tsx"
import { ProviderForm } from "../features/sso/ProviderForm.tsx"
import { ScimTokens } from "../features/sso/ScimTokens.tsx"
import { signOnQuery } from "../features/sso/queries.ts"
import { SignOnTest } from "../features/sso/SignOnTest.tsx"
import { t } from "../locales/text.ts"
import { RouteLink } from "../ui/Button.tsx"
import { EmptyState, Notice } from "../ui/Notice.tsx"
import { restricted } from "./restricted.tsx"

const Page = ({ organization: { id } }: { readonly organization: OrganizationRecord }) => {
  const { data, error } = useQuery(signOnQuery(id))
  if (data === undefined) return error === null ? null : <Notice>{error.message}</Notice>
  if (!data.included && data.connection === null && data.domains.length === 0)
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
  return (
    <>
      {data.warnings.map((warning) => (
        <Notice key={warning}>{warning}</Notice>
      ))}
      <ProviderForm organizationId={id} record={data} />
      {data.connection !== null && <SignOnTest organizationId={id} />}
      <Domains organizationId={id} domains={data.domains} />
      {data.included && <ScimTokens organizationId={id} record={data} />}
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
