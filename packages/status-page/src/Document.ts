/**
 * Renders the public status page as HTML. It is complete without JavaScript; the script refreshes and extends it. The caller
 * loads the page, caches the response and sets the headers.
 */
import type { PublicPage } from "@kanmon/domain/PublicPage"
import { previewStyle, script } from "./Assets.ts"
import { history } from "./History.ts"
import { type Html, html, rendered } from "./Html.ts"
import { icon } from "./Icons.ts"
import { activeIncidents, maintenanceBanner, namesOf, upcoming } from "./Incidents.ts"
import { moment } from "./Moment.ts"
import { monitorChunk, monitorList } from "./MonitorList.ts"
import { chunkSize, type Place, within } from "./Place.ts"
import { poweredBy, shell } from "./Shell.ts"
import { overall, type State } from "./State.ts"

export { chunkSize, type Place } from "./Place.ts"

const hero = ({ updatedAt }: PublicPage, { tone, words }: State): Html => html`
  <section class=${`hero is-${tone}`} id="overview">
    ${icon(tone)}
    <div>
      <h1 id="state">${words}</h1>
      <p id="updated"><span id="stale" hidden>Could not refresh. </span>Last updated ${moment(updatedAt, "ago")}</p>
    </div>
  </section>
`

const footer = (base: string): Html => html`
  <footer>
    <nav aria-label="Feeds and API">
      <ul role="list">
        <li><a href=${`${base}/feed.atom`} type="application/atom+xml">Atom feed</a></li>
        <li><a href=${`${base}/feed.rss`} type="application/rss+xml">RSS feed</a></li>
        <li><a href=${`${base}/feed.json`} type="application/feed+json">JSON feed</a></li>
        <li><a href=${`${base}/api/v2/summary.json`} type="application/json">API</a></li>
      </ul>
    </nav>
    ${poweredBy()}
  </footer>
`

const head = (page: PublicPage, { base, root }: Place): ReadonlyArray<Html> => [
  html`<meta name="description" content=${`${page.name}: ${page.status.description}`} />`,
  html`<link rel="canonical" href=${page.url} />`,
  html`<link rel="alternate" type="application/atom+xml" title=${page.name} href=${`${base}/feed.atom`} />`,
  html`<link rel="alternate" type="application/rss+xml" title=${page.name} href=${`${base}/feed.rss`} />`,
  html`<link rel="alternate" type="application/feed+json" title=${page.name} href=${`${base}/feed.json`} />`,
  html`<script src=${`${root}${script.path}`} defer></script>`
]

/** Everything of the document but its head. */
const content = (page: PublicPage, place: Place) => {
  const { base } = place
  const state = overall(page)
  const names = namesOf(page)
  return {
    title: `${state.words} · ${page.name}`,
    tone: state.tone,
    body: [
      html`<a class="skip" href="#monitors">Skip to the monitors</a>`,
      html`<header><p class="name" dir="auto">${page.name}</p></header>`,
      html`
        <main>
          ${hero(page, state)} ${activeIncidents(page, names)} ${maintenanceBanner(page, names)}
          ${upcoming(page, names)} ${monitorList(page, within(place, page.monitors.length))} ${history(page, names)}
        </main>
      `,
      footer(base),
      html`<div class="unseen" id="announcer" role="status"></div>`
    ]
  }
}

/** Renders the document with the chunk of monitors at the place's cursor. */
export const renderDocument = (page: PublicPage, place: Place): string =>
  shell({ ...content(page, place), head: head(page, place) })

/** Renders a page that is not published yet: its first monitors, without the script, in these colours or the system's. */
export const renderPreview = (
  page: PublicPage,
  { base, root }: Pick<Place, "base" | "root">,
  scheme: "light" | "dark" | undefined
): string =>
  shell({
    ...content(page, { root, base, cursor: 0, chunk: chunkSize }),
    head: [html`<meta name="robots" content="noindex" />`, html`<base target="_blank" />`],
    styled: { href: `${root}${previewStyle.path}`, scheme }
  })

/** Renders only the chunk of monitors at the place's cursor, for the script to append. */
export const renderMonitors = (page: PublicPage, place: Place): string => rendered(monitorChunk(page, place))

/** Renders the 404 page. */
export const renderMissing = (): string =>
  shell({
    title: "There is no status page here",
    tone: "quiet",
    head: html`<meta name="robots" content="noindex" />`,
    body: [
      html`
        <main>
          <section class="hero is-quiet">
            ${icon("quiet")}
            <div>
              <h1>There is no status page here</h1>
              <p>Check the address, or ask the person who gave it to you.</p>
            </div>
          </section>
        </main>
      `,
      html`<footer>${poweredBy()}</footer>`
    ]
  })
