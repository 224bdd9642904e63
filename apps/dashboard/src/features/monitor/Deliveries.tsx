/** Every notification of one alert to one channel, with every attempt and what the destination said. */
import { useQuery } from "@tanstack/react-query"
import { useProjectData } from "../../live/ProjectData.tsx"
import { millis } from "../../locales/time.ts"
import { t, type Text } from "../../locales/text.ts"
import { HeldList } from "../../ui/HeldList.tsx"
import { Shape } from "../../ui/Status.tsx"
import { Moment } from "../../ui/Time.tsx"
import { type DeliveryRecord, deliveriesQuery, namesQuery } from "./queries.ts"

const outcomes = {
  delivered: { word: "Delivered", tone: "up" },
  retrying: { word: "Will be tried again", tone: "degraded" },
  failed: { word: "Failed", tone: "down" }
} as const

const words: Readonly<Record<DeliveryRecord["status"], Text>> = {
  pending: "Pending",
  delivered: "Delivered",
  failed: "Failed",
  merged: "Sent with a later message"
}

const events: Readonly<Record<string, Text>> = {
  monitor_down: "Down",
  monitor_up: "Up again",
  monitor_degraded: "Degraded",
  monitor_degraded_recovered: "Up again"
}

const eventName = (event: string): string => {
  const known = events[event]
  return known === undefined ? event : t(known)
}

/** An attempt makes an entry higher. */
const shapeOf = ({ attempts, id, nextAttemptAt, status }: DeliveryRecord): string =>
  `${id} ${status} ${attempts.length} ${nextAttemptAt === null}`

const DeliveryEntry = ({ delivery }: { readonly delivery: DeliveryRecord }) => {
  const { attempts, error, event, nextAttemptAt, sharedWith, status } = delivery
  return (
    <>
      <p className="font-medium">
        {eventName(event)} · {t(words[status])}
      </p>
      {sharedWith !== null && <p className="text-soft">{t("The channel was told of this outage already.")}</p>}
      {attempts.length === 0 && error !== null && <bdi className="text-soft">{error}</bdi>}
      <ol className="flex flex-col gap-1">
        {attempts.map(({ at, detail, duration, outcome, recipient }) => (
          <li key={`${at} ${recipient}`} className="flex items-start gap-2">
            <Shape tone={outcomes[outcome].tone} className="mt-0.5" />
            <span className="min-w-0">
              {t(outcomes[outcome].word)} · <Moment at={at} /> · {millis(duration)}
              {recipient !== null && <bdi className="block break-all">{recipient}</bdi>}
              {detail !== "" && <bdi className="block break-all text-soft">{detail}</bdi>}
            </span>
          </li>
        ))}
      </ol>
      {nextAttemptAt !== null && (
        <p className="text-soft">
          {t("Next attempt")}: <Moment at={nextAttemptAt} />
        </p>
      )}
    </>
  )
}

export const Deliveries = ({ channelId, entry }: { readonly entry: string; readonly channelId: string | null }) => {
  const { project } = useProjectData()
  const { data: channels } = useQuery(namesQuery(project, "notification-channels"))
  const { data, error } = useQuery({ ...deliveriesQuery(project, entry), enabled: channelId !== null })
  const name = channels?.get(channelId ?? "") ?? t("Deleted channel")
  return (
    <section className="flex min-w-0 flex-col gap-2 text-sm">
      <h3>{channelId === null ? t("The rule has no channel: nothing was sent.") : <bdi>{name}</bdi>}</h3>
      <HeldList
        label={name}
        items={data}
        keyOf={shapeOf}
        error={error}
        className="flex flex-col gap-3"
        rowClass="flex flex-col gap-1"
        empty={<p className="text-soft">{t("Nothing was sent.")}</p>}
      >
        {(delivery) => <DeliveryEntry delivery={delivery} />}
      </HeldList>
    </section>
  )
}
