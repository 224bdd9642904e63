/** On-call duty in figures: what it costs people, how fast alerts are handled, and which monitors page most. */
import type { OnCallAnalytics } from "@kanmon/protocol/AnalyticsBody"
import { useSummary } from "../../live/MonitorStore.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { formatLocale, t } from "../../locales/text.ts"
import { RouteLink } from "../../ui/Button.tsx"
import { EmptyState } from "../../ui/Notice.tsx"
import { Count, Duration, Figure, NoFigure } from "../../ui/Quantity.tsx"
import { Section } from "../../ui/Section.tsx"

type Analytics = typeof OnCallAnalytics.Encoded
type Monitor = Analytics["noisiestMonitors"][number]

const Time = ({ seconds }: { readonly seconds: number | null }) =>
  seconds === null ? <NoFigure>{t("No data yet")}</NoFigure> : <Duration seconds={seconds} />

const hours = (seconds: number): string =>
  new Intl.NumberFormat(formatLocale(), {
    style: "unit",
    unit: "hour",
    unitDisplay: "short",
    maximumFractionDigits: 1
  }).format(seconds / 3600)

const headClass =
  "w-[23%] py-2 ps-2 text-end text-small font-medium hyphens-auto text-soft first:w-auto first:ps-0 first:text-start sm:w-32"
const cellClass = "py-2.5 ps-2 text-end tabular-nums"

const People = ({ people, sees }: { readonly people: Analytics["people"]; readonly sees: "all" | "self" }) => (
  <Section title={t("People")}>
    <p className="text-small text-soft">
      {sees === "all"
        ? t("You see everybody, as an administrator. Others see themselves alone.")
        : t("You see yourself alone. Administrators see everybody.")}
    </p>
    {people.length === 0 ? (
      <p className="text-sm text-soft">
        {sees === "all"
          ? t("No one was on call or paged in this period.")
          : t("You were neither on call nor paged in this period.")}
      </p>
    ) : (
      <table className="w-full table-fixed text-sm">
        <thead>
          <tr className="border-b border-line">
            <th scope="col" className={headClass}>
              {t("Person")}
            </th>
            <th scope="col" className={headClass}>
              {t("On call|time")}
            </th>
            <th scope="col" className={headClass}>
              {t("Pages|on-call")}
            </th>
            <th scope="col" className={headClass}>
              {t("Interrupted nights")}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {people.map(({ interruptedNights, name, onCallSeconds, pages, userId }) => (
            <tr key={userId}>
              <th scope="row" className="py-2.5 text-start font-medium break-words">
                <bdi>{name ?? t("A deleted account")}</bdi>
              </th>
              <td className={cellClass}>{hours(onCallSeconds)}</td>
              <td className={cellClass}>
                <Count value={pages} />
              </td>
              <td className={cellClass}>
                <Count value={interruptedNights} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
    <p className="text-small text-soft">
      {t("A night is interrupted by a page between 22:00 and 07:00, in the time zone of the person.")}
    </p>
  </Section>
)

const MonitorRow = ({ monitor: { alerts, monitorId, name, pages } }: { readonly monitor: Monitor }) => {
  const { store } = useProjectData()
  // Those of other projects have no page in this one.
  const known = useSummary(store, monitorId)
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 py-2.5 text-sm">
      {known === undefined ? (
        <bdi className="min-w-0 font-medium break-words">{name ?? t("A deleted monitor")}</bdi>
      ) : (
        <RouteLink
          to="/monitors/$id"
          params={{ id: known.id }}
          className="inline-flex min-w-0 items-center font-medium break-words text-ink hover:underline pointer-coarse:min-h-11"
        >
          <bdi className="min-w-0">{known.name}</bdi>
        </RouteLink>
      )}
      <span className="text-soft tabular-nums">
        {t("{count, plural, one {# page} other {# pages}}", { count: pages })} ·{" "}
        {t("{count, plural, one {# alert} other {# alerts}}", { count: alerts })}
      </span>
    </li>
  )
}

export const Figures = ({ figures, sees }: { readonly figures: Analytics; readonly sees: "all" | "self" }) => {
  const { noisiestMonitors, people, timeToAcknowledge, timeToResolve } = figures
  if (people.length === 0 && noisiestMonitors.length === 0 && timeToResolve.alerts + timeToAcknowledge.alerts === 0)
    return (
      <EmptyState title={t("Nothing to count in this period")}>
        {sees === "all"
          ? t("No one was on call, and no alert escalated.")
          : t("You were not on call, and no alert escalated. Administrators see everybody.")}
      </EmptyState>
    )
  return (
    <>
      <Section title={t("Alerts with an escalation")}>
        {timeToAcknowledge.alerts + timeToResolve.alerts === 0 ? (
          <p className="text-sm text-soft">{t("None that opened in this period was acknowledged or resolved.")}</p>
        ) : (
          <>
            <dl className="grid grid-cols-2 items-start gap-x-6 gap-y-4 sm:grid-cols-4">
              <Figure label={t("To acknowledge, half of the alerts (p50)")}>
                <Time seconds={timeToAcknowledge.p50} />
              </Figure>
              <Figure label={t("To acknowledge, nine of ten (p90)")}>
                <Time seconds={timeToAcknowledge.p90} />
              </Figure>
              <Figure label={t("To resolve, half of the alerts (p50)")}>
                <Time seconds={timeToResolve.p50} />
              </Figure>
              <Figure label={t("To resolve, nine of ten (p90)")}>
                <Time seconds={timeToResolve.p90} />
              </Figure>
            </dl>
            <p className="text-small text-soft">
              {t(
                "Of the alerts that opened in this period, {acknowledged} were acknowledged and {resolved} are over.",
                {
                  acknowledged: timeToAcknowledge.alerts.toLocaleString(formatLocale()),
                  resolved: timeToResolve.alerts.toLocaleString(formatLocale())
                }
              )}
            </p>
          </>
        )}
      </Section>
      <People people={people} sees={sees} />
      <Section title={t("Noisiest monitors")}>
        {noisiestMonitors.length === 0 ? (
          <p className="text-sm text-soft">{t("No monitor paged anybody in this period.")}</p>
        ) : (
          <ol aria-label={t("Noisiest monitors")} className="-my-1 divide-y divide-line">
            {noisiestMonitors.map((monitor) => (
              <MonitorRow key={monitor.monitorId} monitor={monitor} />
            ))}
          </ol>
        )}
      </Section>
    </>
  )
}
