/** Response times: their spread, by region or by phase, with what happened meanwhile. */
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { lazy, Suspense, useMemo } from "react"
import type { MonitorRecord } from "../../live/MonitorStore.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { duration, millis, moment } from "../../locales/time.ts"
import { t, type Text } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import type { Mark, Span } from "../../ui/chart/series.ts"
import { Segments, Switch } from "../../ui/Choice.tsx"
import { Count } from "../../ui/Quantity.tsx"
import { Section } from "../../ui/Section.tsx"
import { stageNames, stages } from "../../ui/Stages.tsx"
import { Shape } from "../../ui/Status.tsx"
import { type Marked, marksOf } from "./marks.ts"
import { type Asked, incidentsQuery, outagesIn, phasesQuery, timesQuery } from "./queries.ts"
import { isExact, keptSpreadOf, phasesOf, regionsOf, spreadOf } from "./responses.ts"
import { isPeriod, type MonitorSearch, periods } from "./views.ts"

const Chart = lazy(async () => ({ default: (await import("../../ui/Chart.tsx")).Chart }))

export const periodOptions = () => [
  { id: "1h", label: t("1 h"), help: t("1 hour") },
  { id: "24h", label: t("24 h"), help: t("24 hours") },
  { id: "7d", label: t("7 d"), help: t("7 days") },
  { id: "30d", label: t("30 d"), help: t("30 days") },
  { id: "90d", label: t("90 d"), help: t("90 days") },
  { id: "1y", label: t("1 y"), help: t("1 year") }
]

const week = 7 * 86_400

/** The chart as its address has it. */
const useAsked = () => {
  const { by, compare, from, period = "24h", to } = useSearch({ from: "/shell/monitors/$id" })
  const seconds = periods[period]
  const chosen = useMemo(() => (from === undefined || to === undefined ? undefined : { from, to }), [from, to])
  const length = chosen === undefined ? seconds : chosen.to - chosen.from
  // A whole number of weeks, so that days of the week lie on each other.
  const ago = Math.ceil(length / week) * week
  return {
    by,
    period,
    chosen,
    length,
    ago,
    isCompared: compare === true && by === undefined,
    asked: { seconds, chosen } as Asked
  }
}

const words = (ago: number) => ({
  median: t("Median"),
  p95: t("95th percentile"),
  before: ago === week ? t("Median a week before") : t("Median {duration} before", { duration: duration(ago) })
})

/** The lines of the chart; undefined while they are asked for. */
const useLines = (
  { id, interval }: MonitorRecord,
  { ago, asked, by, isCompared, length }: ReturnType<typeof useAsked>
) => {
  const { project } = useProjectData()
  const isKept = by === "phase" || (by === undefined && !isExact(length, interval))
  const earlier = { ...asked, ago }
  const placeholderData = keepPreviousData
  const { data: times } = useQuery({ ...timesQuery(project, id, asked), enabled: !isKept, placeholderData })
  const { data: kept } = useQuery({ ...phasesQuery(project, id, asked), enabled: isKept, placeholderData })
  const { data: timesBefore } = useQuery({ ...timesQuery(project, id, earlier), enabled: isCompared && !isKept })
  const { data: keptBefore } = useQuery({ ...phasesQuery(project, id, earlier), enabled: isCompared && isKept })
  return useMemo(() => {
    if (by === "phase")
      return kept && { span: kept.span, ...phasesOf(kept.report, stages, (stage) => t(stageNames[stage])) }
    if (isKept)
      return (
        kept && {
          span: kept.span,
          ...keptSpreadOf(kept.report, words(ago), isCompared ? keptBefore?.report : undefined)
        }
      )
    if (times === undefined) return undefined
    const { points, span } = times
    const before = isCompared && timesBefore !== undefined ? { points: timesBefore.points, ago } : undefined
    return {
      span,
      ...(by === "region" ? regionsOf(points, span, interval) : spreadOf(points, span, interval, words(ago), before))
    }
  }, [by, isKept, isCompared, ago, interval, times, kept, timesBefore, keptBefore])
}

