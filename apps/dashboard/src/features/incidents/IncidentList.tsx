/** A list of incidents or maintenance windows with their state, time and affected monitors. */
import { Link } from "@tanstack/react-router"
import { useRef } from "react"
import { useProjectData } from "../../live/ProjectData.tsx"
import { t } from "../../locales/text.ts"
import { duration, utc } from "../../locales/time.ts"
import { classes, listClass, nameLinkClass } from "../../ui/classes.ts"
import { goneClass, type Held } from "../../ui/held.ts"
import { useListKeys } from "../../ui/listKeys.ts"
import { useNow } from "../../browser/now.ts"
import { Shape } from "../../ui/Status.tsx"
import { Ago } from "../../ui/Time.tsx"
import { Waiting } from "../../ui/Waiting.tsx"
import { affectedOf, type IncidentRecord } from "./queries.ts"
import { seriesWords, stateWord, toneOfIncident, windowWords } from "./words.ts"

const maxNames = 3

export const When = ({ incident }: { readonly incident: IncidentRecord }) => {
  const { maintenance, resolvedAt, scheduledEnd, scheduledStart, startedAt } = incident
  if (maintenance && scheduledStart !== null && scheduledEnd !== null)
    return (
      <time dateTime={scheduledStart} title={`${utc(scheduledStart)} – ${utc(scheduledEnd)}`}>
        {windowWords(Date.parse(scheduledStart), Date.parse(scheduledEnd))}
      </time>
    )
  return (
    <>
      <Ago at={startedAt} />
      {resolvedAt !== null && (
        <>
          {" · "}
          {t("Resolved after {duration}", {
            duration: duration((Date.parse(resolvedAt) - Date.parse(startedAt)) / 1000)
          })}
        </>
      )}
    </>
  )
}

const Item = ({ incident, isGone }: { readonly incident: IncidentRecord; readonly isGone: boolean }) => {
  const { store } = useProjectData()
  const now = useNow()
  const names = affectedOf(store, incident).map(({ name }) => name)
  const series = seriesWords(incident)
  const [latest] = incident.updates
  return (
    <li data-item className={classes("flex items-start gap-3 px-2 py-3 focus-within:bg-ink/3", isGone && goneClass)}>
      <Shape tone={toneOfIncident(incident)} className="mt-1" />
      <div className="min-w-0 flex-1">
        <p className="font-medium">
          <Link to="/incidents/$id" params={{ id: incident.id }} className={nameLinkClass}>
            <bdi className="line-clamp-2">{incident.title}</bdi>
          </Link>
        </p>
        {!incident.maintenance && latest !== undefined && latest.message.trim() !== "" && (
          <p dir="auto" className="line-clamp-2 text-sm">
            {latest.message}
          </p>
        )}
        {series !== undefined && <p className="line-clamp-2 text-sm">{series}</p>}
        <p className="text-sm text-soft">
          <span className="font-medium">{stateWord(incident, now)}</span> · <When incident={incident} />
        </p>
        {names.length > 0 && (
          <p className="line-clamp-2 text-sm text-soft">
            <bdi>{names.slice(0, maxNames).join(", ")}</bdi>
            {names.length > maxNames &&
              ` ${t("{count, plural, one {and # more} other {and # more}}", { count: names.length - maxNames })}`}
          </p>
        )}
      </div>
    </li>
  )
}

export const IncidentList = ({ held, label }: { readonly held: Held<IncidentRecord>; readonly label: string }) => {
  const list = useRef<HTMLUListElement>(null)
  useListKeys(list)
  return (
    <>
      <Waiting held={held} />
      <ul ref={list} aria-label={label} className={listClass}>
        {held.rows.map((incident) => (
          <Item key={incident.id} incident={incident} isGone={held.isGone(incident)} />
        ))}
      </ul>
    </>
  )
}
