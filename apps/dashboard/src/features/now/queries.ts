/** The overview of the project, kept up to date by events. */
import type { Overview } from "@kanmon/protocol/OverviewBody"
import { useQuery } from "@tanstack/react-query"
import { request } from "../../api/request.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { useRefresh } from "../../live/refresh.ts"

export type OverviewRecord = typeof Overview.Encoded

export const useOverview = () => {
  const { at, project } = useProjectData()
  const { headers, id } = project
  useRefresh(["overview", id], () => true)
  return useQuery({
    queryKey: ["overview", id, at],
    queryFn: ({ signal }) =>
      request("GET /overview", { ...(at === undefined ? {} : { query: { at } }), project: headers, signal }),
    // Events were not received while the page was closed.
    staleTime: 0,
    refetchInterval: at === undefined && 60_000
  })
}
