/** The incidents and maintenance windows of a project, kept up to date by events. */
import type { Incident, IncidentStatus } from "@kanmon/domain/Incident"
import type { StatusPageRecord } from "@kanmon/protocol/StatusPageBody"
import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query"
import { requestPage } from "../../api/pages.ts"
import { request } from "../../api/request.ts"
import { isPast, pastKey, shownTime } from "../../browser/now.ts"
import { allAt, incidentAt } from "../../live/asKnown.ts"
import type { CurrentProject } from "../../api/session.ts"
import type { MonitorStore } from "../../live/MonitorStore.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { useRefresh } from "../../live/refresh.ts"
import { byName } from "../../ui/collation.ts"

export type IncidentRecord = typeof Incident.Encoded
export type Status = IncidentStatus
export type PageRecord = typeof StatusPageRecord.Encoded

const pageSize = 50
const refetchInterval = 60_000

export const incidentsKey = (project: CurrentProject) => ["incidents", project.id] as const

/** More are not looked through for the past. */
const maxPast = 1000

/** The incidents and windows that were known at the instant that the pages show, as they were. Lists of one page share the request. */
const readPast = async (project: CurrentProject, client: QueryClient): Promise<ReadonlyArray<IncidentRecord>> => {
  const incidents = await client.fetchQuery({
    queryKey: [...incidentsKey(project), "all"],
    queryFn: ({ signal }) => request("GET /incidents", { query: { limit: maxPast }, project: project.headers, signal }),
    staleTime: 0,
    // The query of the list tries again.
    retry: false
  })
  return allAt(incidents, incidentAt, shownTime())
}

/** Incidents, or maintenance windows, newest first. */
export const incidentsQuery = (project: CurrentProject, maintenance: boolean, status?: Status) =>
  infiniteQueryOptions({
    queryKey: [...incidentsKey(project), "list", maintenance, status ?? "", pastKey()],
    queryFn: async ({ client, pageParam, signal }) =>
      isPast()
        ? {
            items: (await readPast(project, client)).filter(
              (incident) => incident.maintenance === maintenance && (status === undefined || incident.status === status)
            ),
            next: undefined
          }
        : requestPage("GET /incidents", {
            query: { maintenance: maintenance ? "true" : "false", status, limit: pageSize, cursor: pageParam },
            project: project.headers,
            signal
          }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchInterval
  })

const unresolved = ["investigating", "identified", "monitoring"] as const

/** Everything that is not resolved. There are few of them, so they come as one list. */
export const openQuery = (project: CurrentProject) =>
  queryOptions({
    queryKey: [...incidentsKey(project), "open", pastKey()],
    queryFn: async ({ client, signal }): Promise<ReadonlyArray<IncidentRecord>> => {
      if (isPast()) return (await readPast(project, client)).filter(({ status }) => status !== "resolved")
      const options = { project: project.headers, signal }
      const lists = await Promise.all(
        unresolved.map((status) => requestPage("GET /incidents", { query: { status, limit: 1000 }, ...options }))
      )
      return lists
        .flatMap(({ items }) => items)
        .toSorted((one, other) => Date.parse(other.startedAt) - Date.parse(one.startedAt))
    },
    refetchInterval
  })

export const incidentQuery = (project: CurrentProject, id: string) =>
  queryOptions({
    queryKey: [...incidentsKey(project), "one", id, pastKey()],
    queryFn: async ({ signal }) => {
      const incident = await request("GET /incidents/:incidentId", {
        params: { incidentId: id },
        project: project.headers,
        signal
      })
      return isPast() ? (incidentAt(incident, shownTime()) ?? incident) : incident
    },
    refetchInterval
  })

export const pagesQuery = (project: CurrentProject) =>
  queryOptions({
    queryKey: ["status-pages", project.id],
    queryFn: ({ signal }) => request("GET /status-pages", { query: { limit: 1000 }, project: project.headers, signal })
  })

/** Asks again a little after an event about incidents: events come in groups. */
export const useIncidentEvents = (): void => {
  const { id } = useProjectData().project
  useRefresh(["incidents", id], ({ type }) => type.startsWith("kanmon.incident."))
}

type Coverage = Pick<IncidentRecord, "monitorIds" | "tags">

/** The monitors that an incident affects: named ones, and those with its tags. */
export const affectedOf = (store: MonitorStore, { monitorIds, tags }: Coverage) => {
  const [named, wanted] = [new Set<string>(monitorIds), new Set<string>(tags)]
  return [...store.monitors.values()]
    .filter(({ id, tags }) => named.has(id) || tags.some((tag) => wanted.has(tag)))
    .toSorted((one, other) => byName(one.name, other.name))
}

/** The pages that show an incident. One that affects no monitor by name or tag is about the whole project. */
export const pagesShowing = (
  pages: ReadonlyArray<PageRecord>,
  store: MonitorStore,
  incident: Coverage
): ReadonlyArray<PageRecord> => {
  if (incident.monitorIds.length === 0 && incident.tags.length === 0) return pages
  const affected = affectedOf(store, incident)
  const ids = new Set<string>([...incident.monitorIds, ...affected.map(({ id }) => id)])
  return pages.filter(
    (page) =>
      page.monitors.some(({ monitorId }) => ids.has(monitorId)) ||
      affected.some(({ tags }) => tags.some((tag) => page.tags.some((each) => each === tag)))
  )
}
