/** The alerts and silences of a project, kept up to date by events. */
import type { Alert } from "@kanmon/domain/Alert"
import type { Delivery } from "@kanmon/protocol/DeliveryBody"
import type { CheckDetail } from "@kanmon/protocol/LogBody"
import type { Silence } from "@kanmon/domain/Silence"
import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useInfiniteQuery
} from "@tanstack/react-query"
import { request } from "../../api/request.ts"
import { isPast, pastKey, shownTime } from "../../browser/now.ts"
import { alertAt, allAt } from "../../live/asKnown.ts"
import type { CurrentProject } from "../../api/session.ts"
import { requestPage } from "../../api/pages.ts"
import type { Parts } from "../../api/routes.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { useRefresh } from "../../live/refresh.ts"
import { asExpected } from "./handling.ts"

export type AlertRecord = typeof Alert.Encoded
export type SilenceRecord = typeof Silence.Encoded
export type DeliveryRecord = typeof Delivery.Encoded
type State = AlertRecord["state"]

/** `active` is everything that is not resolved. */
export type AlertFilter = "active" | State

export interface AlertPage {
  readonly alerts: ReadonlyArray<AlertRecord>
  readonly next: string | undefined
}

const pageSize = 50
/** Whoever has more filters by state, which has pages. */
const maxActive = 1000
const active: ReadonlyArray<State> = ["open", "acknowledged", "snoozed"]
const refetchInterval = 60_000

export const alertsKey = (project: CurrentProject) => ["alerts", project.id] as const

/** How a list is asked for. */
interface Asked {
  readonly client: QueryClient
  readonly signal: AbortSignal
}

const alertPage = async (
  { headers }: CurrentProject,
  query: Parts<"GET /alerts">["query"],
  { client, signal }: Asked
): Promise<AlertPage> => {
  const { items, next } = await requestPage("GET /alerts", { query, project: headers, signal })
  return { alerts: items.map((alert) => asExpected(client, alert)), next }
}

/** In one answer, so that an alert is in it even when its state changes at this moment. Nobody's alerts come first. */
const activePage = async (project: CurrentProject, which: Which, asked: Asked): Promise<AlertPage> => {
  const { alerts } = await alertPage(project, { ...which, state: active, limit: maxActive }, asked)
  const place = ({ state }: AlertRecord) => active.indexOf(state)
  return { alerts: alerts.toSorted((one, other) => place(one) - place(other)), next: undefined }
}

/** Those that were in the state at the instant that the pages show; alerts that are older than the newest thousand are left out. */
const pastPage = async (
  project: CurrentProject,
  filter: AlertFilter,
  which: Which,
  asked: Asked
): Promise<AlertPage> => {
  const { alerts } = await alertPage(project, { ...which, limit: maxActive }, asked)
  const wanted = filter === "active" ? active : [filter]
  return {
    alerts: allAt(alerts, alertAt, shownTime()).filter(({ state }) => wanted.includes(state)),
    next: undefined
  }
}

/** Further filters of a list. */
interface Which {
  readonly monitorId?: string | undefined
  readonly severity?: ReadonlyArray<AlertRecord["severity"]> | undefined
}

const alertsQuery = (project: CurrentProject, filter: AlertFilter, { monitorId, severity }: Which) =>
  infiniteQueryOptions({
    queryKey: [...alertsKey(project), "list", filter, monitorId ?? "", pastKey(), ...(severity ?? [])],
    queryFn: ({ client, pageParam, signal }): Promise<AlertPage> => {
      if (isPast()) return pastPage(project, filter, { monitorId, severity }, { client, signal })
      if (filter === "active") return activePage(project, { monitorId, severity }, { client, signal })
      const cursor = pageParam === "" ? undefined : pageParam
      return alertPage(project, { monitorId, severity, state: [filter], limit: pageSize, cursor }, { client, signal })
    },
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchInterval
  })

export const alertQuery = (project: CurrentProject, id: string) =>
  queryOptions({
    queryKey: [...alertsKey(project), "one", id],
    queryFn: async ({ client, signal }) =>
      asExpected(
        client,
        await request("GET /alerts/:alertId", { params: { alertId: id }, project: project.headers, signal })
      ),
    refetchInterval
  })

export const deliveriesQuery = (project: CurrentProject, entryId: string) =>
  queryOptions({
    queryKey: [...alertsKey(project), "deliveries", entryId],
    queryFn: ({ signal }) =>
      request("GET /alert-history/:alertId/deliveries", {
        params: { alertId: entryId },
        project: project.headers,
        signal
      })
  })

/** The failing check that opened the alert, with what the other regions said; null when it is no longer kept. */
export const votesQuery = (project: CurrentProject, { monitorId, openedAt, startedAt, trigger }: AlertRecord) =>
  queryOptions({
    queryKey: ["votes", project.id, monitorId, openedAt],
    queryFn: async ({ signal }): Promise<typeof CheckDetail.Encoded | null> => {
      if (monitorId === null) return null
      const options = { project: project.headers, signal }
      const checks = await request("GET /monitors/:monitorId/checks", {
        params: { monitorId },
        query: {
          from: startedAt,
          to: new Date(Date.parse(openedAt) + 1).toISOString(),
          status: trigger === "monitor_degraded" ? "degraded" : "down",
          limit: 1
        },
        ...options
      })
      const [last] = checks
      return last === undefined
        ? null
        : request("GET /monitors/:monitorId/checks/:checkId", { params: { monitorId, checkId: last.id }, ...options })
    },
    enabled: trigger === "monitor_down" || trigger === "monitor_degraded",
    staleTime: Number.POSITIVE_INFINITY
  })

export const channelNamesQuery = (project: CurrentProject) =>
  queryOptions({
    queryKey: ["channel-names", project.id],
    queryFn: async ({ signal }) =>
      new Map(
        (await request("GET /notification-channels", { query: { limit: 1000 }, project: project.headers, signal })).map(
          ({ id, name }) => [id, name]
        )
      )
  })

export const silencesQuery = (project: CurrentProject) =>
  queryOptions({
    queryKey: [...alertsKey(project), "silences"],
    queryFn: ({ signal }) => request("GET /silences", { query: { limit: 1000 }, project: project.headers, signal }),
    refetchInterval
  })

/** Asks again for everything about alerts, a little after an event about them: events come in groups. */
export const useAlertEvents = (): void => {
  const { id } = useProjectData().project
  useRefresh(["alerts", id], ({ type }) => /^kanmon\.(?:external-)?alert\./.test(type))
}

export const useAlerts = (filter: AlertFilter, which: Which = {}) => {
  const { project } = useProjectData()
  useAlertEvents()
  return useInfiniteQuery(alertsQuery(project, filter, which))
}
