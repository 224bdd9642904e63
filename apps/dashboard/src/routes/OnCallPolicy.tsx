/** `/on-call/policies/$id` */
import { useQueryClient } from "@tanstack/react-query"
import { useNavigate, useParams } from "@tanstack/react-router"
import { useState } from "react"
import { useOrganization } from "../api/organizations.ts"
import { permits } from "../api/permissions.ts"
import { policiesQuery, usePolicies } from "../api/policies.ts"
import { request } from "../api/request.ts"
import { Together } from "../api/Together.tsx"
import { useSubmit } from "../api/useSubmit.ts"
import { PolicyPage } from "../features/on-call/policies/PolicyPage.tsx"
import { useDirectory } from "../features/on-call/policies/queries.ts"
import { t } from "../locales/text.ts"
import { Button, RouteLink } from "../ui/Button.tsx"
import { Confirm } from "../ui/Confirm.tsx"
import { useKept } from "../ui/held.ts"
import { Icon } from "../ui/Icon.tsx"
import { BackLink, PageFrame } from "../ui/PageFrame.tsx"
import { NotFound, PageError } from "./Failures.tsx"

const OnCallPolicy = () => {
  const { id = "" } = useParams({ strict: false })
  const organization = useOrganization()
  const directory = useDirectory()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [isDoomed, setDoomed] = useState(false)
  const { errors, isBusy, submit } = useSubmit()
  const { data, error, refetch } = usePolicies()
  const policy = useKept(data, id)
  if (error !== null && data === undefined) return <PageError error={error} reset={() => void refetch()} />
  if (organization === undefined || directory === undefined || data === undefined) return null
  if (policy === undefined) return <NotFound />
  const remove = () =>
    submit(async () => {
      await request("DELETE /organizations/:organizationId/escalation-policies/:policyId", {
        params: { organizationId: organization.id, policyId: policy.id }
      })
      await navigate({ to: "/on-call" })
      await client.invalidateQueries({ queryKey: policiesQuery(organization.id).queryKey })
    })
  return (
    <PageFrame
      title={policy.name}
      width="text"
      back={<BackLink to="/on-call">{t("On-call")}</BackLink>}
      actions={
        permits(organization.role, "escalationPolicies.write") && (
          <>
            <Button kind="quiet" onPress={() => setDoomed(true)}>
              {t("Delete")}
            </Button>
            <RouteLink to="/on-call/policies/$id/edit" params={{ id }} kind="plain">
              <Icon name="edit" />
              {t("Edit")}
            </RouteLink>
          </>
        )
      }
    >
      <Together>
        <PolicyPage organization={organization} directory={directory} policy={policy} />
      </Together>
      <Confirm
        title={t("Delete {name}?", { name: policy.name })}
        action={t("Delete")}
        isOpen={isDoomed}
        isBusy={isBusy}
        errors={errors}
        onClose={() => setDoomed(false)}
        onConfirm={() => void remove()}
      >
        <p>{t("Alerts that are open keep the steps with which they opened.")}</p>
      </Confirm>
    </PageFrame>
  )
}

export default OnCallPolicy
