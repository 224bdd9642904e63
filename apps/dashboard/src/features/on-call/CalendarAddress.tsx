/** The address at which calendar programs read the shifts of a schedule. It is shown once. */
import { queryOptions } from "@tanstack/react-query"
import { useState } from "react"
import { ApiError } from "../../api/problem.ts"
import { request } from "../../api/request.ts"
import { useFirst } from "../../api/Parts.tsx"
import { useSubmit } from "../../api/useSubmit.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { CopyButton } from "../../ui/CopyButton.tsx"
import { FormProblem } from "../../ui/FormProblem.tsx"
import { Ago } from "../../ui/Time.tsx"
import { calendarKey, useCreateCalendar, useEndCalendar } from "./writes.ts"

const calendarQuery = (organizationId: string, scheduleId: string) =>
  queryOptions({
    queryKey: calendarKey(organizationId, scheduleId),
    queryFn: async ({ signal }) => {
      try {
        return await request("GET /organizations/:organizationId/schedules/:scheduleId/calendar", {
          params: { organizationId, scheduleId },
          signal
        })
      } catch (error) {
        // There is none.
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }
    }
  })

export const CalendarAddress = ({
  mayWrite,
  organizationId,
  scheduleId
}: {
  readonly organizationId: string
  readonly scheduleId: string
  readonly mayWrite: boolean
}) => {
  const { data: calendar } = useFirst(calendarQuery(organizationId, scheduleId))
  const { mutateAsync: create } = useCreateCalendar(organizationId, scheduleId)
  const { mutateAsync: stop } = useEndCalendar(organizationId, scheduleId)
  const [url, setUrl] = useState<string | undefined>(undefined)
  const { errors, isBusy, submit } = useSubmit()
  const make = () => submit(async () => setUrl((await create()).url))
  const end = () =>
    submit(async () => {
      await stop()
      setUrl(undefined)
    })
  if (calendar === undefined) return null
  return (
    <div className="flex min-w-0 flex-col gap-2 text-sm">
      <p className="text-soft">
        {calendar === null ? (
          t("No calendar address has been made.")
        ) : calendar.lastUsedAt === null ? (
          t("A calendar address exists; no program has read it yet.")
        ) : (
          <>
            {t("Read last")} <Ago at={calendar.lastUsedAt} />
          </>
        )}
      </p>
      {url !== undefined && (
        <div className="flex flex-col gap-2" role="status">
          <code className="rounded-lg bg-ink/5 px-3 py-2 font-mono text-small break-all">{url}</code>
          <p className="text-small text-soft">{t("It is shown once. Anyone who has it reads the shifts.")}</p>
          <div>
            <CopyButton text={url} />
          </div>
        </div>
      )}
      <FormProblem errors={errors} />
      {mayWrite && (
        <div className="flex flex-wrap gap-2">
          <Button isDisabled={isBusy} onPress={() => void make()}>
            {calendar === null ? t("Make an address") : t("Make another one")}
          </Button>
          {calendar !== null && (
            <Button kind="quiet" isDisabled={isBusy} onPress={() => void end()}>
              {t("End it")}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
