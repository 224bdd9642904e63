/** The project in one sentence, what is overdue or offline, and incidents and maintenance. */
import { Link } from "@tanstack/react-router"
import { isPast } from "../../browser/now.ts"
import { t } from "../../locales/text.ts"
import { useHeldBy, useHeldShape } from "../../ui/held.ts"
import { order, Shape, toneOf, wordOf } from "../../ui/Status.tsx"
import { Ago, Range } from "../../ui/Time.tsx"
import { Count } from "../../ui/Quantity.tsx"
import type { OverviewRecord } from "./queries.ts"
import { listClass, nameLinkClass, tonedClass } from "../../ui/classes.ts"

/** Whether the figures can be trusted. Its line is always there: nothing below it moves when a doubt comes. */
const Trust = ({ overview: { offlineRegions, stale } }: { readonly overview: OverviewRecord }) => {
  const doubts = [
    stale > 0 &&
      t("{count, plural, one {The results of # monitor are overdue.} other {The results of # monitors are overdue.}}", {
        count: stale
      }),
    offlineRegions.length > 0 &&
      t("No probe is online in: {regions}. Its results count as unknown until it is back.", {
        regions: offlineRegions.join(", ")
      })
  ].filter(Boolean)
  const sound = isPast() ? t("All results were current.") : t("All results are current.")
  return (
    <p role="status" className={`text-sm ${doubts.length > 0 ? "font-medium text-degraded" : "text-soft"}`}>
      {doubts.length > 0 ? doubts.join(" ") : sound}
    </p>
  )
}

/** The state of all monitors in one sentence. */
export const Sentence = ({ overview }: { readonly overview: OverviewRecord }) => {
  const { byStatus, monitors } = overview
  // A status that appears or goes moves the links behind it.
  const { rows: statuses } = useHeldBy(
    order.filter((status) => byStatus[status] > 0),
    String
  )
  const tone = byStatus.down > 0 ? "down" : byStatus.degraded > 0 ? "degraded" : byStatus.up > 0 ? "up" : "quiet"
  const text =
    byStatus.down > 0
      ? t("{count, plural, one {# monitor is down.} other {# monitors are down.}}", { count: byStatus.down })
      : byStatus.degraded > 0
        ? t("{count, plural, one {# monitor is degraded.} other {# monitors are degraded.}}", {
            count: byStatus.degraded
          })
        : byStatus.up === monitors
          ? t("{count, plural, one {Your monitor is up.} other {All # monitors are up.}}", { count: monitors })
          : t("No monitor is down.")
  return (
    <section className={`is-${tone} flex flex-wrap items-center justify-between gap-x-8 gap-y-3 ${tonedClass}`}>
      <div className="flex min-w-0 flex-col gap-1">
        <h2 className="flex items-start gap-3 text-lg">
          <Shape tone={tone} className="size-7" />
          <span aria-live="polite">{text}</span>
        </h2>
        <div className="ps-10">
          <Trust overview={overview} />
        </div>
      </div>
      <ul className="-mx-2 flex flex-wrap gap-x-2">
        {statuses.map((status) => (
          <li key={status}>
            <Link
              to="/monitors"
              search={{ status }}
              className="flex min-h-8 items-center gap-1.5 rounded-lg px-2 text-sm no-underline hover:bg-ink/6 pointer-coarse:min-h-11"
            >
              <Shape tone={toneOf(status)} />
              {wordOf(status)}{" "}
              <span className="font-medium">
                <Count value={byStatus[status]} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

const Title = ({ id, title }: { readonly id: string; readonly title: string }) => (
  <p className="font-medium">
    <Link to="/incidents/$id" params={{ id }} className={nameLinkClass}>
      <bdi className="line-clamp-2">{title}</bdi>
    </Link>
  </p>
)

const Window = ({
  text,
  window
}: {
  readonly text: string
  readonly window: OverviewRecord["maintenance"]["now"][number]
}) => (
  <li className="flex items-start gap-3 px-2 py-3">
    <Shape tone="maintenance" className="mt-1" />
    <div className="min-w-0">
      <Title id={window.id} title={window.title} />
      <p className="text-sm text-soft">
        {text} · <Range from={window.scheduledStart} to={window.scheduledEnd} />
      </p>
    </div>
  </li>
)

const communicatedIn = ({ activeIncidents, maintenance: { next, now } }: OverviewRecord): string =>
  [...activeIncidents, ...now, ...(next === null ? [] : [next])].map(({ id }) => id).join(" ")

/** Unresolved incidents, and maintenance now and next. Nothing when there is none. */
export const Communicated = ({ overview }: { readonly overview: OverviewRecord }) => {
  // The alerts below it would move.
  const { activeIncidents, maintenance } = useHeldShape(overview, communicatedIn(overview)).value
  const { next, now } = maintenance
  if (activeIncidents.length === 0 && now.length === 0 && next === null) return null
  return (
    <section className="flex flex-col gap-2">
      <h2 className="flex min-h-8 items-center">{t("Incidents and maintenance")}</h2>
      <ul className={listClass}>
        {activeIncidents.map(({ id, startedAt, status, title }) => (
          <li key={id} className="flex items-start gap-3 px-2 py-3">
            <Shape tone={status === "monitoring" ? "degraded" : "down"} className="mt-1" />
            <div className="min-w-0">
              <Title id={id} title={title} />
              <p className="text-sm text-soft">
                {t(progress[status])} · <Ago at={startedAt} />
              </p>
            </div>
          </li>
        ))}
        {now.map((window) => (
          <Window key={window.id} window={window} text={t("In progress")} />
        ))}
        {next !== null && <Window window={next} text={t("Next")} />}
      </ul>
    </section>
  )
}

const progress = {
  investigating: "Investigating",
  identified: "Identified",
  monitoring: "Monitoring",
  resolved: "Resolved"
} as const
