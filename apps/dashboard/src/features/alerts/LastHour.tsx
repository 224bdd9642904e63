/** How a failing monitor did in the last hour: its response times, or its newest results where it has none. */
import { useQuery } from "@tanstack/react-query"
import { request } from "../../api/request.ts"
import { useSummary } from "../../live/MonitorStore.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { t } from "../../locales/text.ts"
import { Beats } from "../../ui/Beats.tsx"
import { minutesOf } from "../../ui/chart/hour.ts"
import { HourChart } from "../../ui/HourChart.tsx"
import type { AlertRecord } from "./queries.ts"
import { toneOfTrigger } from "./words.ts"

const hour = 3_600_000

export const LastHour = ({ alert, monitorId }: { readonly alert: AlertRecord; readonly monitorId: string }) => {
  const { startedAt } = alert
  const { project, store } = useProjectData()
  const monitor = useSummary(store, monitorId)
  const { data } = useQuery({
    queryKey: ["last-hour", project.id, monitorId],
    queryFn: async ({ signal }) => {
      const now = Date.now()
      const points = await request("GET /monitors/:monitorId/response-times", {
        params: { monitorId },
        query: { from: new Date(now - hour).toISOString(), to: new Date(now).toISOString() },
        project: project.headers,
        signal
      })
      const span = { from: (now - hour) / 1000, to: now / 1000 }
      const values = minutesOf(
        points.map(({ responseTime, timestamp }) => ({ at: Date.parse(timestamp) / 1000, value: responseTime })),
        span
      )
      return { span, values }
    },
    refetchInterval: 60_000
  })
  const results = monitor?.results ?? ""
  // Its place is kept until it is known what to show.
  return (
    <div className="min-h-22">
      {data !== undefined && data.values.some((value) => typeof value === "number") ? (
        <HourChart
          values={data.values}
          span={data.span}
          failingFrom={Date.parse(startedAt) / 1000}
          tone={toneOfTrigger(alert)}
        />
      ) : (
        data !== undefined &&
        results !== "" && (
          <div className="flex flex-col gap-1">
            <Beats results={results} className="h-16 w-full" />
            <p className="text-small text-soft">{t("Newest results")}</p>
          </div>
        )
      )}
    </div>
  )
}
