/** `/on-call`: who is on call in each schedule of the organization. */
import { useQuery } from "@tanstack/react-query"
import { useOrganization } from "../api/organizations.ts"
import { permits } from "../api/permissions.ts"
import { Together } from "../api/Together.tsx"
import { OnCallList } from "../features/on-call/OnCallList.tsx"
import { onCallQuery, useHandoffs, usePeople } from "../features/on-call/queries.ts"
import { t } from "../locales/text.ts"
import { RouteLink } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { EmptyState } from "../ui/Notice.tsx"
import { PageFrame } from "../ui/PageFrame.tsx"
import { PageError } from "./Failures.tsx"

const OnCall = () => {
  const organization = useOrganization()
  const people = usePeople()
  useHandoffs()
  const { data, error, refetch } = useQuery({
    ...onCallQuery(organization?.id ?? ""),
    enabled: organization !== undefined
  })
  if (error !== null && data === undefined) return <PageError error={error} reset={() => void refetch()} />
  if (organization === undefined || people === undefined || data === undefined) return null
  const mayWrite = permits(organization.role, "schedules.write")
  const create = mayWrite && (
    <RouteLink to="/on-call/schedules/new" kind="primary">
      <Icon name="plus" />
      {t("New schedule")}
    </RouteLink>
  )
  return (
    <PageFrame title={t("On-call")} width="text" actions={data.length > 0 && create}>
      <Together>
        {data.length === 0 ? (
          <EmptyState title={t("There is no schedule yet")} actions={create}>
            {t(
              "A schedule says who is on call when: people take turns, hand off to each other, and stand in for one another."
            )}
          </EmptyState>
        ) : (
          <OnCallList onCall={data} organization={organization} people={people} />
        )}
      </Together>
    </PageFrame>
  )
}

export default OnCall
