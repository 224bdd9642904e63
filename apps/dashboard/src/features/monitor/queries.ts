/** The requests of a monitor's page, beside its record. */
import type { Incident } from "@kanmon/domain/Incident"
import type { Alert } from "@kanmon/domain/Alert"
import type { CheckDetail, OutageRecord, UptimeReport } from "@kanmon/protocol/LogBody"
import type { SignalRecord as Signal } from "@kanmon/protocol/SignalsApi"
import type { Delivery } from "@kanmon/protocol/DeliveryBody"
import { type InfiniteData, infiniteQueryOptions, queryOptions } from "@tanstack/react-query"
import { type Page, requestPage } from "../../api/pages.ts"
import { call, request } from "../../api/request.ts"
import type { CurrentProject } from "../../api/session.ts"
import type { Span } from "../../ui/chart/series.ts"
import { alertAt, allAt, outageAt } from "../../live/asKnown.ts"
import type { Check } from "./checkRuns.ts"
import { type Period, periods } from "./views.ts"
import { isPast, shownTime } from "../../browser/now.ts"

export type Detail = typeof CheckDetail.Encoded
export type Outage = typeof OutageRecord.Encoded
export type Uptime = typeof UptimeReport.Encoded
export type SignalRecord = typeof Signal.Encoded
export type AlertRecord = typeof Alert.Encoded
export type DeliveryRecord = typeof Delivery.Encoded
export type IncidentRecord = typeof Incident.Encoded

/** Answers about the past do not change. */
const refreshed = () => !isPast() && 60_000

const since = (period: Period): string => new Date(Date.now() - periods[period] * 1000).toISOString()

/** A query about one monitor that is repeated while somebody looks. */
const about = <A>(
  project: CurrentProject,
  id: string,
  key: ReadonlyArray<unknown>,
  ask: (of: {
    readonly params: { readonly monitorId: string }
    readonly project: CurrentProject["headers"]
    readonly signal: AbortSignal
  }) => Promise<A>
) =>
  queryOptions({
    queryKey: ["monitor", project.id, id, ...key],
    queryFn: ({ signal }) => ask({ params: { monitorId: id }, project: project.headers, signal }),
    refetchInterval: refreshed
  })

/** The record as it is today, beside what the store has of the past. */
export const settingsQuery = (project: CurrentProject, id: string) =>
  about(project, id, ["settings"], (of) => request("GET /monitors/:monitorId", of))

export const statsQuery = (project: CurrentProject, id: string) =>
  about(project, id, ["stats"], (of) => request("GET /monitors/:monitorId/stats", of))

export const dailyQuery = (project: CurrentProject, id: string) =>
  about(project, id, ["daily"], (of) => request("GET /monitors/:monitorId/daily-uptime", of))

/** The range of a chart: a chosen span, or the last seconds until now; `ago` seconds earlier, to compare with. */
export interface Asked {
  readonly seconds: number
  readonly chosen?: Span | undefined
  readonly ago?: number
}

/** The span in seconds since the epoch. */
const spanOf = ({ ago = 0, chosen, seconds }: Asked): Span => {
  const to = (chosen?.to ?? Math.ceil(shownTime() / 1000)) - ago
  return { from: chosen === undefined ? to - seconds : chosen.from - ago, to }
}

const keyOf = ({ ago = 0, chosen, seconds }: Asked): string =>
  `${chosen?.from} ${chosen?.to} ${seconds} ${ago}${isPast() ? ` ${shownTime()}` : ""}`

const rangeOf = (asked: Asked) => {
  const { from, to } = spanOf(asked)
  return { span: { from, to }, query: { from: isoOf(from), to: isoOf(to) } }
}

const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString()

export const timesQuery = (project: CurrentProject, id: string, asked: Asked) =>
  about(project, id, ["times", keyOf(asked)], async (of) => {
    const { query, span } = rangeOf(asked)
    return { span, points: await request("GET /monitors/:monitorId/response-times", { ...of, query }) }
  })

export const phasesQuery = (project: CurrentProject, id: string, asked: Asked) =>
  about(project, id, ["phases", keyOf(asked)], async (of) => {
    const { query, span } = rangeOf(asked)
    return { span, report: await request("GET /monitors/:monitorId/response-phases", { ...of, query }) }
  })

export const metricsQuery = (project: CurrentProject, id: string, period: Period) =>
  about(project, id, ["metrics", period], (of) =>
    request("GET /monitors/:monitorId/heartbeat-metrics", { ...of, query: { from: since(period) } })
  )

export const uptimeQuery = (project: CurrentProject, id: string, from: string, to: string) =>
  about(project, id, ["uptime", from, to], (of) =>
    request("GET /monitors/:monitorId/uptime", { ...of, query: { from, to } })
  )

export const outagesIn = (project: CurrentProject, id: string, asked: Asked) =>
  about(project, id, ["outages in", keyOf(asked)], (of) =>
    request("GET /monitors/:monitorId/outages", { ...of, query: { ...rangeOf(asked).query, limit: 500 } })
  )

/** Incidents and maintenance of the whole project: few, and there is no filter by monitor. */
export const incidentsQuery = ({ headers, id }: CurrentProject) =>
  queryOptions({
    queryKey: ["incidents", id, "newest"],
    queryFn: ({ signal }) => request("GET /incidents", { query: { limit: 500 }, project: headers, signal }),
    refetchInterval: refreshed
  })

/** The newest results: enough for one of each region. */
export const newestQuery = (project: CurrentProject, id: string, seconds: number) =>
  about(project, id, ["newest"], (of) => {
    const from = new Date(Date.now() - seconds * 1000).toISOString()
    return request("GET /monitors/:monitorId/checks", { ...of, query: { from, limit: 100 } })
  })

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
      const [newest] = await request("GET /monitors/:monitorId/checks", {
        params: { monitorId: id },
        query: { from, region, status: "down", limit: 1 },
        project: headers,
        signal
      })
      return newest === undefined ? null : readDetail(headers, id, newest.id, signal)
    }
  })

