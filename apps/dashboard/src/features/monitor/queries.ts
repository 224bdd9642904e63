/** What the page of a monitor asks for beside its record. */
import type { Incident } from "@kanmon/domain/Incident"
import type { Alert } from "@kanmon/domain/Alert"
import type { MonitorStats } from "@kanmon/domain/Monitor"
import type { CheckDetail, CheckRecord, OutageRecord, PhasesReport, UptimeReport } from "@kanmon/protocol/LogBody"
import type { SignalRecord as Signal } from "@kanmon/protocol/SignalsApi"
import type { DailyUptime, HeartbeatMetrics, ResponseTime } from "@kanmon/protocol/MonitorsApi"
import type { Delivery } from "@kanmon/protocol/DeliveryBody"
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query"
import { queryOf, requestPage } from "../../api/pages.ts"
import { call, request } from "../../api/request.ts"
import type { CurrentProject } from "../../api/session.ts"

export type Check = typeof CheckRecord.Encoded
export type Detail = typeof CheckDetail.Encoded
export type Outage = typeof OutageRecord.Encoded
export type Uptime = typeof UptimeReport.Encoded
export type SignalRecord = typeof Signal.Encoded
export type AlertRecord = typeof Alert.Encoded
export type DeliveryRecord = typeof Delivery.Encoded
export type IncidentRecord = typeof Incident.Encoded

/** Seconds that a chart shows. */
export const periods = {
  "1h": 3600,
  "24h": 86_400,
  "7d": 7 * 86_400,
  "30d": 30 * 86_400,
  "90d": 90 * 86_400,
  "1y": 365 * 86_400
} as const
export type Period = keyof typeof periods

const refreshed = 60_000

const since = (period: Period): string => new Date(Date.now() - periods[period] * 1000).toISOString()

/** A GET about one monitor that is repeated while somebody looks. */
const about = <A>(project: CurrentProject, id: string, key: ReadonlyArray<unknown>, path: () => string) =>
  queryOptions({
    queryKey: ["monitor", project.id, id, ...key],
    queryFn: ({ signal }) => request<A>("GET", path(), { project: project.headers, signal }),
    refetchInterval: refreshed
  })

export const statsQuery = (project: CurrentProject, id: string) =>
  about<typeof MonitorStats.Encoded>(project, id, ["stats"], () => `/monitors/${id}/stats`)

export const dailyQuery = (project: CurrentProject, id: string) =>
  about<ReadonlyArray<typeof DailyUptime.Type>>(project, id, ["daily"], () => `/monitors/${id}/daily-uptime`)

export const timesQuery = (project: CurrentProject, id: string, period: Period) =>
  about<ReadonlyArray<typeof ResponseTime.Encoded>>(
    project,
    id,
    ["times", period],
    () => `/monitors/${id}/response-times${queryOf({ from: since(period) })}`
  )

export const phasesQuery = (project: CurrentProject, id: string, period: Period) =>
  about<typeof PhasesReport.Encoded>(
    project,
    id,
    ["phases", period],
    () => `/monitors/${id}/response-phases${queryOf({ from: since(period) })}`
  )

export const metricsQuery = (project: CurrentProject, id: string, period: Period) =>
  about<ReadonlyArray<typeof HeartbeatMetrics.Encoded>>(
    project,
    id,
    ["metrics", period],
    () => `/monitors/${id}/heartbeat-metrics${queryOf({ from: since(period) })}`
  )

export const uptimeQuery = (project: CurrentProject, id: string, from: string, to: string) =>
  about<Uptime>(project, id, ["uptime", from, to], () => `/monitors/${id}/uptime${queryOf({ from, to })}`)

export const outagesIn = (project: CurrentProject, id: string, period: Period) =>
  about<ReadonlyArray<Outage>>(
    project,
    id,
    ["outages in", period],
    () => `/monitors/${id}/outages${queryOf({ from: since(period), limit: 500 })}`
  )

/** Incidents and maintenance of the whole project: few, and there is no filter by monitor. */
export const incidentsQuery = ({ headers, id }: CurrentProject) =>
  queryOptions({
    queryKey: ["incidents", id, "newest"],
    queryFn: ({ signal }) =>
      request<ReadonlyArray<IncidentRecord>>("GET", "/incidents?limit=500", { project: headers, signal }),
    refetchInterval: refreshed
  })

