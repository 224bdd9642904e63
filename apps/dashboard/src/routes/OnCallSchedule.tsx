/** `/on-call/schedules/$id` */
import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { useOrganization } from "../api/organizations.ts"
import { permits } from "../api/permissions.ts"
import { Parts } from "../api/Parts.tsx"
import { usePeople, useSchedules } from "../features/on-call/queries.ts"
import { SchedulePage } from "../features/on-call/SchedulePage.tsx"
import { useDeleteSchedule } from "../features/on-call/writes.ts"
import { t } from "../locales/text.ts"
import { useKept } from "../ui/held.ts"
import { BackLink, PageFrame } from "../ui/PageFrame.tsx"
import { NotFound, PageError } from "./Failures.tsx"
import { OnCallActions } from "./OnCallActions.tsx"

const OnCallSchedule = () => {
  const { id = "" } = useParams({ strict: false })
  const search = useSearch({ from: "/shell/on-call/schedules/$id" })
  const navigate = useNavigate()
  const organization = useOrganization()
  const people = usePeople()
  const { mutateAsync: remove } = useDeleteSchedule(organization?.id ?? "", () => navigate({ to: "/on-call" }))
  const { data, error, refetch } = useSchedules()
  const schedule = useKept(data, id)
  if (error !== null && data === undefined) return <PageError error={error} reset={() => void refetch()} />
  if (organization === undefined || people === undefined || data === undefined) return null
  if (schedule === undefined) return <NotFound />
  return (
    <PageFrame
      title={schedule.name}
      back={<BackLink to="/on-call">{t("On-call")}</BackLink>}
      actions={
        permits(organization.role, "schedules.write") && (
          <OnCallActions
            record={schedule}
            to="/on-call/schedules/$id/edit"
            consequence={t("Its overrides, its calendar and what was recorded of its shifts are deleted too.")}
            remove={() => remove(schedule.id)}
          />
        )
      }
    >
      <Parts>
        <SchedulePage organization={organization} people={people} schedule={schedule} search={search} />
      </Parts>
    </PageFrame>
  )
}

export default OnCallSchedule
