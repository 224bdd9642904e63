/** `/incidents/$id` */
import { useMay } from "../api/permissions.ts"
import { useSubmit } from "../api/useSubmit.ts"
import { useQuery } from "@tanstack/react-query"
import { useNavigate, useParams } from "@tanstack/react-router"
import { useState } from "react"
import { Affected, ShownOn } from "../features/incidents/Affected.tsx"
import { When } from "../features/incidents/IncidentList.tsx"
import { incidentQuery, type IncidentRecord, useIncidentEvents } from "../features/incidents/queries.ts"
import { UpdateForm } from "../features/incidents/UpdateForm.tsx"
import { Updates } from "../features/incidents/Updates.tsx"
import { phaseOf, seriesWords, stateWord, toneOfIncident } from "../features/incidents/words.ts"
import { incidentFields, useDeleteIncident, useUpdateIncident } from "../features/incidents/writes.ts"
import { useProjectData } from "../live/ProjectData.tsx"
import { t } from "../locales/text.ts"
import { Button, RouteLink } from "../ui/Button.tsx"
import { FormProblem } from "../ui/FormProblem.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Notice } from "../ui/Notice.tsx"
import { useNow } from "../browser/now.ts"
import { Dialog } from "../ui/Overlay.tsx"
import { useShortcuts } from "../ui/shortcuts.ts"
import { Shape } from "../ui/Status.tsx"
import { PageError } from "./Failures.tsx"
import { BackLink, PageFrame } from "../ui/PageFrame.tsx"
import { tonedClass } from "../ui/classes.ts"

/** The questions before actions, in words. */
const questions = (phase: "scheduled" | "in_progress" | "completed" | undefined, isSeries: boolean) => ({
  end: {
    title: t("End the maintenance now?"),
    text: t("Alerts and downtime count again from now on, and status pages show it as completed."),
    button: t("End now")
  },
  delete:
    phase === "scheduled"
      ? {
          title: t("Cancel this maintenance?"),
          text: isSeries
            ? t("This window and the series after it are deleted, and disappear from the status pages.")
            : t("It is deleted and disappears from the status pages."),
          button: t("Cancel the maintenance")
        }
      : {
          title: phase === undefined ? t("Delete this incident?") : t("Delete this maintenance window?"),
          text: t("It disappears from the status pages, with everything that was written. This cannot be undone."),
          button: t("Delete")
        }
})

const Page = ({ incident }: { readonly incident: IncidentRecord }) => {
  const now = useNow()
  const navigate = useNavigate()
  const { mutateAsync: change } = useUpdateIncident()
  const { errors, isBusy, submit } = useSubmit(incidentFields)
  const [asked, setAsked] = useState<"end" | "delete" | undefined>(undefined)
  const { id, maintenance, recurrence, resolvedAt, title } = incident
  const phase = maintenance ? phaseOf(incident, now) : undefined
  const tone = toneOfIncident(incident)
  const series = seriesWords(incident)
  const question = questions(phase, recurrence !== null)
  const back = maintenance ? ({ view: "maintenance" } as const) : {}
  const { mutateAsync: remove } = useDeleteIncident(() => navigate({ to: "/incidents", search: back }))

  const mayWrite = useMay("incidents.write")
  const edit = () => void navigate({ to: "/incidents/$id/edit", params: { id } })
  useShortcuts(mayWrite ? [{ keys: "e", label: t("Edit"), run: edit }] : [])

  const resolve = () => {
    const expected = { status: "resolved", resolvedAt: new Date().toISOString() } as const
    return submit(() => change({ incident, body: { status: "resolved" }, expected }))
  }
  const confirm = async () => {
    setAsked(undefined)
    if (asked === "end") await resolve()
    else await submit(() => remove(id))
  }

  return (
    <PageFrame
      title={title}
      back={
        <BackLink to="/incidents" search={back}>
          {t("Incidents")}
        </BackLink>
      }
      actions={
        mayWrite && (
          <>
            {phase === "in_progress" && (
              <Button onPress={() => setAsked("end")} isDisabled={isBusy}>
                {t("End early")}
              </Button>
            )}
            {!maintenance && resolvedAt === null && (
              <Button isDisabled={isBusy} onPress={() => void resolve()}>
                <Icon name="check" />
                {t("Resolve")}
              </Button>
            )}
            <RouteLink to="/incidents/$id/edit" params={{ id }} kind="plain">
              <Icon name="edit" />
              {t("Edit")}
            </RouteLink>
            <Button kind="danger" onPress={() => setAsked("delete")} isDisabled={isBusy}>
              {phase === "scheduled" ? t("Cancel the maintenance") : t("Delete")}
            </Button>
          </>
        )
      }
    >
      <FormProblem errors={errors} />
      {errors.fields["status"] !== undefined && <Notice>{errors.fields["status"]}</Notice>}
      <div className={`is-${tone} flex items-start gap-3.5 ${tonedClass}`}>
        <Shape tone={tone} className="mt-0.5 size-7" />
        <div className="min-w-0 flex-1" aria-live="polite">
          <p className="text-lg leading-snug font-semibold">{stateWord(incident, now)}</p>
          <p className="mt-0.5 text-sm text-soft">
            <When incident={incident} />
          </p>
          {series !== undefined && <p className="mt-0.5 text-sm">{t("Repeats: {series}", { series })}</p>}
        </div>
      </div>
      <div className="grid min-w-0 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col gap-4">
          {phase !== "completed" && mayWrite && <UpdateForm incident={incident} />}
          <Updates incident={incident} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Affected incident={incident} />
          <ShownOn incident={incident} />
        </div>
      </div>
      <Dialog
        alert
        title={asked === undefined ? "" : question[asked].title}
        isOpen={asked !== undefined}
        onOpenChange={() => setAsked(undefined)}
      >
        <p className="text-soft">{asked === undefined ? "" : question[asked].text}</p>
        <div className="flex justify-end gap-2">
          <Button autoFocus onPress={() => setAsked(undefined)}>
            {t("Keep it")}
          </Button>
          <Button kind="danger" onPress={() => void confirm()}>
            {asked === undefined ? "" : question[asked].button}
          </Button>
        </div>
      </Dialog>
    </PageFrame>
  )
}

const Incident = () => {
  const { id } = useParams({ from: "/shell/incidents/$id" })
  const { project } = useProjectData()
  useIncidentEvents()
  const { data, error, refetch } = useQuery(incidentQuery(project, id))
  if (data === undefined) return error === null ? null : <PageError error={error} reset={() => void refetch()} />
  return <Page key={id} incident={data} />
}

export default Incident
