/**
 * The compact form of a page, for a frame in another site: the state as a sentence, what is wrong, and a link to the whole page. It
 * needs no script and no cookie, loads itself again once a minute, and fits any width.
 */
import type { PublicMonitor, PublicPage } from "@kanmon/domain/PublicPage"
import { embedStyle } from "./Assets.ts"
import { type Html, html } from "./Html.ts"
import { icon } from "./Icons.ts"
import { badge } from "./MonitorRow.ts"
import { shell } from "./Shell.ts"
import { overall, stateOf } from "./State.ts"

/** The colours of the frame. Default: the reader's system colours. */
export type EmbedTheme = "light" | "dark" | undefined

/** Seconds after which the frame loads again. */
const refresh = 60
/** Incidents and monitors that are named; the others are counted. */
const maxNamed = 5

/** Worst first. */
const wrong = ["down", "degraded", "maintenance"] as const

interface Line {
  readonly name: string
  readonly shown: Html
}

const notUp = (monitors: ReadonlyArray<PublicMonitor>): ReadonlyArray<Line> =>
  wrong.flatMap((wanted) =>
    monitors
      .filter(({ status }) => status === wanted)
      .map(({ name, status }) => ({ name, shown: badge(stateOf(status)) }))
  )

/** The open incidents, and the monitors that are not up. */
const linesOf = ({ incidents, maintenances, monitors }: PublicPage): ReadonlyArray<Line> => [
  ...incidents.map(({ title }) => ({ name: title, shown: badge({ tone: "degraded", words: "Incident" }) })),
  ...maintenances
    .filter(({ phase }) => phase === "in_progress")
    .map(({ title }) => ({ name: title, shown: badge({ tone: "maintenance", words: "Maintenance" }) })),
  ...notUp(monitors)
]

const list = (lines: ReadonlyArray<Line>): Html | null =>
  lines.length === 0
    ? null
    : html`
        <ul role="list">
          ${lines.slice(0, maxNamed).map(({ name, shown }) => html`<li><bdi>${name}</bdi> ${shown}</li>`)}
          ${lines.length > maxNamed ? html`<li class="more">and ${lines.length - maxNamed} more</li>` : null}
        </ul>
      `

/** Renders the document of the frame. */
export const renderEmbed = (page: PublicPage, theme: EmbedTheme): string => {
  const state = overall(page)
  return shell({
    title: `${state.words} · ${page.name}`,
    tone: state.tone,
    head: [
      html`<meta name="robots" content="noindex" />`,
      html`<meta http-equiv="refresh" content=${String(refresh)} />`,
      html`<link rel="canonical" href=${page.url} />`
    ],
    inlined: { style: embedStyle, scheme: theme },
    body: html`
      <main class=${`is-${state.tone}`}>
        <p class="name" dir="auto">${page.name}</p>
        <h1>${icon(state.tone)}<span>${state.words}</span></h1>
        ${list(linesOf(page))}
        <p class="link"><a href=${page.url} target="_blank" rel="noopener">View the status page</a></p>
      </main>
    `
  })
}
