/** The times in which a monitor was down or degraded, newest first. */
import { useInfiniteQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useProjectData } from "../../live/ProjectData.tsx"
import { reasonText } from "../../locales/reasons.ts"
import { t } from "../../locales/text.ts"
import { EmptyState } from "../../ui/Notice.tsx"
import { Duration } from "../../ui/Quantity.tsx"
import { Section } from "../../ui/Section.tsx"
import { Shape, toneOf, wordOf } from "../../ui/Status.tsx"
import { Moment } from "../../ui/Time.tsx"
import { PagedList } from "../../ui/PagedList.tsx"
import { type Outage, outagesQuery } from "./queries.ts"

/** A minute later most outages had been noticed. */
const knownAt = (startedAt: string): string =>
  new Date(Math.min(Date.parse(startedAt) + 60_000, Date.now())).toISOString()

const Entry = ({ outage }: { readonly outage: Outage }) => {
  const { acknowledgedBy, alertIds, durationSeconds, endedAt, incidentIds, reason, regions, startedAt, status } = outage
  const facts = [
    ...(regions.length === 0 ? [] : [regions.join(", ")]),
    ...(alertIds.length === 0
      ? []
      : [t("{count, plural, one {# alert} other {# alerts}}", { count: alertIds.length })]),
    ...(incidentIds.length === 0
      ? []
      : [t("{count, plural, one {# incident} other {# incidents}}", { count: incidentIds.length })]),
    ...(acknowledgedBy === null ? [] : [t("acknowledged by {name}", { name: acknowledgedBy })])
  ]
  return (
    <>
      <Shape tone={toneOf(status)} className="mt-0.5" />
      <div className="min-w-0 flex-1">
        <p>
          <span className="font-medium">{wordOf(status)}</span> · <Duration seconds={durationSeconds} />
          {endedAt === null && <span className="font-medium"> · {t("ongoing")}</span>}
        </p>
        {reason !== null && (
          <p>
            <bdi>{reasonText(reason)}</bdi>
          </p>
        )}
        <p className="text-soft">
          <Moment at={startedAt} />
          {endedAt !== null && (
            <>
              {" – "}
              <Moment at={endedAt} />
            </>
          )}
        </p>
        {facts.length > 0 && <p className="text-soft">{facts.join(" · ")}</p>}
        <Link
          to="/"
          search={{ at: knownAt(startedAt) }}
          className="inline-flex items-center text-accent underline underline-offset-3 pointer-coarse:min-h-11"
        >
          {t("What did we know then?")}
        </Link>
      </div>
    </>
  )
}

const beganAt = ({ startedAt }: Outage): string => startedAt

export const Outages = ({ id }: { readonly id: string }) => {
  const { project } = useProjectData()
  return (
    <Section title={t("Outages")}>
      <PagedList
        more={t("Older")}
        query={useInfiniteQuery(outagesQuery(project, id))}
        keyOf={beganAt}
        label={t("Outages")}
        rowClass="flex items-start gap-2.5 py-3 text-sm"
        empty={
          <EmptyState title={t("No outage")}>
            {t("Times in which this monitor is down or degraded appear here.")}
          </EmptyState>
        }
      >
        {(outage) => <Entry outage={outage} />}
      </PagedList>
    </Section>
  )
}
