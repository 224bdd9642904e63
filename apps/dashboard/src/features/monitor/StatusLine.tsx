/** The status of one monitor in one sentence: how long it lasts, or why it is down. */
import { Fragment } from "react"
import type { MonitorRecord } from "../../live/MonitorStore.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { useQuery } from "@tanstack/react-query"
import { duration } from "../../locales/time.ts"
import { t, type Text } from "../../locales/text.ts"
import { Shape, type Status, toneOf, wordOf } from "../../ui/Status.tsx"
import { Ago } from "../../ui/Time.tsx"
import { useNow } from "../../ui/now.ts"
import { outagesIn } from "./queries.ts"

const sentences: Readonly<Record<Status, Text>> = {
  up: "This monitor is up.",
  degraded: "This monitor is degraded.",
  down: "This monitor is down.",
  maintenance: "In maintenance: alerts and uptime ignore this time.",
  paused: "This monitor is paused and not checked.",
  pending: "Waiting for the first result."
}

const sentenceOf = ({ heartbeatUrl, pausedReason, status }: MonitorRecord): string => {
  if (status === "paused" && pausedReason === "plan_limit") return t("Paused because the plan has no room for it.")
  if (status === "pending" && heartbeatUrl !== undefined) return t("Waiting for the first signal.")
  return t(sentences[status])
}

const lasting: Readonly<Partial<Record<Status, Text>>> = {
  up: "Up for {duration}",
  degraded: "Degraded for {duration}",
  down: "Down for {duration}"
}

/** How long it has been as it is, by its newest outage; undefined when that is not known. */
const useLasting = ({ heartbeatUrl, id, status }: MonitorRecord): string | undefined => {
  const { project } = useProjectData()
  const now = useNow()
  const { data } = useQuery(outagesIn(project, id, "90d"))
  const newest = data?.[0]
  const text = lasting[status]
  if (newest === undefined || text === undefined || heartbeatUrl !== undefined) return undefined
  const since = status === "up" ? newest.endedAt : newest.endedAt === null ? newest.startedAt : null
  return since === null ? undefined : t(text, { duration: duration((now - Date.parse(since)) / 1000) })
}

export const StatusLine = ({ monitor }: { readonly monitor: MonitorRecord }) => {
  const { interval, lastCheckedAt, lastFailure, stale, status } = monitor
  const failing = status === "down" && lastFailure !== null
  const sentence = useLasting(monitor) ?? sentenceOf(monitor)
  const facts = [
    ...(failing ? [sentence] : []),
    ...(failing
      ? [
          <>
            {t("Newest failure: {region}", { region: lastFailure.region })}, <Ago at={lastFailure.at} />
          </>
        ]
      : []),
    ...(monitor.heartbeatUrl === undefined ? [t("Checked every {duration}", { duration: duration(interval) })] : []),
    ...(lastCheckedAt === null || failing
      ? []
      : [
          <>
            {t("Last check")}: <Ago at={lastCheckedAt} />
          </>
        ])
  ]
  return (
    <div
      className={`is-${toneOf(status)} flex items-start gap-3.5 rounded-xl border border-[color-mix(in_srgb,var(--tone)_24%,var(--line))] bg-[color-mix(in_srgb,var(--tone)_var(--tint),var(--surface))] p-4 sm:p-5`}
    >
      <Shape tone={toneOf(status)} className="mt-0.5 size-7" />
      <div className="min-w-0 flex-1">
        <p className="text-lg leading-snug font-semibold">
          <span className="sr-only">{wordOf(status)}. </span>
          {failing ? <bdi>{lastFailure.message}</bdi> : sentence}
        </p>
        <p className="mt-0.5 text-sm text-soft">
          {facts.map((fact, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- the facts of one line
            <Fragment key={index}>
              {index > 0 && " · "}
              {fact}
            </Fragment>
          ))}
        </p>
        {stale && (
          <p className="mt-1 text-sm font-medium">
            {t("A result is overdue: this is the last known status, not the present one.")}
          </p>
        )}
      </div>
    </div>
  )
}
