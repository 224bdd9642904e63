/** `/on-call/drills/$id`: the report of a drill as a story. */
import { useQuery } from "@tanstack/react-query"
import { useNavigate, useParams } from "@tanstack/react-router"
import { useState } from "react"
import { drillQuery, drillsKey, type Report as DrillReport, useDeleteDrill } from "../api/drills.ts"
import { Parts } from "../api/Parts.tsx"
import { useMay } from "../api/permissions.ts"
import { refusalOf } from "../api/write.ts"
import { wordsOf } from "../features/alerts/escalationWords.tsx"
import { Report, type Told } from "../features/drills/Report.tsx"
import { useProjectData } from "../live/ProjectData.tsx"
import { useRefresh } from "../live/refresh.ts"
import { t } from "../locales/text.ts"
import { Button, RouteLink } from "../ui/Button.tsx"
import { Confirm } from "../ui/Confirm.tsx"
import { BackLink, PageFrame } from "../ui/PageFrame.tsx"
import { Refusal } from "../ui/Toast.tsx"
import { PageError } from "./Failures.tsx"

/** What happened, in the words of the timelines of alerts. */
const storyOf = ({ timeline }: DrillReport): ReadonlyArray<Told> =>
  timeline.flatMap((entry, index): ReadonlyArray<Told> => {
    const key = `${entry.type} ${entry.page?.id ?? index}`
    if (entry.type === "opened") return [{ key, at: entry.at, tone: "maintenance", title: t("The drill began") }]
    if (entry.type === "resolved") return [{ key, at: entry.at, tone: "quiet", title: t("The drill was over") }]
    const words = wordsOf(entry)
    return words === undefined ? [] : [{ key, at: entry.at, ...words }]
  })

const Page = ({ report }: { readonly report: DrillReport }) => {
  const { project } = useProjectData()
  const navigate = useNavigate()
  const mayWrite = useMay("alertRules.write")
  const [isAsking, setAsking] = useState(false)
  const { alertIds, id, name, status } = report
  const isScheduled = status === "scheduled"
  const leave = () => (isScheduled ? navigate({ to: "/on-call/drills" }) : undefined)
  const { mutate: remove, ...attempt } = useDeleteDrill(project, leave)
  const { dismiss, refusal } = refusalOf([attempt])
  const [alertId] = alertIds
  return (
    <PageFrame
      title={t("Drill: {name}", { name })}
      width="text"
      back={<BackLink to="/on-call/drills">{t("Drills")}</BackLink>}
      actions={
        <>
          {status === "running" && alertId !== undefined && (
            <RouteLink kind="primary" to="/alerts/$id" params={{ id: alertId }}>
              {t("Open its alert")}
            </RouteLink>
          )}
          {mayWrite && (isScheduled || status === "running") && (
            <Button onPress={() => setAsking(true)}>{isScheduled ? t("Delete") : t("Stop the drill")}</Button>
          )}
        </>
      }
    >
      {refusal !== undefined && <Refusal onClose={dismiss}>{refusal}</Refusal>}
      <Parts>
        <Report report={report} story={storyOf(report)} />
      </Parts>
      <Confirm
        title={isScheduled ? t("Delete this drill?") : t("Stop this drill?")}
        action={isScheduled ? t("Delete") : t("Stop the drill")}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false)
          remove(id)
        }}
      >
        <p>
          {isScheduled
            ? t("It does not begin, and is not repeated.")
            : t("Pages that are not sent yet are dropped, and those who were paged are told that it is over.")}
        </p>
      </Confirm>
    </PageFrame>
  )
}

const Drill = () => {
  const { id } = useParams({ from: "/shell/on-call/drills/$id" })
  const { project } = useProjectData()
  useRefresh(drillsKey(project), ({ type }) => type.startsWith("kanmon.drill."))
  const { data, error, refetch } = useQuery(drillQuery(project, id))
  if (data === undefined) return error === null ? null : <PageError error={error} reset={() => void refetch()} />
  return <Page key={id} report={data} />
}

export default Drill
