/** The events of one alert in order: the failing checks, its opening, every delivery, its handling, its end. */
import { useQueries, useQuery } from "@tanstack/react-query"
import { Fragment, type ReactNode } from "react"
import { useFirsts } from "../../api/Parts.tsx"
import { useProjectData } from "../../live/ProjectData.tsx"
import { actorWords } from "../../locales/actors.ts"
import { regionName } from "../../locales/regionName.ts"
import { reasonText } from "../../locales/reasons.ts"
import { t } from "../../locales/text.ts"
import { useHeldBy } from "../../ui/held.ts"
import { Shape, StatusDot, type Tone } from "../../ui/Status.tsx"
import { Moment } from "../../ui/Time.tsx"
import { Waiting } from "../../ui/Waiting.tsx"
import { timelineQuery } from "./escalation.ts"
import { wordsOf } from "./escalationWords.tsx"
import { type AlertRecord, channelNamesQuery, deliveriesQuery, type DeliveryRecord, votesQuery } from "./queries.ts"
import { givenReason, triggerOf } from "./words.ts"

interface Entry {
  readonly key: string
  readonly at: string
  readonly tone: Tone
  readonly title: ReactNode
  readonly body?: ReactNode
}

const keyOf = ({ key }: Entry): string => key

const Votes = ({ alert }: { readonly alert: AlertRecord }) => {
  const { project } = useProjectData()
  const { data } = useQuery(votesQuery(project, alert))
  if (data == null) return null
  return (
    <ul aria-label={t("The answer of each region")} className="mt-1 flex flex-col gap-1">
      {[data, ...data.votes].map(({ failure, region, status }) => (
        <li key={region} className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-medium">{regionName(region)}</span>
          {status === "unknown" ? t("Unknown") : <StatusDot status={status} />}
          {failure !== null && failure.message !== alert.reason && <bdi className="min-w-0">{reasonText(failure)}</bdi>}
        </li>
      ))}
    </ul>
  )
}

const tones = { delivered: "up", retrying: "degraded", failed: "down" } as const

const entriesOf = (delivery: DeliveryRecord, channel: string): ReadonlyArray<Entry> =>
  delivery.attempts.map(({ at, detail, outcome, recipient }, index) => ({
    key: `${delivery.id} ${index}`,
    at,
    tone: tones[outcome],
    title:
      outcome === "delivered"
        ? t("Notification delivered to {channel}", { channel })
        : outcome === "failed"
          ? t("Notification to {channel} failed", { channel })
          : t("Notification to {channel} failed; it is tried again", { channel }),
    body:
      detail === "" && recipient === null ? undefined : (
        <bdi>{recipient === null ? detail : `${recipient}: ${detail}`}</bdi>
      )
  }))

export const Timeline = ({ alert }: { readonly alert: AlertRecord }) => {
  const { project } = useProjectData()
  const entries = alert.entries.filter(({ channelId }) => channelId !== null)
  const queries = entries.map(({ id }) => deliveriesQuery(project, id))
  useFirsts(channelNamesQuery(project), timelineQuery(project, alert.id), votesQuery(project, alert), ...queries)
  const { data: channels } = useQuery(channelNamesQuery(project))
  const { data: timeline } = useQuery(timelineQuery(project, alert.id))
  const deliveries = useQueries({ queries })
  const found: Array<Entry> = [
    { key: "started", at: alert.startedAt, tone: "degraded", title: t("The condition began") },
    {
      key: "opened",
      at: alert.openedAt,
      tone: "down",
      title: t("The alert opened: {trigger}", { trigger: triggerOf(alert) }),
      body: (
        <>
          <bdi>{givenReason(alert)}</bdi>
          <Votes alert={alert} />
        </>
      )
    },
    ...deliveries.flatMap(({ data = [] }, index) =>
      data.flatMap((delivery) =>
        entriesOf(delivery, channels?.get(entries[index]?.channelId ?? "") ?? t("A deleted channel"))
      )
    )
  ]
  for (const [index, entry] of (timeline ?? []).entries()) {
    const words = wordsOf(entry)
    if (words !== undefined) found.push({ key: `${entry.type} ${entry.page?.id ?? index}`, at: entry.at, ...words })
  }
  // Until its time line is there, and where an old one is not kept.
  if (alert.acknowledgedAt !== null && timeline?.some(({ type }) => type === "acknowledged") !== true)
    found.push({
      key: "acknowledged",
      at: alert.acknowledgedAt,
      tone: "quiet",
      title: t("Acknowledged by {name}", { name: actorWords(alert.acknowledgedBy) }),
      body: alert.note === null ? undefined : <bdi className="whitespace-pre-line">{alert.note}</bdi>
    })
  if (alert.resolvedAt !== null) found.push({ key: "resolved", at: alert.resolvedAt, tone: "up", title: t("Resolved") })
  const waiting = deliveries.flatMap(({ data = [] }) => data).filter(({ nextAttemptAt }) => nextAttemptAt !== null)
  found.sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
  const held = useHeldBy(found, keyOf)
  return (
    <>
      <Waiting held={held} />
      <ol className="flex flex-col">
        {held.rows.map(({ at, body, key, title, tone }) => (
          <li key={key} className="relative flex gap-3 pb-5 last:pb-0">
            <span className="absolute start-[0.4375rem] top-6 bottom-1 w-px bg-line in-[li:last-child]:hidden" />
            <Shape tone={tone} className="mt-1" />
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap justify-between gap-x-4">
                <bdi className="font-medium">{title}</bdi>
                <span className="text-sm text-soft">
                  <Moment at={at} />
                </span>
              </p>
              {body !== undefined && <div className="text-sm text-soft">{body}</div>}
            </div>
          </li>
        ))}
      </ol>
      {waiting.map(({ id, nextAttemptAt }) => (
        <Fragment key={id}>
          {nextAttemptAt !== null && (
            <p className="mt-4 text-sm text-soft">
              {t("Next delivery attempt")}: <Moment at={nextAttemptAt} />
            </p>
          )}
        </Fragment>
      ))}
      {entries.length === 0 && alert.escalation === null && (
        <p className="mt-4 text-sm text-soft">{t("No channel was notified: the rule has none.")}</p>
      )}
    </>
  )
}