/** The newest results: enough for one of each region. */
export const newestQuery = (project: CurrentProject, id: string, seconds: number) =>
  about<ReadonlyArray<Check>>(
    project,
    id,
    ["newest"],
    () => `/monitors/${id}/checks${queryOf({ from: new Date(Date.now() - seconds * 1000).toISOString(), limit: 100 })}`
  )

/** The newest failing check of a region at a moment, with what the target answered. */
export const failingQuery = (
  { headers, id: projectId }: CurrentProject,
  id: string,
  { at, region }: { readonly at: string; readonly region: string }
) =>
  queryOptions({
    queryKey: ["monitor", projectId, id, "failing", region, at],
    queryFn: async ({ signal }): Promise<Detail | null> => {
      const from = new Date(Date.parse(at) - 86_400_000).toISOString()
      const query = queryOf({ from, region, status: "down", limit: 1 })
      const [newest] = await request<ReadonlyArray<Check>>("GET", `/monitors/${id}/checks${query}`, {
        project: headers,
        signal
      })
      return newest === undefined ? null : readDetail(headers, id, newest.id, signal)
    }
  })

const readDetail = (headers: CurrentProject["headers"], id: string, checkId: string, signal: AbortSignal) =>
  request<Detail>("GET", `/monitors/${id}/checks/${encodeURIComponent(checkId)}`, { project: headers, signal })

export const detailQuery = ({ headers, id: projectId }: CurrentProject, id: string, checkId: string) =>
  queryOptions({
    queryKey: ["monitor", projectId, id, "check", checkId],
    queryFn: ({ signal }) => readDetail(headers, id, checkId, signal),
    staleTime: Number.POSITIVE_INFINITY
  })

/** A list in pages about one monitor, for a button "More". */
const paged = <A>(
  { headers, id: projectId }: CurrentProject,
  key: ReadonlyArray<unknown>,
  path: string,
  parameters: Readonly<Record<string, string | number | undefined>>
) =>
  infiniteQueryOptions({
    queryKey: ["monitor", projectId, ...key, parameters],
    queryFn: ({ pageParam, signal }) =>
      requestPage<A>(`${path}${queryOf({ ...parameters, cursor: pageParam })}`, { project: headers, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next
  })

export const checksQuery = (
  project: CurrentProject,
  id: string,
  filter: { readonly status?: string | undefined; readonly region?: string | undefined }
) => paged<Check>(project, [id, "checks"], `/monitors/${id}/checks`, { ...filter, limit: 50 })

export const signalsQuery = (project: CurrentProject, id: string, kind: string | undefined) =>
  paged<SignalRecord>(project, [id, "signals"], `/monitors/${id}/signals`, { kind, limit: 50 })

/** Output of the job with a signal. */
export const signalTextQuery = ({ headers, id: projectId }: CurrentProject, id: string, signalId: string) =>
  queryOptions({
    queryKey: ["monitor", projectId, id, "signal", signalId],
    queryFn: async ({ signal }) => {
      const path = `/monitors/${id}/signals/${signalId}/body`
      return (await call("GET", path, { accept: "text/plain", project: headers, signal })).text()
    },
    staleTime: Number.POSITIVE_INFINITY
  })

/** The API's longest range, so that nothing that is kept is missing. */
export const outagesQuery = (project: CurrentProject, id: string) =>
  paged<Outage>(project, [id, "outages"], `/monitors/${id}/outages`, {
    from: new Date(Date.now() - 399 * 86_400_000).toISOString().slice(0, 10),
    limit: 50
  })

export const alertsQuery = (project: CurrentProject, id: string) =>
  paged<AlertRecord>(project, [id, "alerts"], "/alerts", { monitorId: id, limit: 25 })

export const deliveriesQuery = ({ headers, id: projectId }: CurrentProject, entry: string) =>
  queryOptions({
    queryKey: ["deliveries", projectId, entry],
    queryFn: ({ signal }) =>
      request<ReadonlyArray<DeliveryRecord>>("GET", `/alert-history/${entry}/deliveries`, { project: headers, signal })
  })

export interface Named {
  readonly id: string
  readonly name: string
}

/** Names of channels or rules by id. */
export const namesQuery = ({ headers, id }: CurrentProject, what: "notification-channels" | "alert-rules") =>
  queryOptions({
    queryKey: ["names", id, what],
    queryFn: ({ signal }) => request<ReadonlyArray<Named>>("GET", `/${what}?limit=1000`, { project: headers, signal }),
    select: (all): ReadonlyMap<string, string> => new Map(all.map(({ id, name }) => [id, name]))
  })
