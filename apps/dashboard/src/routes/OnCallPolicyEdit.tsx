/** `/on-call/policies/new` and `/on-call/policies/$id/edit` */
import { useParams } from "@tanstack/react-router"
import { useOrganization } from "../api/organizations.ts"
import { usePolicies } from "../api/policies.ts"
import { PolicyForm } from "../features/on-call/policies/PolicyForm.tsx"
import { useDirectory } from "../features/on-call/policies/queries.ts"
import { t } from "../locales/text.ts"
import { useKept } from "../ui/held.ts"
import { BackLink, PageFrame } from "../ui/PageFrame.tsx"
import { NotFound, PageError } from "./Failures.tsx"
import { restricted } from "./restricted.tsx"

const OnCallPolicyEdit = () => {
  const { id } = useParams({ strict: false })
  const organization = useOrganization()
  const directory = useDirectory()
  const { data, error, refetch } = usePolicies()
  const policy = useKept(data, id)
  if (error !== null && data === undefined) return <PageError error={error} reset={() => void refetch()} />
  if (organization === undefined || directory === undefined || data === undefined) return null
  if (id !== undefined && policy === undefined) return <NotFound />
  return (
    <PageFrame
      title={policy === undefined ? t("New escalation policy") : t("Edit {name}", { name: policy.name })}
      width="form"
      back={
        policy === undefined ? (
          <BackLink to="/on-call">{t("On-call")}</BackLink>
        ) : (
          <BackLink to="/on-call/policies/$id" params={{ id: policy.id }}>
            {policy.name}
          </BackLink>
        )
      }
    >
      <PolicyForm
        key={id ?? "new"}
        organizationId={organization.id}
        directory={directory}
        {...(policy === undefined ? {} : { policy })}
      />
    </PageFrame>
  )
}

export default restricted("escalationPolicies.write", OnCallPolicyEdit)
