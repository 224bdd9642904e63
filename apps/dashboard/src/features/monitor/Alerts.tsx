/** The alerts of a monitor; each opens to every notification and every attempt to deliver it. */
import type { Trigger } from "@kanmon/domain/AlertRule"
import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { useProjectData } from "../../live/ProjectData.tsx"
import { duration } from "../../locales/time.ts"
import { actorWords } from "../../locales/actors.ts"
import { t, type Text } from "../../locales/text.ts"
import { idOf } from "../../ui/held.ts"
import { EmptyState } from "../../ui/Notice.tsx"
import { Section } from "../../ui/Section.tsx"
import { Moment } from "../../ui/Time.tsx"
import { PagedList } from "../../ui/PagedList.tsx"
import { Deliveries } from "./Deliveries.tsx"
import { OpeningRow } from "./OpeningRow.tsx"
import { type AlertRecord, alertsQuery, namesQuery } from "./queries.ts"

const triggers: Readonly<Record<typeof Trigger.Type, Text>> = {
  monitor_down: "Down",
  monitor_degraded: "Degraded",
  monitor_stale: "Results are overdue",
  ssl_expiring: "Certificate expires soon",
  ssl_expired: "Certificate has expired",
  ssl_invalid: "Certificate is not valid",
  domain_expiring: "Domain expires soon",
  domain_expired: "Domain has expired",
  external: "Alert"
}

const states = {
  open: { word: "Open", tone: "down" },
  acknowledged: { word: "Acknowledged", tone: "degraded" },
  snoozed: { word: "Snoozed", tone: "degraded" },
  resolved: { word: "Resolved", tone: "up" }
} as const

const Timeline = ({ alert }: { readonly alert: AlertRecord }) => {
  const { acknowledgedAt, acknowledgedBy, note, openedAt, resolvedAt, snoozedBy, snoozedUntil } = alert
  return (
    <ul className="flex flex-col gap-1 text-sm">
      <li>
        <Moment at={openedAt} /> · {t("Opened")}
      </li>
      {acknowledgedAt !== null && (
        <li>
          <Moment at={acknowledgedAt} /> · {t("Acknowledged by {name}", { name: actorWords(acknowledgedBy) })}
          {note !== null && (
            <>
              : <bdi>{note}</bdi>
            </>
          )}
        </li>
      )}
      {snoozedUntil !== null && (
        <li>
          {t("Snoozed by {name} until", { name: actorWords(snoozedBy) })} <Moment at={snoozedUntil} />
        </li>
      )}
      {resolvedAt !== null && (
        <li>
          <Moment at={resolvedAt} /> · {t("Resolved")}
        </li>
      )}
    </ul>
  )
}

const Entry = ({ alert }: { readonly alert: AlertRecord }) => {
  const { project } = useProjectData()
  const { data: rules } = useQuery(namesQuery(project, "alert-rules"))
  const { entries, openedAt, reason, resolvedAt, ruleId, state, trigger } = alert
  const failed = entries.some(({ status }) => status === "failed")
  const details = () => (
    <div className="flex min-w-0 flex-col gap-4 pb-4 sm:ps-7">
      <Timeline alert={alert} />
      {entries.map(({ channelId, id }) => (
        <Deliveries key={id} entry={id} channelId={channelId} />
      ))}
    </div>
  )
  return (
    <OpeningRow tone={states[state].tone} details={details} className="py-3">
      <span className="flex flex-wrap gap-x-2">
        <span className="font-medium">{t(triggers[trigger])}</span>
        <span>{t(states[state].word)}</span>
        <span className="text-soft">
          <Moment at={openedAt} />
        </span>
        {resolvedAt !== null && (
          <span className="text-soft">{duration((Date.parse(resolvedAt) - Date.parse(openedAt)) / 1000)}</span>
        )}
        {failed && <span className="font-medium text-down">{t("Not delivered")}</span>}
      </span>
      <bdi className="block">{reason}</bdi>
      <span className="block text-soft">
        {t("Rule")}: <bdi>{rules?.get(ruleId ?? "") ?? "–"}</bdi>
      </span>
    </OpeningRow>
  )
}

export const Alerts = ({ id }: { readonly id: string }) => {
  const { project } = useProjectData()
  return (
    <Section title={t("Alerts")}>
      <PagedList
        more={t("Older")}
        query={useInfiniteQuery(alertsQuery(project, id))}
        keyOf={idOf}
        label={t("Alerts")}
        empty={
          <EmptyState title={t("No alerts")}>
            {t("A rule opens an alert when its condition holds. Whom it notified, and how that went, appears here.")}
          </EmptyState>
        }
      >
        {(alert) => <Entry alert={alert} />}
      </PagedList>
    </Section>
  )
}
