/** Uptime by day and response times of one monitor. */
import { useQuery } from "@tanstack/react-query"
import { lazy, Suspense, useMemo, useState } from "react"
import { useProjectData } from "../../live/ProjectData.tsx"
import { millis } from "../../locales/time.ts"
import { t } from "../../locales/text.ts"
import { Segments } from "../../ui/Choice.tsx"
import { DayBars } from "../../ui/DayBars.tsx"
import { dailyQuery, type Period, timesQuery } from "./queries.ts"

const Chart = lazy(async () => ({ default: (await import("../../ui/Chart.tsx")).Chart }))

const dayMillis = 86_400_000
const shownDays = 90

export const Daily = ({ id }: { readonly id: string }) => {
  const { project } = useProjectData()
  const { data } = useQuery(dailyQuery(project, id))
  const days = useMemo(() => {
    const known = new Map(data?.map(({ date, uptime }) => [date, uptime]))
    const today = Date.now()
    return Array.from({ length: shownDays }, (_, index) => {
      const date = new Date(today - (shownDays - 1 - index) * dayMillis).toISOString().slice(0, 10)
      return { date, uptime: known.get(date) }
    })
  }, [data])
  return (
    <section className="flex flex-col gap-2">
      <h2>{t("Last 90 days")}</h2>
      <DayBars days={days} label={t("Last 90 days")} />
      <div className="flex justify-between text-[0.8125rem] text-soft">
        <span>{t("90 days ago")}</span>
        <span>{t("Today")}</span>
      </div>
    </section>
  )
}

export const ResponseTimes = ({ id }: { readonly id: string }) => {
  const { project } = useProjectData()
  const [period, setPeriod] = useState<Period>("24h")
  const { data } = useQuery({ ...timesQuery(project, id, period), placeholderData: (before) => before })
  const { series, times } = useMemo(() => {
    const rows = data ?? []
    const times = [...new Set(rows.map(({ timestamp }) => Math.round(Date.parse(timestamp) / 1000)))].sort(
      (one, other) => one - other
    )
    const place = new Map(times.map((time, index) => [time, index]))
    const regions = [...new Set(rows.map(({ region }) => region))].sort()
    const lines = new Map(
      regions.map((region) => [region, Array.from<number | null>({ length: times.length }).fill(null)])
    )
    for (const { region, responseTime, timestamp } of rows)
      lines.get(region)![place.get(Math.round(Date.parse(timestamp) / 1000))!] = responseTime
    return { times, series: regions.map((label) => ({ label, values: lines.get(label)! })) }
  }, [data])
  const options = [
    { id: "1h", label: t("1 hour") },
    { id: "24h", label: t("24 hours") },
    { id: "7d", label: t("7 days") },
    { id: "30d", label: t("30 days") },
    { id: "90d", label: t("90 days") }
  ]
  return (
    <section className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2>{t("Response time")}</h2>
        <Segments label={t("Period")} options={options} value={period} onChange={(id) => setPeriod(id as Period)} />
      </div>
      {data === undefined ? (
        <div className="min-h-56" />
      ) : times.length === 0 ? (
        <p className="py-10 text-center text-soft">{t("No results in this period")}</p>
      ) : (
        <Suspense fallback={<div className="min-h-56" />}>
          <Chart label={t("Response time")} times={times} series={series} format={millis} />
        </Suspense>
      )}
    </section>
  )
}