const kinds = {
  down: { tone: "down", word: "Down" },
  degraded: { tone: "degraded", word: "Degraded" },
  incident: { tone: "degraded", word: "Incident" },
  maintenance: { tone: "maintenance", word: "Maintenance" }
} as const satisfies Record<Marked["kind"], { readonly tone: string; readonly word: Text }>

const titles = {
  all: "Response time",
  region: "Response time by region",
  phase: "Median response time by phase"
} as const satisfies Record<string, Text>

const shownMarks = 4

/** The marks in words, the newest first. A line that is always there, so that nothing moves when they are known. */
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
  return (
    <details className="text-small text-soft">
      <summary className="min-h-9 w-fit cursor-pointer content-center pointer-coarse:min-h-11">
        {t("Marked in the chart")} · <Count value={marks.length} />
      </summary>
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
    </details>
  )
}

/** The outages, incidents and maintenance of the span. */
const useMarked = (monitor: MonitorRecord, asked: Asked, span: Span | undefined) => {
  const { project } = useProjectData()
  const { data: outages } = useQuery(outagesIn(project, monitor.id, asked))
  const { data: incidents } = useQuery(incidentsQuery(project))
  return useMemo(
    () => (span === undefined ? [] : marksOf(monitor, outages ?? [], incidents ?? [], span)),
    [monitor, outages, incidents, span]
  )
}

export const ResponseTimes = ({ monitor }: { readonly monitor: MonitorRecord }) => {
  const navigate = useNavigate({ from: "/monitors/$id" })
  const chart = useAsked()
  const { asked, by, chosen, isCompared, period } = chart
  const shown = useLines(monitor, chart)
  const marked = useMarked(monitor, asked, shown?.span)
  const marks = useMemo(
    () =>
      marked.map(({ from, kind, text, to }): Mark => ({
        from,
        to,
        tone: kind,
        text: [t(kinds[kind].word), text].filter((part) => part !== "").join(": ")
      })),
    [marked]
  )
  const change = (part: Partial<Record<keyof MonitorSearch, unknown>>) =>
    void navigate({
      search: (known) => ({ ...known, ...part }) as MonitorSearch,
      replace: true,
      resetScroll: false
    })
  return (
    <Section
      title={t("Response time")}
      actions={
        <div className="flex flex-wrap gap-2">
          <Segments
            label={t("Split")}
            options={[
              { id: "all", label: t("Spread") },
              { id: "region", label: t("By region") },
              { id: "phase", label: t("By phase") }
            ]}
            value={by ?? "all"}
            onChange={(id) => change({ by: id === "all" ? undefined : id })}
          />
          <Segments
            label={t("Period")}
            options={periodOptions()}
            value={chosen === undefined ? period : ""}
            onChange={(id) => isPeriod(id) && change({ period: id, from: undefined, to: undefined })}
          />
        </div>
      }
    >
      {shown === undefined ? (
        <div aria-busy className="min-h-74" />
      ) : shown.lines.every(({ values }) => values.every((value) => value === null)) ? (
        <p className="grid min-h-74 place-content-center text-soft">{t("No results in this period")}</p>
      ) : (
        <Suspense fallback={<div aria-busy className="min-h-74" />}>
          <Chart
            label={t(titles[by ?? "all"])}
            name={`${monitor.name} ${chosen === undefined ? period : ""}`.trim()}
            times={shown.times}
            lines={shown.lines}
            span={shown.span}
            format={millis}
            marks={marks}
            isStacked={by === "phase"}
            onSelect={({ from, to }) => to - from >= 60 && change({ from: Math.floor(from), to: Math.ceil(to) })}
          />
        </Suspense>
      )}
      <div className="flex min-h-9 flex-wrap items-center gap-x-4">
        {by === undefined && (
          <Switch isSelected={isCompared} onChange={(is) => change({ compare: is || undefined })}>
            {t("Compare with before")}
          </Switch>
        )}
        {chosen !== undefined && (
          <Button onPress={() => change({ from: undefined, to: undefined })}>{t("Show all")}</Button>
        )}
      </div>
      <MarkList marks={marked} />
    </Section>
  )
}
