/** `/monitors/$id` */
import { useParams, useSearch } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense } from "react"
import { useMay } from "../api/permissions.ts"
import { AlertActions } from "../features/alerts/AlertActions.tsx"
import { Handled } from "../features/alerts/Handled.tsx"
import { useHandling } from "../features/alerts/writes.ts"
import { type AlertRecord, useAlerts } from "../features/alerts/queries.ts"
import { Actions } from "../features/monitor/Actions.tsx"
import { Alerts } from "../features/monitor/Alerts.tsx"
import { AsCode } from "../features/monitor/AsCode.tsx"
import { Certificate, DomainCard } from "../features/monitor/Certificate.tsx"
import { CheckLog } from "../features/monitor/CheckLog.tsx"
import { Daily } from "../features/monitor/Daily.tsx"
import { Figures } from "../features/monitor/Figures.tsx"
import { NewestSignals, useSignals } from "../features/monitor/Job.tsx"
import { Notes } from "../features/monitor/Notes.tsx"
import { Outages } from "../features/monitor/Outages.tsx"
import { Facts } from "../features/monitor/Rail.tsx"
import { ResponseTimes } from "../features/monitor/ResponseTimes.tsx"
import { SignalLog } from "../features/monitor/SignalLog.tsx"
import { Metrics, Signal } from "../features/monitor/Signals.tsx"
import { StatusLine } from "../features/monitor/StatusLine.tsx"
import { Tabs } from "../features/monitor/Tabs.tsx"
import { UptimeRange } from "../features/monitor/UptimeRange.tsx"
import { type View, viewNames } from "../features/monitor/views.ts"
import { useNewest, Votes } from "../features/monitor/Votes.tsx"
import { useFailing, Why } from "../features/monitor/Why.tsx"
import type { MonitorRecord } from "../live/MonitorStore.ts"
import { useProjectData } from "../live/ProjectData.tsx"
import { useMonitorRecord } from "../live/record.ts"
import { useRefresh } from "../live/refresh.ts"
import { targetOf } from "../live/target.ts"
import { t } from "../locales/text.ts"
import { useHeldShape } from "../ui/held.ts"
import { BackLink, PageFrame } from "../ui/PageFrame.tsx"
import { useShortcuts } from "../ui/shortcuts.ts"
import { Refusal } from "../ui/Toast.tsx"
import { PageError } from "./Failures.tsx"

const PastMonitor = lazy(async () => ({ default: (await import("../features/monitor/PastMonitor.tsx")).PastMonitor }))

const Overview = ({ monitor }: { readonly monitor: MonitorRecord }) => {
  const { heartbeatUrl, id } = monitor
  const failing = useFailing(monitor)
  const newest = useNewest(monitor)
  const signals = useSignals(monitor)
  // Waits for the top of the page, so that nothing moves below the reader's eyes.
  if (failing.isLoading || newest.isLoading || signals.isLoading) return null
  return (
    <div className="grid min-w-0 items-start gap-x-10 gap-y-5 min-[72rem]:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="flex min-w-0 flex-col gap-5">
        {heartbeatUrl === undefined ? <ResponseTimes monitor={monitor} /> : <Signal url={heartbeatUrl} />}
        <Why check={failing.check} />
        {heartbeatUrl !== undefined && <NewestSignals monitor={monitor} />}
        <Figures monitor={monitor} />
        <Daily id={id} />
        {heartbeatUrl !== undefined && <ResponseTimes monitor={monitor} />}
        {heartbeatUrl !== undefined && <Metrics id={id} />}
        <UptimeRange id={id} />
      </div>
      <div className="flex min-w-0 flex-col gap-5">
        <Facts monitor={monitor} />
        <Notes monitor={monitor} />
        {heartbeatUrl === undefined && <Votes checks={newest.data} />}
        <Certificate monitor={monitor} />
        <DomainCard monitor={monitor} />
      </div>
    </div>
  )
}

/** The band of a monitor with an open alert: its handler, and the actions. */
const Alerted = ({ alert, monitor }: { readonly alert: AlertRecord; readonly monitor: MonitorRecord }) => {
  const { dismiss, error, handle } = useHandling(alert)
  const mayRespond = useMay("alerts.respond")
  useShortcuts(
    mayRespond && alert.state === "open"
      ? [{ keys: "a", label: t("Acknowledge"), run: () => handle({ type: "acknowledge" }) }]
      : []
  )
  return (
    <>
      <StatusLine
        monitor={monitor}
        handled={<Handled alert={alert} />}
        acts={<AlertActions alert={alert} onAct={handle} />}
      />
      {error !== undefined && <Refusal onClose={dismiss}>{error}</Refusal>}
    </>
  )
}

/** The alert of a monitor that is open; kept while the reader is about to press what it offers. */
const useOpenAlert = ({ id }: MonitorRecord) => {
  const { data, isLoading } = useAlerts("active", { monitorId: id })
  const found = data?.pages.flatMap(({ alerts }) => alerts).find(({ monitorId }) => monitorId === id)
  return { alert: useHeldShape(found, found?.id ?? "").value, isLoading }
}

const Status = ({ children, monitor }: { readonly monitor: MonitorRecord; readonly children: ReactNode }) => {
  const { alert, isLoading } = useOpenAlert(monitor)
  const isFailing = monitor.status === "down" || monitor.status === "degraded"
  // The acts would push down all that is below them.
  if (isFailing && isLoading) return null
  return (
    <>
      {isFailing && alert !== undefined ? (
        <Alerted alert={alert} monitor={monitor} />
      ) : (
        <StatusLine monitor={monitor} />
      )}
      {children}
    </>
  )
}

const content: Readonly<Record<View, (monitor: MonitorRecord) => ReactNode>> = {
  overview: (monitor) => <Overview monitor={monitor} />,
  signals: ({ id }) => <SignalLog id={id} />,
  checks: ({ id }) => <CheckLog id={id} />,
  outages: ({ id }) => <Outages id={id} />,
  alerts: ({ id }) => <Alerts id={id} />,
  code: (monitor) => <AsCode monitor={monitor} />
}

/** Only jobs send signals. */
const viewsOf = ({ heartbeatUrl, type }: MonitorRecord) =>
  viewNames.filter((name) => name !== "signals" || type === "heartbeat" || heartbeatUrl !== undefined)

const Monitor = () =>
  useProjectData().at === undefined ? (
    <PresentMonitor />
  ) : (
    <Suspense>
      <PastMonitor />
    </Suspense>
  )

const PresentMonitor = () => {
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
  const { name } = monitor
  return (
    <PageFrame
      title={name}
      back={<BackLink to="/monitors">{t("All monitors")}</BackLink>}
      below={target !== "" && <bdi className="mt-0.5 line-clamp-2 text-sm text-soft">{target}</bdi>}
      actions={<Actions monitor={monitor} />}
    >
      <Status monitor={monitor}>
        <Tabs id={id} view={view} offered={viewsOf(monitor)} />
        {content[view](monitor)}
      </Status>
    </PageFrame>
  )
}

export default Monitor
