/** `/on-call/schedules/$id` */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { useOrganization } from "../api/organizations.ts"
import { permits } from "../api/permissions.ts"
import { request } from "../api/request.ts"
import { Together } from "../api/Together.tsx"
import { useSubmit } from "../api/useSubmit.ts"
import { refreshOnCall, schedulesQuery, usePeople } from "../features/on-call/queries.ts"
import { SchedulePage } from "../features/on-call/SchedulePage.tsx"
import { t } from "../locales/text.ts"
import { Button, RouteLink } from "../ui/Button.tsx"
import { Confirm } from "../ui/Confirm.tsx"
import { useKept } from "../ui/held.ts"
import { Icon } from "../ui/Icon.tsx"
import { BackLink, PageFrame } from "../ui/PageFrame.tsx"
import { NotFound, PageError } from "./Failures.tsx"

const OnCallSchedule = () => {
  const { id = "" } = useParams({ strict: false })
  const search = useSearch({ from: "/shell/on-call/schedules/$id" })
  const organization = useOrganization()
  const people = usePeople()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [isDoomed, setDoomed] = useState(false)
  const { errors, isBusy, submit } = useSubmit()
  const { data, error, refetch } = useQuery({
    ...schedulesQuery(organization?.id ?? ""),
    enabled: organization !== undefined
  })
  const schedule = useKept(data, id)
  if (error !== null && data === undefined) return <PageError error={error} reset={() => void refetch()} />
  if (organization === undefined || people === undefined || data === undefined) return null
  if (schedule === undefined) return <NotFound />
  const remove = () =>
    submit(async () => {
      await request("DELETE /organizations/:organizationId/schedules/:scheduleId", {
        params: { organizationId: organization.id, scheduleId: schedule.id }
      })
      await navigate({ to: "/on-call" })
      await refreshOnCall(client)
    })
  return (
    <PageFrame
      title={schedule.name}
      back={<BackLink to="/on-call">{t("On-call")}</BackLink>}
      actions={
        permits(organization.role, "schedules.write") && (
          <>
            <Button kind="quiet" onPress={() => setDoomed(true)}>
              {t("Delete")}
            </Button>
            <RouteLink to="/on-call/schedules/$id/edit" params={{ id }} kind="plain">
              <Icon name="edit" />
              {t("Edit")}
            </RouteLink>
          </>
        )
      }
    >
      <Together>
        <SchedulePage organization={organization} people={people} schedule={schedule} search={search} />
      </Together>
      <Confirm
        title={t("Delete {name}?", { name: schedule.name })}
        action={t("Delete")}
        isOpen={isDoomed}
        isBusy={isBusy}
        errors={errors}
        onClose={() => setDoomed(false)}
        onConfirm={() => void remove()}
      >
        <p>{t("Its overrides, its calendar and what was recorded of its shifts are deleted too.")}</p>
      </Confirm>
    </PageFrame>
  )
}

export default OnCallSchedule
