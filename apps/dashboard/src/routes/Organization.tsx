/** `/settings/organization`: its name, its API keys, and its end. */
import { useNavigate } from "@tanstack/react-router"
import { useOrganization } from "../api/organizations.ts"
import { permits } from "../api/permissions.ts"
import { DeleteOrganization } from "../features/organization/DeleteOrganization.tsx"
import { OrganizationKeys } from "../features/organization/OrganizationKeys.tsx"
import { OrganizationName } from "../features/organization/OrganizationName.tsx"
import { t } from "../locales/text.ts"

const Organization = () => {
  const organization = useOrganization()
  const navigate = useNavigate()
  if (organization === undefined) return null
  return (
    <>
      <title>{`${t("Organization")} · Kanmon`}</title>
      <OrganizationName key={organization.name} organization={organization} />
      {permits(organization.role, "organizationKeys.write") && <OrganizationKeys organizationId={organization.id} />}
      {permits(organization.role, "organization.delete") && (
        <DeleteOrganization organization={organization} onDeleted={() => navigate({ to: "/" })} />
      )}
    </>
  )
}

export default Organization
