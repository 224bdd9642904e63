/** Response times by region or by phase, with what happened meanwhile. */
import { useQuery } from "@tanstack/react-query"
import { lazy, Suspense, useMemo, useState } from "react"
import type { MonitorRecord } from "../../live/MonitorStore.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { duration, millis, moment } from "../../locales/time.ts"
import { t, type Text } from "../../locales/text.ts"
import type { Mark } from "../../ui/Chart.tsx"
import type { Series } from "../../ui/ChartTable.tsx"
import { Segments } from "../../ui/Choice.tsx"
import { Section } from "../../ui/Section.tsx"
import { Shape } from "../../ui/Status.tsx"
import { type Marked, marksOf } from "./marks.ts"
import { incidentsQuery, outagesIn, type Period, periods, phasesQuery, timesQuery } from "./queries.ts"
import { stageNames, stages } from "../../ui/Stages.tsx"

const Chart = lazy(async () => ({ default: (await import("../../ui/Chart.tsx")).Chart }))

export const periodOptions = () => [
  { id: "1h", label: t("1 h"), help: t("1 hour") },
  { id: "24h", label: t("24 h"), help: t("24 hours") },
  { id: "7d", label: t("7 d"), help: t("7 days") },
  { id: "30d", label: t("30 d"), help: t("30 days") },
  { id: "90d", label: t("90 d"), help: t("90 days") },
  { id: "1y", label: t("1 y"), help: t("1 year") }
]

export const isPeriod = (id: string): id is Period => id in periods

interface Shown {
  readonly times: ReadonlyArray<number>
  readonly series: ReadonlyArray<Series>
}

const second = (timestamp: string): number => Math.round(Date.parse(timestamp) / 1000)

const useRegions = (id: string, period: Period, enabled: boolean): Shown | undefined => {
  const { project } = useProjectData()
  const { data } = useQuery({ ...timesQuery(project, id, period), enabled, placeholderData: (before) => before })
  return useMemo(() => {
    if (data === undefined) return undefined
    const times = [...new Set(data.map(({ timestamp }) => second(timestamp)))].toSorted((one, other) => one - other)
    const place = new Map(times.map((time, index) => [time, index]))
    const regions = [...new Set(data.map(({ region }) => region))].toSorted()
    const lines = new Map(
      regions.map((region) => [region, Array.from<number | null>({ length: times.length }).fill(null)])
    )
    for (const { region, responseTime, timestamp } of data)
      lines.get(region)![place.get(second(timestamp))!] = responseTime
    return { times, series: regions.map((label) => ({ label, values: lines.get(label)! })) }
  }, [data])
}

const usePhases = (id: string, period: Period, enabled: boolean): Shown | undefined => {
  const { project } = useProjectData()
  const { data } = useQuery({ ...phasesQuery(project, id, period), enabled, placeholderData: (before) => before })
  return useMemo(() => {
    if (data === undefined) return undefined
    const measured = stages.filter((stage) => data.overall[stage] !== null)
    return {
      times: data.points.map(({ timestamp }) => second(timestamp)),
      series: measured.map((stage) => ({
        label: t(stageNames[stage]),
        values: data.points.map((point) => point[stage]?.p50 ?? null)
      }))
    }
  }, [data])
}

const kinds = {
  down: { tone: "down", chart: "down", word: "Down" },
  degraded: { tone: "degraded", chart: "degraded", word: "Degraded" },
  incident: { tone: "degraded", chart: "accent", word: "Incident" },
  maintenance: { tone: "maintenance", chart: "maintenance", word: "Maintenance" }
} as const satisfies Record<
  Marked["kind"],
  { readonly tone: string; readonly chart: Mark["tone"]; readonly word: Text }
>

const shownMarks = 4

/** The marks in words; the newest first, the older ones behind a line. */
const MarkList = ({ marks }: { readonly marks: ReadonlyArray<Marked> }) => {
  const newest = marks.toReversed()
  const item = ({ from, kind, text, to }: Marked) => (
    <li key={`${kind} ${from} ${text}`} className="flex min-w-0 items-start gap-2">
      <Shape tone={kinds[kind].tone} className="mt-0.5" />
      <span className="min-w-0">
        <span className="font-medium text-ink">{t(kinds[kind].word)}</span> · {moment(from * 1000)} ·{" "}
        {duration(to - from)}
        {text !== "" && (
          <>
            {" · "}
            <bdi>{text}</bdi>
          </>
        )}
      </span>
    </li>
  )
  if (marks.length === 0) return null
  return (
    <div className="text-small text-soft">
      <ul aria-label={t("Marked in the chart")} className="flex flex-col gap-1">
        {newest.slice(0, shownMarks).map(item)}
      </ul>
      {newest.length > shownMarks && (
        <details>
          <summary className="min-h-9 cursor-pointer content-center text-accent pointer-coarse:min-h-11">
            {t("{count, plural, one {# older} other {# older}}", { count: newest.length - shownMarks })}
          </summary>
          <ul className="flex flex-col gap-1">{newest.slice(shownMarks).map(item)}</ul>
        </details>
      )}
    </div>
  )
}

export const ResponseTimes = ({ monitor }: { readonly monitor: MonitorRecord }) => {
  const { project } = useProjectData()
  const { id } = monitor
  const [period, setPeriod] = useState<Period>("24h")
  const [by, setBy] = useState<"region" | "phase">("region")
  const regions = useRegions(id, period, by === "region")
  const phases = usePhases(id, period, by === "phase")
  const { data: outages } = useQuery(outagesIn(project, id, period))
  const { data: incidents } = useQuery(incidentsQuery(project))
  const shown = by === "region" ? regions : phases
  const times = shown?.times
  const marked = useMemo(() => {
    if (times === undefined || times.length === 0) return []
    return marksOf(monitor, outages ?? [], incidents ?? [], { from: times[0]!, to: times.at(-1)! + 1 })
  }, [monitor, outages, incidents, times])
  const marks = useMemo(
    () => marked.map(({ from, kind, to }): Mark => ({ from, to, tone: kinds[kind].chart })),
    [marked]
  )
  return (
    <Section
      title={t("Response time")}
      actions={
        <div className="flex flex-wrap gap-2">
          <Segments
            label={t("Split")}
            options={[
              { id: "region", label: t("By region") },
              { id: "phase", label: t("By phase") }
            ]}
            value={by}
            onChange={(id) => setBy(id === "phase" ? "phase" : "region")}
          />
          <Segments
            label={t("Period")}
            options={periodOptions()}
            value={period}
            onChange={(id) => isPeriod(id) && setPeriod(id)}
          />
        </div>
      }
    >
      {shown === undefined ? (
        <div className="min-h-56" />
      ) : shown.times.length === 0 || shown.series.length === 0 ? (
        <p className="grid min-h-56 place-content-center text-soft">{t("No results in this period")}</p>
      ) : (
        <Suspense fallback={<div aria-busy className="min-h-56" />}>
          <Chart
            label={by === "region" ? t("Response time by region") : t("Median response time by phase")}
            times={shown.times}
            series={shown.series}
            format={millis}
            marks={marks}
            stacked={by === "phase"}
          />
        </Suspense>
      )}
      <MarkList marks={marked} />
    </Section>
  )
}
