/** Incidents and maintenance windows with their timelines. */
import type { IncidentStatus } from "@kanmon/domain/Incident"
import type { PublicIncident, PublicMonitor, PublicPage } from "@kanmon/domain/PublicPage"
import { type Html, html, type HtmlChildren } from "./Html.ts"
import { icon } from "./Icons.ts"
import { type MessagePart, messageParts } from "./MessageParts.ts"
import { end, moment } from "./Moment.ts"
import { severityOf, stateOf } from "./State.ts"

const part = ({ isLink, text }: MessagePart): HtmlChildren =>
  isLink ? html`<a href=${text} rel="nofollow noopener">${text}</a>` : text

/** A message of a user with its line breaks (kept by the stylesheet), and with URLs as links. */
const message = (text: string): Html =>
  html`<p class="message" dir="auto">${messageParts(text).map((each) => part(each))}</p>`

/** The monitors of the page, by their ids. */
export type Names = ReadonlyMap<string, Pick<PublicMonitor, "name" | "status">>

export const namesOf = (page: Pick<PublicPage, "monitors">): Names =>
  new Map(page.monitors.map((monitor) => [monitor.id, monitor]))

const statusWords: Record<IncidentStatus, string> = {
  investigating: "Investigating",
  identified: "Identified",
  monitoring: "Monitoring",
  resolved: "Resolved"
}

/** Entries of a maintenance window are labelled as updates until it is over. */
const wordOf = (status: IncidentStatus, maintenance: boolean): string =>
  !maintenance ? statusWords[status] : status === "resolved" ? "Completed" : "Update"

/** Further names are only counted. */
const maxNames = 6

/** The affected monitors; of an incident that goes on with their states, the worst first. */
const affected = ({ monitorIds }: PublicIncident, names: Names, isOpen: boolean): Html | null => {
  const listed = monitorIds.flatMap((id) => names.get(id) ?? [])
  const known = isOpen ? listed.toSorted((one, other) => severityOf(other.status) - severityOf(one.status)) : listed
  if (known.length === 0) return null
  const shown = known.length > maxNames + 1 ? known.slice(0, maxNames) : known
  const rest = known.length - shown.length
  return html`
    <p class="affected">
      Affects${" "}
      ${shown.map(
        ({ name, status }, index) =>
          html`${index > 0 ? ", " : ""}<bdi>${name}</bdi>${isOpen ? ` (${stateOf(status).words})` : null}` as HtmlChildren
      )}
      ${rest > 0 ? ` and ${rest} more` : null}
    </p>
  `
}

const timeline = ({ maintenance, updates }: PublicIncident): Html | null =>
  updates.length === 0
    ? null
    : html`
        <ol class="timeline" role="list">
          ${updates.map(
            ({ createdAt, id, message: text, status }) => html`
              <li id=${id}>
                <p class="step"><b>${wordOf(status, maintenance)}</b> ${moment(createdAt, "both")}</p>
                ${text.trim() === "" ? null : message(text)}
              </li>
            `
          )}
        </ol>
      `

/** The period of a maintenance window. */
const span = ({ maintenance, scheduledEnd, scheduledStart }: PublicIncident): Html | null =>
  !maintenance || scheduledStart === null
    ? null
    : html`
        <p class="window">
          ${moment(scheduledStart)}${scheduledEnd === null ? null : html`<span> to ${end(scheduledEnd, scheduledStart)}</span>`}
        </p>
      `

/** Renders everything but the title. */
export const story = (incident: PublicIncident, names: Names, isOpen = false): Html => html`
  <div class="story">${span(incident)}${affected(incident, names, isOpen)}${timeline(incident)}</div>
`

const article = (incident: PublicIncident, names: Names, isOpen = false): Html => html`
  <article class="incident" id=${incident.id}>
    <h3 dir="auto">${incident.title}</h3>
    ${story(incident, names, isOpen)}
  </article>
`

/** The banner of active maintenance windows. */
export const maintenanceBanner = (page: PublicPage, names: Names): Html | null => {
  const open = page.maintenances.filter(({ phase }) => phase === "in_progress")
  return open.length === 0
    ? null
    : html`
        <section class="notice is-maintenance" id="maintenance" aria-labelledby="maintenance-title">
          <h2 id="maintenance-title">${icon("maintenance")}Maintenance in progress</h2>
          ${open.map((incident) => article(incident, names))}
        </section>
      `
}

/** The scheduled maintenance windows. */
export const upcoming = (page: PublicPage, names: Names): Html | null => {
  const planned = page.maintenances.filter(({ phase }) => phase === "scheduled")
  return planned.length === 0
    ? null
    : html`
        <section class="notice is-planned" id="upcoming" aria-labelledby="upcoming-title">
          <h2 id="upcoming-title">${icon("maintenance")}Scheduled maintenance</h2>
          ${planned.map((incident) => article(incident, names))}
        </section>
      `
}

/** The open incidents. */
export const activeIncidents = (page: PublicPage, names: Names): Html | null =>
  page.incidents.length === 0
    ? null
    : html`
        <section class="notice is-incident" id="incidents" aria-labelledby="incidents-title">
          <h2 id="incidents-title">${icon("degraded")}${page.incidents.length === 1 ? "Incident" : "Incidents"}</h2>
          ${page.incidents.map((incident) => article(incident, names, true))}
        </section>
      `
