/** The full record of one monitor, which summaries leave out: asked for when a page opens it, kept in the store. */
import { queryOptions, useQuery } from "@tanstack/react-query"
import { request } from "../api/request.ts"
import type { CurrentProject } from "../api/session.ts"
import { type MonitorStore, useMonitor } from "./MonitorStore.ts"
import { useProjectData } from "./ProjectData.tsx"

/** Events tell of changes; when the newest check was made they do not. */
const refreshEvery = 30_000

export const recordQuery = (project: CurrentProject, store: MonitorStore, id: string) =>
  queryOptions({
    queryKey: ["monitor", project.id, id, "record"],
    queryFn: async ({ signal }) => {
      const found = await request("GET /monitors/:monitorId", {
        params: { monitorId: id },
        project: project.headers,
        signal
      })
      store.put(found)
      return found
    },
    refetchInterval: refreshEvery
  })

/** The record as the store has it; `error` when it could not be loaded. Nothing is asked for without an id. */
export const useMonitorRecord = (id: string | undefined) => {
  const { project, store } = useProjectData()
  const { error, refetch } = useQuery({ ...recordQuery(project, store, id ?? ""), enabled: id !== undefined })
  return { monitor: useMonitor(store, id ?? ""), error, refetch }
}
