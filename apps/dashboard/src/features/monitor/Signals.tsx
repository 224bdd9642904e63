/** How a job reports to a heartbeat monitor, and the metrics that it sent. Its runs are in the check log. */
import { useQuery } from "@tanstack/react-query"
import { lazy, Suspense, useMemo, useState } from "react"
import { useProjectData } from "../../live/ProjectData.tsx"
import { formatLocale, t } from "../../locales/text.ts"
import { Segments } from "../../ui/Choice.tsx"
import { CopyButton } from "../../ui/CopyButton.tsx"
import { seriesColour } from "../../ui/chart/colours.ts"
import { Section } from "../../ui/Section.tsx"
import { metricsQuery } from "./queries.ts"
import { periodOptions } from "./ResponseTimes.tsx"
import { isPeriod, type Period } from "./views.ts"

const Chart = lazy(async () => ({ default: (await import("../../ui/Chart.tsx")).Chart }))

/** Bounded in time, and silent on success: cron mails each output. */
const call = (address: string): string => `curl -fsS -m 10 --retry 5 ${address} >/dev/null`

const lines = {
  end: call,
  cron: (url: string) => `30 3 * * *  ${call(`${url}/start`)}; /path/to/job; ${call(`${url}/$?`)}`,
  metrics: (url: string) => call(`"${url}?m.rows=1200"`)
} as const

type Example = keyof typeof lines

const isExample = (id: string): id is Example => id in lines

export const Signal = ({ url }: { readonly url: string }) => {
  const [example, setExample] = useState<Example>("end")
  const line = lines[example](url)
  return (
    <Section
      title={t("Send a signal from your job")}
      actions={
        <Segments
          label={t("Example")}
          options={[
            { id: "end", label: "curl" },
            { id: "cron", label: "cron" },
            { id: "metrics", label: t("With a metric") }
          ]}
          value={example}
          onChange={(id) => isExample(id) && setExample(id)}
        />
      }
    >
      <p className="text-soft">
        {example === "cron"
          ? t("Reports the start and the exit code: Kanmon then knows how long each run took and which one failed.")
          : t("Add this to the end of the job. Every call is a signal; a missing one is an outage.")}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <code className="min-w-0 flex-1 basis-64 rounded-lg bg-ink/6 px-3 py-2 text-small break-all">{line}</code>
        <CopyButton text={line} />
      </div>
    </Section>
  )
}

const number = (value: number): string => value.toLocaleString(formatLocale(), { maximumFractionDigits: 2 })

/** The numbers that came with the signals; nothing when none did. */
export const Metrics = ({ id }: { readonly id: string }) => {
  const { project } = useProjectData()
  const [period, setPeriod] = useState<Period>("7d")
  const { data } = useQuery({ ...metricsQuery(project, id, period), placeholderData: (before) => before })
  const shown = useMemo(() => {
    const names = [...new Set(data?.flatMap(({ metrics }) => Object.keys(metrics)))].toSorted()
    return {
      times: (data ?? []).map(({ timestamp }) => Math.round(Date.parse(timestamp) / 1000)),
      lines: names.map((label, index) => ({
        label,
        colour: seriesColour(index),
        values: (data ?? []).map(({ metrics }) => metrics[label] ?? null)
      }))
    }
  }, [data])
  if (data === undefined || (data.length === 0 && period === "7d")) return null
  return (
    <Section
      title={t("Metrics of the job")}
      actions={
        <Segments
          label={t("Period")}
          options={periodOptions()}
          value={period}
          onChange={(id) => isPeriod(id) && setPeriod(id)}
        />
      }
    >
      {shown.times.length === 0 ? (
        <p className="py-10 text-center text-soft">{t("No results in this period")}</p>
      ) : (
        <Suspense fallback={<div aria-busy className="min-h-56" />}>
          <Chart label={t("Metrics of the job")} times={shown.times} lines={shown.lines} format={number} />
        </Suspense>
      )}
    </Section>
  )
}
