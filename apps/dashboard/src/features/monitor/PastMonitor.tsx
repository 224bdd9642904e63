/** One monitor as it was at an instant of the past: its status and why, its results, and the response times of that day. */
import { useQuery } from "@tanstack/react-query"
import { useParams, useSearch } from "@tanstack/react-router"
import { useSummary } from "../../live/MonitorStore.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { t } from "../../locales/text.ts"
import { Band } from "../../ui/Band.tsx"
import { Beats, shownResults } from "../../ui/Beats.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { BackLink, PageFrame } from "../../ui/PageFrame.tsx"
import { Figure, Quantity } from "../../ui/Quantity.tsx"
import { Section } from "../../ui/Section.tsx"
import { toneOf, wordOf } from "../../ui/Status.tsx"
import { Ago, Moment } from "../../ui/Time.tsx"
import { Alerts } from "./Alerts.tsx"
import { CheckLog } from "./CheckLog.tsx"
import { Outages } from "./Outages.tsx"
import { settingsQuery } from "./queries.ts"
import { ResponseTimes } from "./ResponseTimes.tsx"
import { Tabs } from "./Tabs.tsx"
import { type View, viewNames } from "./views.ts"

/** The parts beside the overview: signals and files have no past. */
const parts: Partial<Readonly<Record<View, typeof CheckLog>>> = { checks: CheckLog, outages: Outages, alerts: Alerts }

const offered = viewNames.filter((name) => name === "overview" || parts[name] !== undefined)

export const PastMonitor = () => {
  const { id } = useParams({ from: "/shell/monitors/$id" })
  const { view = "overview" } = useSearch({ from: "/shell/monitors/$id" })
  const { project, state, store } = useProjectData()
  const monitor = useSummary(store, id)
  // Its settings are those of today. The store has what was known then.
  const { data: record } = useQuery(settingsQuery(project, id))
  if (state === "loading") return null
  if (state !== "ready") return <Notice>{state.message}</Notice>
  if (monitor === undefined)
    return (
      <PageFrame title={t("Monitor")} back={<BackLink to="/monitors">{t("All monitors")}</BackLink>}>
        <p className="text-soft">{t("This monitor did not exist then.")}</p>
      </PageFrame>
    )
  const { failure, name, responseTime, results, since, stale, status, target, uptime } = monitor
  const Part = parts[view]
  const begun = new Date(since * 1000).toISOString()
  return (
    <PageFrame
      title={name}
      back={<BackLink to="/monitors">{t("All monitors")}</BackLink>}
      below={target !== null && <bdi className="mt-0.5 line-clamp-2 text-sm text-soft">{target}</bdi>}
    >
      <Band tone={toneOf(status)}>
        <p className="text-xl font-semibold tracking-tight text-balance">
          {failure === null ? wordOf(status) : <bdi>{failure}</bdi>}
        </p>
        <p className="mt-1 text-sm text-soft">
          {failure !== null && <>{wordOf(status)} · </>}
          <Moment at={begun} /> · <Ago at={begun} />
          {stale && <> · {t("Overdue")}</>}
        </p>
      </Band>
      <Tabs id={id} view={Part === undefined ? "overview" : view} offered={offered} />
      {Part !== undefined ? (
        <Part id={id} />
      ) : (
        <>
          <dl className="grid grid-cols-2 items-start gap-x-6 gap-y-4 sm:grid-cols-4">
            <Figure label={`${t("Uptime")}, ${t("24 hours")}`}>
              <Quantity as="percent" value={uptime} />
            </Figure>
            <Figure label={`${t("Response time")}, ${t("24 hours")}`}>
              <Quantity as="millis" value={responseTime} />
            </Figure>
          </dl>
          <Section title={`${t("Results")}, ${t("last {count}", { count: shownResults })}`}>
            <Beats results={results} className="h-8 w-full max-w-md" />
          </Section>
          {record !== undefined && record.type !== "heartbeat" && <ResponseTimes monitor={record} />}
        </>
      )}
    </PageFrame>
  )
}