const readDetail = (headers: CurrentProject["headers"], id: string, checkId: string, signal: AbortSignal) =>
  request("GET /monitors/:monitorId/checks/:checkId", { params: { monitorId: id, checkId }, project: headers, signal })

export const detailQuery = ({ headers, id: projectId }: CurrentProject, id: string, checkId: string) =>
  queryOptions({
    queryKey: ["monitor", projectId, id, "check", checkId],
    queryFn: ({ signal }) => readDetail(headers, id, checkId, signal),
    staleTime: Number.POSITIVE_INFINITY
  })

/** A list in pages about one monitor, for a button "More". */
const paged = <A>(
  project: CurrentProject,
  key: ReadonlyArray<unknown>,
  ask: (of: {
    readonly cursor: string | undefined
    readonly project: CurrentProject["headers"]
    readonly signal: AbortSignal
  }) => Promise<Page<A>>
) =>
  infiniteQueryOptions({
    queryKey: ["monitor", project.id, ...key],
    queryFn: ({ pageParam, signal }) => ask({ cursor: pageParam, project: project.headers, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next
  })

export interface CheckFilter {
  readonly status: Check["status"] | undefined
  readonly region: string | undefined
  /** ISO 8601 */
  readonly from: string
  /** Until now, without it. */
  readonly to?: string | undefined
}

export const checksQuery = (project: CurrentProject, monitorId: string, filter: CheckFilter) =>
  paged(project, [monitorId, "checks", filter], ({ cursor, ...of }) =>
    requestPage("GET /monitors/:monitorId/checks", {
      ...of,
      params: { monitorId },
      query: { ...filter, limit: 50, cursor }
    })
  )

/** The newest checks of the filter, at most `most` of them. */
export const readChecks = async (
  { headers }: CurrentProject,
  monitorId: string,
  filter: CheckFilter,
  most: number
): Promise<ReadonlyArray<Check>> => {
  const found: Array<Check> = []
  let cursor: string | undefined
  do {
    const page = await requestPage("GET /monitors/:monitorId/checks", {
      project: headers,
      params: { monitorId },
      query: { ...filter, limit: 200, cursor }
    })
    found.push(...page.items)
    cursor = page.next
  } while (cursor !== undefined && found.length < most)
  return found.slice(0, most)
}

export const signalsQuery = (project: CurrentProject, monitorId: string, kind: SignalRecord["kind"] | undefined) =>
  paged(project, [monitorId, "signals", kind ?? ""], ({ cursor, ...of }) =>
    requestPage("GET /monitors/:monitorId/signals", {
      ...of,
      params: { monitorId },
      query: { kind, limit: 50, cursor }
    })
  )

/** Output of the job with a signal. */
export const signalTextQuery = ({ headers, id: projectId }: CurrentProject, id: string, signalId: string) =>
  queryOptions({
    queryKey: ["monitor", projectId, id, "signal", signalId],
    queryFn: async ({ signal }) => {
      const params = { monitorId: id, signalId }
      return (
        await call("GET /monitors/:monitorId/signals/:signalId/body", {
          params,
          accept: "text/plain",
          project: headers,
          signal
        })
      ).text()
    },
    staleTime: Number.POSITIVE_INFINITY
  })

/** Applies to the pages of a list what was known at the instant that the pages show. */
const known =
  <A>(asOf: (each: A, at: number) => A | undefined) =>
  (data: InfiniteData<Page<A>, string | undefined>): InfiniteData<Page<A>, string | undefined> =>
    isPast()
      ? { ...data, pages: data.pages.map((page) => ({ ...page, items: allAt(page.items, asOf, shownTime()) })) }
      : data

/** The API's longest range, so that nothing that is kept is missing. */
export const outagesQuery = (project: CurrentProject, monitorId: string) => {
  const from = new Date(shownTime() - 399 * 86_400_000).toISOString().slice(0, 10)
  const to = isPast() ? new Date(shownTime()).toISOString() : undefined
  return {
    ...paged(project, [monitorId, "outages", from, to ?? ""], ({ cursor, ...of }) =>
      requestPage("GET /monitors/:monitorId/outages", {
        ...of,
        params: { monitorId },
        query: { from, to, limit: 50, cursor }
      })
    ),
    select: known(outageAt)
  }
}

export const alertsQuery = (project: CurrentProject, monitorId: string) => {
  // Newer alerts than those of the past are left out of what comes.
  const limit = isPast() ? 200 : 25
  return {
    ...paged(project, [monitorId, "alerts", limit], ({ cursor, ...of }) =>
      requestPage("GET /alerts", { ...of, query: { monitorId, limit, cursor } })
    ),
    select: known(alertAt)
  }
}

export const deliveriesQuery = ({ headers, id: projectId }: CurrentProject, entry: string) =>
  queryOptions({
    queryKey: ["deliveries", projectId, entry],
    queryFn: ({ signal }) =>
      request("GET /alert-history/:alertId/deliveries", { params: { alertId: entry }, project: headers, signal })
  })

/** Names of channels or rules by id. */
export const namesQuery = ({ headers, id }: CurrentProject, what: "notification-channels" | "alert-rules") =>
  queryOptions({
    queryKey: ["names", id, what],
    queryFn: ({ signal }) => request(`GET /${what}`, { query: { limit: 1000 }, project: headers, signal }),
    select: (all): ReadonlyMap<string, string> => new Map(all.map(({ id, name }) => [id, name]))
  })
