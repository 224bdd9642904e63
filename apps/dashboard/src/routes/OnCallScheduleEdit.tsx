/** `/on-call/schedules/new` and `/on-call/schedules/$id/edit` */
import { useParams } from "@tanstack/react-router"
import { useOrganization } from "../api/organizations.ts"
import { usePeople, useSchedules } from "../features/on-call/queries.ts"
import { ScheduleForm } from "../features/on-call/ScheduleForm.tsx"
import { t } from "../locales/text.ts"
import { useKept } from "../ui/held.ts"
import { BackLink, PageFrame } from "../ui/PageFrame.tsx"
import { NotFound, PageError } from "./Failures.tsx"
import { restricted } from "./restricted.tsx"

const OnCallScheduleEdit = () => {
  const { id } = useParams({ strict: false })
  const organization = useOrganization()
  const people = usePeople()
  const { data, error, refetch } = useSchedules()
  const schedule = useKept(data, id)
  if (error !== null && data === undefined) return <PageError error={error} reset={() => void refetch()} />
  if (organization === undefined || people === undefined || data === undefined) return null
  if (id !== undefined && schedule === undefined) return <NotFound />
  return (
    <PageFrame
      title={schedule === undefined ? t("New schedule") : t("Edit {name}", { name: schedule.name })}
      width="text"
      back={
        schedule === undefined ? (
          <BackLink to="/on-call">{t("On-call")}</BackLink>
        ) : (
          <BackLink to="/on-call/schedules/$id" params={{ id: schedule.id }} search={{}}>
            {schedule.name}
          </BackLink>
        )
      }
    >
      <ScheduleForm
        key={id ?? "new"}
        organizationId={organization.id}
        people={people}
        {...(schedule === undefined ? {} : { schedule })}
      />
    </PageFrame>
  )
}

export default restricted("schedules.write", OnCallScheduleEdit)
