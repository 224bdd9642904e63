/** The times in which a monitor was down or degraded, newest first. */
import { useInfiniteQuery } from "@tanstack/react-query"
import { useProjectData } from "../../live/ProjectData.tsx"
import { duration } from "../../locales/time.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { classes } from "../../ui/classes.ts"
import { goneClass, useHeldBy } from "../../ui/held.ts"
import { EmptyState, Notice } from "../../ui/Notice.tsx"
import { Section } from "../../ui/Section.tsx"
import { Shape, toneOf, wordOf } from "../../ui/Status.tsx"
import { Moment } from "../../ui/Time.tsx"
import { Waiting } from "../../ui/Waiting.tsx"
import { type Outage, outagesQuery } from "./queries.ts"

const Entry = ({ isGone, outage }: { readonly outage: Outage; readonly isGone: boolean }) => {
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
    <li className={classes("flex items-start gap-2.5 py-3 text-sm", isGone && goneClass)}>
      <Shape tone={toneOf(status)} className="mt-0.5" />
      <div className="min-w-0 flex-1">
        <p>
          <span className="font-medium">{wordOf(status)}</span> · {duration(durationSeconds)}
          {endedAt === null && <span className="font-medium"> · {t("ongoing")}</span>}
        </p>
        {reason !== null && (
          <p>
            <bdi>{reason.message}</bdi>
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
      </div>
    </li>
  )
}

const none: ReadonlyArray<Outage> = []
const beganAt = ({ startedAt }: Outage): string => startedAt

export const Outages = ({ id }: { readonly id: string }) => {
  const { project } = useProjectData()
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery(outagesQuery(project, id))
  const outages = data?.pages.flatMap(({ items }) => items)
  const held = useHeldBy(outages ?? none, beganAt, {
    reset: `${outages === undefined} ${data?.pages.length ?? 0}`
  })
  return (
    <Section title={t("Outages")}>
      {outages === undefined && error !== null && <Notice>{error.message}</Notice>}
      <Waiting held={held} />
      {outages !== undefined && held.rows.length === 0 && (
        <EmptyState title={t("No outage")}>
          {t("Times in which this monitor is down or degraded appear here.")}
        </EmptyState>
      )}
      {held.rows.length > 0 && (
        <ul className="flex flex-col divide-y divide-line">
          {held.rows.map((outage) => (
            <Entry key={outage.startedAt} outage={outage} isGone={held.isGone(outage)} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button onPress={() => void fetchNextPage()} isDisabled={isFetchingNextPage} className="self-start">
          {t("Older")}
        </Button>
      )}
    </Section>
  )
}
