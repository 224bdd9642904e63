/** The monitors of one chunk by group, with links to the previous and next chunk. */
import type { PublicPage } from "@kanmon/domain/PublicPage"
import { chunkOf, type Group, groupsOf } from "./Groups.ts"
import { type Html, html, type HtmlChildren } from "./Html.ts"
import { badge, monitorRow } from "./MonitorRow.ts"
import type { Place } from "./Place.ts"
import { legend } from "./UptimeBar.ts"

const section = ({ id, monitors, name, summary }: Group): Html => {
  const rows = monitors.map((monitor) => monitorRow(monitor, name === null ? "h3" : "h4"))
  return html`
    <section class="group" id=${id} aria-labelledby=${name === null ? undefined : `${id}-title`}>
      ${
        name === null
          ? null
          : html`
              <div class="group-title">
                <h3 id=${`${id}-title`} dir="auto">${name}</h3>
                <p>${badge(summary)}</p>
              </div>
            `
      }
      <ul class="monitors" role="list">
        ${rows}
      </ul>
    </section>
  `
}

const next = ({ monitors }: PublicPage, { chunk, cursor }: Place): Html => {
  const after = cursor + chunk
  return html`
    <div class="pages" id="next">
      ${
        after < monitors.length
          ? html`<a rel="next" href=${`?cursor=${after}`}>Show more monitors</a>
              <span>${after} of ${monitors.length}</span>`
          : null
      }
    </div>
  `
}

const previous = ({ chunk, cursor }: Place): Html => html`
  <div class="pages" id="previous">
    ${cursor > 0 ? html`<a rel="prev" href=${`?cursor=${Math.max(0, cursor - chunk)}`}>Show previous monitors</a>` : null}
  </div>
`

/** The chunk alone, for the script to append. */
export const monitorChunk = (page: PublicPage, place: Place): HtmlChildren => [
  chunkOf(groupsOf(page.monitors), place.cursor, place.chunk).map(section),
  next(page, place)
]

/** The chunk within the whole page. */
export const monitorList = (page: PublicPage, place: Place): Html => {
  const [sections, after] = monitorChunk(page, place) as [HtmlChildren, Html]
  return html`
    <section id="monitors" aria-labelledby="monitors-title" tabindex="-1">
      <div class="section-title">
        <h2 id="monitors-title">Monitors</h2>
        ${page.monitors.length === 0 ? null : legend()}
      </div>
      ${page.monitors.length === 0 ? html`<p class="empty">No monitors are shown here yet.</p>` : null}
      ${previous(place)}
      <div id="list">${sections}</div>
      ${after}
    </section>
  `
}
