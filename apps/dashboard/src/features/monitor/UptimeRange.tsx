/** The uptime of any range, with the intervals that it is made of. */
import type { TimelineStatus } from "@kanmon/domain/Status"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useProjectData } from "../../live/ProjectData.tsx"
import { formatLocale, t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { TextField } from "../../ui/Field.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Duration, Figure, Quantity } from "../../ui/Quantity.tsx"
import { Section } from "../../ui/Section.tsx"
import { Shape, type Status, toneOf, wordOf } from "../../ui/Status.tsx"
import { Moment } from "../../ui/Time.tsx"
import { type Uptime, uptimeQuery } from "./queries.ts"

const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)

type Timeline = typeof TimelineStatus.Type
type Interval = Uptime["intervals"][number]

const shape = (status: Timeline) => toneOf(status === "unknown" ? "pending" : (status satisfies Status))
const word = (status: Timeline): string => (status === "unknown" ? t("Unknown") : wordOf(status))

const fills: Readonly<Record<Interval["counted"], string>> = {
  up: "fill-good",
  down: "fill-down",
  excluded: "fill-faint/40"
}

const lengthOf = ({ from, to }: Interval): number => (Date.parse(to) - Date.parse(from)) / 1000

/** The range as one bar: each interval as wide as it is long, what was down at least wide enough to be seen. */
const Bar = ({ report }: { readonly report: Uptime }) => {
  const start = Date.parse(report.from)
  const total = Math.max(1, Date.parse(report.to) - start)
  const rect = (interval: Interval, least: number) => (
    <rect
      key={interval.from}
      x={((Date.parse(interval.from) - start) / total) * 1000}
      width={Math.max((lengthOf(interval) * 1_000_000) / total, least)}
      height="20"
      className={fills[interval.counted]}
    />
  )
  return (
    <svg viewBox="0 0 1000 20" preserveAspectRatio="none" className="h-5 w-full rounded-sm" aria-hidden="true">
      {report.intervals.filter(({ counted }) => counted !== "down").map((each) => rect(each, 0))}
      {report.intervals.filter(({ counted }) => counted === "down").map((each) => rect(each, 3))}
    </svg>
  )
}

const firstRows = 10

const Intervals = ({ report }: { readonly report: Uptime }) => {
  const [isAll, setAll] = useState(false)
  const newest = report.intervals.toReversed()
  const shown = isAll ? newest : newest.slice(0, firstRows)
  return (
    <>
      <ul aria-label={t("How the uptime is calculated")} className="flex flex-col divide-y divide-line text-sm">
        {shown.map((interval) => (
          <li
            key={interval.from}
            className="grid grid-cols-[1fr_auto] items-center gap-x-3 gap-y-0.5 py-2 sm:grid-cols-[1fr_12rem_1fr_1fr]"
          >
            <span className="flex items-center gap-2 font-medium">
              <Shape tone={shape(interval.status)} />
              {word(interval.status)}
            </span>
            <span className="text-end sm:order-last">
              <Duration seconds={lengthOf(interval)} />
            </span>
            <span className="text-soft">
              <Moment at={interval.from} />
            </span>
            <span className="text-end text-soft sm:text-start">
              {interval.counted === "excluded" ? t("does not count") : ""}
            </span>
          </li>
        ))}
      </ul>
      {!isAll && newest.length > firstRows && (
        <Button onPress={() => setAll(true)} className="self-start">
          {t("Show all {count}", { count: newest.length.toLocaleString(formatLocale()) })}
        </Button>
      )}
    </>
  )
}

export const UptimeRange = ({ id }: { readonly id: string }) => {
  const { project } = useProjectData()
  const [from, setFrom] = useState(() => day(30))
  const [to, setTo] = useState(() => day(0))
  const { data, error } = useQuery({
    ...uptimeQuery(project, id, from, to),
    enabled: from !== "" && to !== "",
    placeholderData: (before) => before,
    retry: false
  })
  return (
    <Section title={t("Uptime of a range")}>
      <div className="grid grid-cols-2 gap-3 sm:max-w-sm">
        <TextField label={t("From")} type="date" value={from} onChange={setFrom} />
        <TextField label={t("To (UTC)")} type="date" value={to} onChange={setTo} />
      </div>
      {error !== null && <Notice>{error.message}</Notice>}
      {data !== undefined && error === null && (
        <>
          <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:flex sm:flex-wrap sm:gap-x-12">
            <Figure label={t("Uptime")}>
              <Quantity as="percent" value={data.uptime} />
            </Figure>
            <Figure label={t("Up")}>
              <Duration seconds={data.upSeconds} />
            </Figure>
            <Figure label={t("Down")}>
              <Duration seconds={data.downSeconds} />
            </Figure>
            <Figure label={t("Does not count")}>
              <Duration seconds={data.excludedSeconds} />
            </Figure>
          </dl>
          <Bar report={data} />
          <Intervals report={data} />
        </>
      )}
    </Section>
  )
}
