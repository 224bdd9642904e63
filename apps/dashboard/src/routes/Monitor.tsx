/** `/monitors/$id` */
import { Link, useParams, useSearch } from "@tanstack/react-router"
import { Actions } from "../features/monitor/Actions.tsx"
import { Alerts } from "../features/monitor/Alerts.tsx"
import { AsCode } from "../features/monitor/AsCode.tsx"
import { Certificate, DomainCard } from "../features/monitor/Certificate.tsx"
import { CheckLog } from "../features/monitor/CheckLog.tsx"
import { Daily } from "../features/monitor/Daily.tsx"
import { Figures } from "../features/monitor/Figures.tsx"
import { Notes } from "../features/monitor/Notes.tsx"
import { Outages } from "../features/monitor/Outages.tsx"
import { ResponseTimes } from "../features/monitor/ResponseTimes.tsx"
import { SignalLog } from "../features/monitor/SignalLog.tsx"
import { Metrics, Signal } from "../features/monitor/Signals.tsx"
import { StatusLine } from "../features/monitor/StatusLine.tsx"
import { UptimeRange } from "../features/monitor/UptimeRange.tsx"
import { isView, type View, views } from "../features/monitor/views.ts"
import { useNewest, Votes } from "../features/monitor/Votes.tsx"
import { useFailing, Why } from "../features/monitor/Why.tsx"
import type { MonitorRecord } from "../live/MonitorStore.ts"
import { useProjectData } from "../live/ProjectData.tsx"
import { useMonitorRecord } from "../live/record.ts"
import { useRefresh } from "../live/refresh.ts"
import { targetOf } from "../live/target.ts"
import { t } from "../locales/text.ts"
import { BackLink, PageFrame } from "../ui/PageFrame.tsx"
import { PageError } from "./Failures.tsx"

const tab =
  "inline-flex min-h-9 pointer-coarse:min-h-11 items-center border-b-2 border-transparent px-2.5 text-sm text-soft no-underline hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink"

const Overview = ({ monitor }: { readonly monitor: MonitorRecord }) => {
  const { heartbeatUrl, id } = monitor
  const failing = useFailing(monitor)
  const newest = useNewest(monitor)
  // What is above the rest comes first, so that nothing moves below the reader's eyes.
  if (failing.isLoading || newest.isLoading) return null
  return (
    <>
      <Why check={failing.check} />
      {heartbeatUrl === undefined ? <Votes checks={newest.data} /> : <Signal url={heartbeatUrl} />}
      <Notes monitor={monitor} />
      <Figures id={id} />
      <Daily id={id} />
      <ResponseTimes monitor={monitor} />
      {heartbeatUrl !== undefined && <Metrics id={id} />}
      <div className="grid items-start gap-4 empty:hidden md:grid-cols-2">
        <Certificate monitor={monitor} />
        <DomainCard monitor={monitor} />
      </div>
      <UptimeRange id={id} />
    </>
  )
}

const content: Readonly<Record<View, (monitor: MonitorRecord) => React.ReactNode>> = {
  overview: (monitor) => <Overview monitor={monitor} />,
  signals: ({ id }) => <SignalLog id={id} />,
  checks: ({ id }) => <CheckLog id={id} />,
  outages: ({ id }) => <Outages id={id} />,
  alerts: ({ id }) => <Alerts id={id} />,
  code: (monitor) => <AsCode monitor={monitor} />
}

/** Only jobs send signals. */
const viewsOf = ({ heartbeatUrl, type }: MonitorRecord) =>
  Object.entries(views).filter(([name]) => name !== "signals" || type === "heartbeat" || heartbeatUrl !== undefined)

const Monitor = () => {
  const { id } = useParams({ from: "/shell/monitors/$id" })
  const { view = "overview" } = useSearch({ from: "/shell/monitors/$id" })
  const { project } = useProjectData()
  const { error, monitor, refetch } = useMonitorRecord(id)
  useRefresh(
    ["monitor", project.id, id],
    ({ data, type }) =>
      data["monitorId"] === id && (type.startsWith("kanmon.monitor.") || type.startsWith("kanmon.alert."))
  )
  if (monitor === undefined) return error === null ? null : <PageError error={error} reset={() => void refetch()} />
  const target = targetOf(monitor)
  const { name, tags, type } = monitor
  return (
    <PageFrame
      title={name}
      back={<BackLink to="/monitors">{t("All monitors")}</BackLink>}
      below={
        <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-soft">
          <span>{type}</span>
          {target !== "" && <bdi className="line-clamp-2">{target}</bdi>}
          {tags.map((tag) => (
            <Link
              key={tag}
              to="/monitors"
              search={{ tag }}
              className="rounded-lg bg-ink/6 px-1.5 text-ink no-underline hover:underline pointer-coarse:min-h-6"
            >
              {tag}
            </Link>
          ))}
        </p>
      }
      actions={<Actions monitor={monitor} />}
    >
      <StatusLine monitor={monitor} />
      <nav aria-label={t("Parts of this page")} className="flex flex-wrap border-b border-line">
        {viewsOf(monitor).map(([name, label]) => (
          <Link
            key={name}
            to="/monitors/$id"
            params={{ id }}
            search={isView(name) && name !== "overview" ? { view: name } : {}}
            resetScroll={false}
            activeOptions={{ includeSearch: true, exact: true }}
            aria-current={name === view ? "page" : undefined}
            className={tab}
          >
            {t(label)}
          </Link>
        ))}
      </nav>
      {content[view](monitor)}
    </PageFrame>
  )
}

export default Monitor
