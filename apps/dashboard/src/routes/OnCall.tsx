/** `/on-call`: the people on call in each schedule of the organization, and its escalation policies. */
import { useOrganization } from "../api/organizations.ts"
import { permits } from "../api/permissions.ts"
import { usePolicies } from "../api/policies.ts"
import { OnCallList } from "../features/on-call/OnCallList.tsx"
import { PolicyList } from "../features/on-call/policies/PolicyList.tsx"
import { useDirectory } from "../features/on-call/policies/queries.ts"
import { useHandoffs, useOnCall, usePeople } from "../features/on-call/queries.ts"
import { t } from "../locales/text.ts"
import { RouteLink } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { EmptyState } from "../ui/Notice.tsx"
import { PageFrame } from "../ui/PageFrame.tsx"
import { PageError } from "./Failures.tsx"

const OnCall = () => {
  const organization = useOrganization()
  const people = usePeople()
  const directory = useDirectory()
  const policies = usePolicies()
  useHandoffs()
  const schedules = useOnCall()
  const error = schedules.error ?? policies.error
  if (error !== null && (schedules.data === undefined || policies.data === undefined))
    return (
      <PageError
        error={error}
        reset={() => {
          void schedules.refetch()
          void policies.refetch()
        }}
      />
    )
  if (organization === undefined || people === undefined || directory === undefined) return null
  if (schedules.data === undefined || policies.data === undefined) return null
  const isEmpty = schedules.data.length === 0
  const create = permits(organization.role, "schedules.write") && (
    <RouteLink to="/on-call/schedules/new" kind="primary">
      <Icon name="plus" />
      {t("New schedule")}
    </RouteLink>
  )
  return (
    <PageFrame
      title={t("On-call")}
      width="text"
      actions={
        <>
          <RouteLink to="/on-call/drills" kind="plain">
            {t("Drills")}
          </RouteLink>
          <RouteLink to="/on-call/figures" kind="plain" search={{}}>
            {t("Figures")}
          </RouteLink>
          {!isEmpty && create}
        </>
      }
    >
      {isEmpty ? (
        <EmptyState title={t("There is no schedule yet")} actions={create}>
          {t(
            "A schedule says who is on call when: people take turns, hand off to each other, and stand in for one another."
          )}
        </EmptyState>
      ) : (
        <OnCallList onCall={schedules.data} organization={organization} people={people} />
      )}
      <section className="mt-6 flex flex-col gap-4">
        <div className="flex min-h-9 flex-wrap items-center justify-between gap-3">
          <h2 className="text-lg">{t("Escalation policies")}</h2>
          {permits(organization.role, "escalationPolicies.write") && (
            <RouteLink to="/on-call/policies/new" kind="plain">
              <Icon name="plus" />
              {t("New policy")}
            </RouteLink>
          )}
        </div>
        <PolicyList policies={policies.data} directory={directory} />
      </section>
    </PageFrame>
  )
}

export default OnCall
