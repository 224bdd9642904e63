/** The status of one monitor: a line while it is well; when it fails, a band with the reason, since when, who handles it, and the acts. */
import { Fragment, type ReactNode } from "react"
import type { MonitorRecord } from "../../live/MonitorStore.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { useQuery } from "@tanstack/react-query"
import { duration } from "../../locales/time.ts"
import { regionName } from "../../locales/regionName.ts"
import { reasonText } from "../../locales/reasons.ts"
import { t, type Text } from "../../locales/text.ts"
import { Band } from "../../ui/Band.tsx"
import { Shape, type Status, toneOf, wordOf } from "../../ui/Status.tsx"
import { Ago } from "../../ui/Time.tsx"
import { useNow } from "../../browser/now.ts"
import { outagesIn } from "./queries.ts"
import { periods } from "./views.ts"

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

/** How long it has been as it is, by its newest outage, and why; undefined when that is not known. */
const useOutage = ({ heartbeatUrl, id, status }: MonitorRecord) => {
  const { project } = useProjectData()
  const now = useNow()
  const { data } = useQuery(outagesIn(project, id, { seconds: periods["90d"] }))
  const newest = data?.[0]
  const text = lasting[status]
  if (newest === undefined || text === undefined || heartbeatUrl !== undefined) return undefined
  const since = status === "up" ? newest.endedAt : newest.endedAt === null ? newest.startedAt : null
  return since === null
    ? undefined
    : {
        lasting: t(text, { duration: duration((now - Date.parse(since)) / 1000) }),
        reason: status === "up" || newest.reason === null ? undefined : reasonText(newest.reason)
      }
}

const Facts = ({ facts }: { readonly facts: ReadonlyArray<ReactNode> }) =>
  facts.map((fact, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- the facts of one line
    <Fragment key={index}>
      {index > 0 && " · "}
      {fact}
    </Fragment>
  ))

export const StatusLine = ({
  acts,
  handled,
  monitor
}: {
  readonly monitor: MonitorRecord
  /** The handler of the open alert. */
  readonly handled?: ReactNode
  /** The actions on the open alert. */
  readonly acts?: ReactNode
}) => {
  const { interval, lastCheckedAt, lastFailure, stale, status } = monitor
  const outage = useOutage(monitor)
  const isDown = status === "down" && lastFailure !== null
  const sentence = outage?.lasting ?? sentenceOf(monitor)
  const reason = isDown ? reasonText(lastFailure) : status === "degraded" ? outage?.reason : undefined
  const facts = [
    ...(reason === undefined ? [] : [sentence]),
    ...(isDown
      ? [
          <>
            {t("Newest failure: {region}", { region: regionName(lastFailure.region) })}, <Ago at={lastFailure.at} />
          </>
        ]
      : []),
    ...(monitor.heartbeatUrl === undefined ? [t("Checked every {duration}", { duration: duration(interval) })] : []),
    ...(lastCheckedAt === null || isDown
      ? []
      : [
          <>
            {monitor.heartbeatUrl === undefined ? t("Last check") : t("Last signal")}: <Ago at={lastCheckedAt} />
          </>
        ])
  ]
  const overdue = stale && (
    <p className="mt-1 text-sm font-medium text-degraded">
      {t("A result is overdue: this is the last known status, not the present one.")}
    </p>
  )
  if (status === "down" || status === "degraded")
    return (
      <Band tone={toneOf(status)} acts={acts}>
        <p className="text-xl font-semibold tracking-tight text-balance">
          <span className="sr-only">{wordOf(status)}. </span>
          {reason === undefined ? sentence : <bdi>{reason}</bdi>}
        </p>
        <p className="mt-1 text-sm text-soft">
          <Facts facts={facts} />
        </p>
        {handled !== undefined && <p className="mt-1 text-sm font-medium">{handled}</p>}
        {overdue}
      </Band>
    )
  return (
    <div className="text-sm text-soft">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Shape tone={toneOf(status)} />
        <span className="font-medium text-ink">
          <span className="sr-only">{wordOf(status)}. </span>
          {sentence}
        </span>
        <span>
          <Facts facts={facts} />
        </span>
      </p>
      {overdue}
    </div>
  )
}
