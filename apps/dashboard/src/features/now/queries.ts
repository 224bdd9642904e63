/** The overview of the project, kept up to date by events. */
import type { Overview } from "@kanmon/protocol/OverviewBody"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { request } from "../../api/request.ts"
import { useProjectData } from "../../live/ProjectData.tsx"

export type OverviewRecord = typeof Overview.Encoded

export const useOverview = () => {
  const { onEvent, project } = useProjectData()
  const client = useQueryClient()
  const { headers, id } = project
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = onEvent(() => {
      timer ??= setTimeout(() => {
        timer = undefined
        void client.invalidateQueries({ queryKey: ["overview", id] })
      }, 300)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [client, id, onEvent])
  return useQuery({
    queryKey: ["overview", id],
    queryFn: ({ signal }) => request<OverviewRecord>("GET", "/overview", { project: headers, signal }),
    // While the page was not open, nobody listened to events.
    staleTime: 0,
    refetchInterval: 60_000
  })
}
