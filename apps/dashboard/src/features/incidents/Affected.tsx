/**
 * The monitors that an incident affects: chosen by name and by tag, and shown with their status and their status pages.
 */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { addressOf } from "../../browser/place.ts"
import { knowsAll, nameOfMonitor, useMonitorChoices } from "../../live/names.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { t } from "../../locales/text.ts"
import { PickList } from "../../ui/PickList.tsx"
import { idOf, useHeld, useHeldBy } from "../../ui/held.ts"
import { Section } from "../../ui/Section.tsx"
import { nameLinkClass } from "../../ui/classes.ts"
import { StatusDot } from "../../ui/Status.tsx"
import { affectedOf, type IncidentRecord, pagesQuery, pagesShowing } from "./queries.ts"

type Coverage = Pick<IncidentRecord, "monitorIds" | "tags">

const maxShown = 30

/** Names of what is affected for a sentence; the service as a whole when there are none or many. */
export const useWhat = (coverage: Coverage): string => {
  const { store } = useProjectData()
  const names = affectedOf(store, coverage).map(({ name }) => name)
  return names.length === 0 || names.length > 3 || names.join("").length > 120
    ? t("our service")
    : new Intl.ListFormat(document.documentElement.lang, { type: "conjunction" }).format(names)
}

export const AffectedFields = ({
  errors,
  monitorIds,
  onMonitorIds,
  onTags,
  tags
}: {
  readonly monitorIds: ReadonlyArray<string>
  readonly tags: ReadonlyArray<string>
  readonly onMonitorIds: (ids: ReadonlyArray<string>) => void
  readonly onTags: (tags: ReadonlyArray<string>) => void
  readonly errors: Readonly<Record<string, string>>
}) => {
  const data = useProjectData()
  const { store } = data
  const monitors = useMonitorChoices()
  const unlisted = monitorIds
    .filter((id) => !store.monitors.has(id))
    .map((id) => ({ id, label: nameOfMonitor(data, id) }))
  const allTags = [...new Set([...tags, ...[...store.monitors.values()].flatMap((monitor) => monitor.tags)])].sort()
  const count = affectedOf(store, { monitorIds, tags }).length
  return (
    <section className="flex min-w-0 flex-col gap-3">
      <h2>{t("What is affected")}</h2>
      <div className="grid min-w-0 gap-4 sm:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-1">
          <h3 className="text-sm font-medium">{t("Monitors")}</h3>
          <PickList
            label={t("Monitors")}
            options={[...unlisted, ...monitors]}
            value={monitorIds}
            onChange={onMonitorIds}
            error={errors["monitorIds"]}
          />
        </div>
        {allTags.length > 0 && (
          <div className="flex min-w-0 flex-col gap-1">
            <h3 className="text-sm font-medium">{t("And every monitor with one of these tags")}</h3>
            <PickList
              label={t("Tags")}
              options={allTags.map((id) => ({ id, label: id }))}
              value={tags}
              onChange={onTags}
              error={errors["tags"]}
            />
          </div>
        )}
      </div>
      <p role="status" className="text-small text-soft">
        {monitorIds.length === 0 && tags.length === 0
          ? t("Nothing chosen: it is about the whole project, and every status page shows it.")
          : t("{count, plural, one {# monitor is affected.} other {# monitors are affected.}}", { count })}
      </p>
    </section>
  )
}

export const Affected = ({ incident }: { readonly incident: IncidentRecord }) => {
  const data = useProjectData()
  const { store } = data
  const { rows: monitors } = useHeldBy(affectedOf(store, incident), idOf)
  const deleted = !knowsAll(data) ? 0 : incident.monitorIds.filter((id) => !store.monitors.has(id)).length
  const isWhole = incident.monitorIds.length === 0 && incident.tags.length === 0
  return (
    <Section title={t("What is affected")}>
      {isWhole && <p className="text-sm text-soft">{t("The whole project")}</p>}
      {incident.tags.length > 0 && (
        <p className="flex flex-wrap items-center gap-1.5 text-sm">
          <span className="text-soft">{t("Every monitor tagged")}</span>
          {incident.tags.map((tag) => (
            <span key={tag} className="rounded-lg bg-ink/6 px-1.5 py-0.5 text-small font-medium">
              {tag}
            </span>
          ))}
        </p>
      )}
      {monitors.length > 0 && (
        <ul className="-my-1 divide-y divide-line">
          {monitors.slice(0, maxShown).map(({ id, name, status }) => (
            <li
              key={id}
              className="flex min-h-9 items-center justify-between gap-3 py-1 text-sm pointer-coarse:min-h-11"
            >
              <Link to="/monitors/$id" params={{ id }} className={nameLinkClass}>
                <bdi className="line-clamp-2">{name}</bdi>
              </Link>
              <StatusDot status={status} className="shrink-0" />
            </li>
          ))}
        </ul>
      )}
      {monitors.length > maxShown && (
        <p className="text-sm text-soft">
          {t("{count, plural, one {and # more} other {and # more}}", { count: monitors.length - maxShown })}
        </p>
      )}
      {deleted > 0 && (
        <p className="text-sm text-soft">
          {t("{count, plural, one {# deleted monitor} other {# deleted monitors}}", { count: deleted })}
        </p>
      )}
    </Section>
  )
}

export const ShownOn = ({ incident }: { readonly incident: IncidentRecord }) => {
  const { project, store } = useProjectData()
  const { data } = useQuery(pagesQuery(project))
  const { rows: pages } = useHeld(data === undefined ? undefined : pagesShowing(data, store, incident))
  if (data === undefined) return null
  return (
    <Section title={t("Shown on")}>
      {pages.length === 0 ? (
        <p className="text-sm text-soft">
          {data.length === 0
            ? t("There is no status page yet, so no visitor sees this.")
            : t("No status page shows an affected monitor, so no visitor sees this.")}
        </p>
      ) : (
        <ul className="-my-1 divide-y divide-line">
          {pages.slice(0, maxShown).map(({ id, name, slug }) => (
            <li key={id} className="py-1 text-sm">
              <a
                href={addressOf(`/status/${slug}#${incident.id}`)}
                target="_blank"
                rel="noreferrer"
                className="inline-flex max-w-full items-center py-1 no-underline hover:underline pointer-coarse:min-h-11"
              >
                <bdi className="line-clamp-2">{name}</bdi>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
