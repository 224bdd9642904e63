/** What the page of a monitor asks for beside its record. */
import type { MonitorStats } from "@kanmon/domain/Monitor"
import type { DailyUptime, ResponseTime } from "@kanmon/protocol/MonitorsApi"
import { queryOptions } from "@tanstack/react-query"
import { request } from "../../api/request.ts"
import type { CurrentProject } from "../../api/session.ts"

const periods = { "1h": 3600, "24h": 86_400, "7d": 7 * 86_400, "30d": 30 * 86_400, "90d": 90 * 86_400 } as const
export type Period = keyof typeof periods

export const statsQuery = ({ headers, id: projectId }: CurrentProject, id: string) =>
  queryOptions({
    queryKey: ["monitor", projectId, id, "stats"],
    queryFn: ({ signal }) =>
      request<typeof MonitorStats.Encoded>("GET", `/monitors/${id}/stats`, { project: headers, signal }),
    refetchInterval: 60_000
  })

export const dailyQuery = ({ headers, id: projectId }: CurrentProject, id: string) =>
  queryOptions({
    queryKey: ["monitor", projectId, id, "daily"],
    queryFn: ({ signal }) =>
      request<ReadonlyArray<typeof DailyUptime.Type>>("GET", `/monitors/${id}/daily-uptime`, {
        project: headers,
        signal
      })
  })

export const timesQuery = ({ headers, id: projectId }: CurrentProject, id: string, period: Period) =>
  queryOptions({
    queryKey: ["monitor", projectId, id, "times", period],
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - periods[period] * 1000).toISOString()
      return request<ReadonlyArray<typeof ResponseTime.Encoded>>(
        "GET",
        `/monitors/${id}/response-times?from=${encodeURIComponent(from)}`,
        { project: headers, signal }
      )
    },
    refetchInterval: 60_000
  })
