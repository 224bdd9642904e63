/** `/on-call/policies/$id` */
import { useNavigate, useParams } from "@tanstack/react-router"
import { useOrganization } from "../api/organizations.ts"
import { permits } from "../api/permissions.ts"
import { usePolicies } from "../api/policies.ts"
import { PolicyPage } from "../features/on-call/policies/PolicyPage.tsx"
import { useDirectory } from "../features/on-call/policies/queries.ts"
import { useDeletePolicy } from "../features/on-call/policies/writes.ts"
import { t } from "../locales/text.ts"
import { useKept } from "../ui/held.ts"
import { BackLink, PageFrame } from "../ui/PageFrame.tsx"
import { NotFound, PageError } from "./Failures.tsx"
import { OnCallActions } from "./OnCallActions.tsx"

const OnCallPolicy = () => {
  const { id = "" } = useParams({ strict: false })
  const navigate = useNavigate()
  const organization = useOrganization()
  const directory = useDirectory()
  const { mutateAsync: remove } = useDeletePolicy(organization?.id ?? "", () => navigate({ to: "/on-call" }))
  const { data, error, refetch } = usePolicies()
  const policy = useKept(data, id)
  if (error !== null && data === undefined) return <PageError error={error} reset={() => void refetch()} />
  if (organization === undefined || directory === undefined || data === undefined) return null
  if (policy === undefined) return <NotFound />
  return (
    <PageFrame
      title={policy.name}
      width="text"
      back={<BackLink to="/on-call">{t("On-call")}</BackLink>}
      actions={
        permits(organization.role, "escalationPolicies.write") && (
          <OnCallActions
            record={policy}
            to="/on-call/policies/$id/edit"
            consequence={t("Alerts that are open keep the steps with which they opened.")}
            remove={() => remove(policy.id)}
          />
        )
      }
    >
      <PolicyPage organization={organization} directory={directory} policy={policy} />
    </PageFrame>
  )
}

export default OnCallPolicy
