/** Past incidents and maintenance windows of the last 90 days, by month. */
import { barDays, type PublicIncident, type PublicPage } from "@kanmon/domain/PublicPage"
import { duration } from "./Duration.ts"
import { type Html, html } from "./Html.ts"
import { type Names, story } from "./Incidents.ts"
import { moment, monthName, monthOf } from "./Moment.ts"

/** Newest first, like the input. */
const byMonth = (history: ReadonlyArray<PublicIncident>): ReadonlyMap<string, ReadonlyArray<PublicIncident>> =>
  Map.groupBy(history, ({ startedAt }) => monthOf(startedAt))

const past = (incident: PublicIncident, names: Names): Html => html`
  <details class="past" id=${`past-${incident.id}`}>
    <summary>
      <span class="past-title" dir="auto">${incident.title}</span>
      <span class="past-facts">
        ${incident.maintenance ? "Maintenance, " : null}${moment(incident.startedAt)}
        ${
          incident.resolvedAt === null
            ? null
            : html`<span>, ${duration((incident.resolvedAt - incident.startedAt) / 1000)}</span>`
        }
      </span>
    </summary>
    <div id=${incident.id}>${story(incident, names)}</div>
  </details>
`

export const history = (page: PublicPage, names: Names): Html => html`
  <section id="history" aria-labelledby="history-title">
    <h2 id="history-title">Past incidents</h2>
    ${
      page.history.length === 0
        ? html`<p class="empty">No incidents in the last ${barDays} days.</p>`
        : Array.from(
            byMonth(page.history),
            ([month, incidents]) => html`
              <section id=${`month-${month}`}>
                <h3>${monthName(month)}</h3>
                ${incidents.map((incident) => past(incident, names))}
              </section>
            `
          )
    }
  </section>
`
