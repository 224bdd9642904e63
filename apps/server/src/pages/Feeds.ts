/**
 * What happened, for feed readers: Atom 1.0 (RFC 4287), RSS 2.0 and JSON Feed 1.1, one entry for each incident with its
 * whole timeline. A feed changes only when there is something new to tell: how the monitors stand is not in it.
 */
import { instant } from "@kanmon/core/NoticeText"
import type { PublicIncident, PublicPage } from "@kanmon/domain/PublicPage"
import { type EpochMillis, toIso } from "@kanmon/domain/Timestamp"
import { Feed } from "feed"
import { addressOf, announcedAt, changedAt, stage, stageWith, type Stage } from "./IncidentTimeline.ts"
import { html, xmlText } from "./Markup.ts"

/** Where each feed lies below the page's address; the feeds name themselves by it. */
export const feedPaths = { atom: "/feed.atom", rss: "/feed.rss", json: "/feed.json" } as const

/** What each is served as. */
export const feedContentTypes = {
  atom: "application/atom+xml; charset=utf-8",
  rss: "application/rss+xml; charset=utf-8",
  json: "application/feed+json; charset=utf-8"
} as const

const maximumEntries = 100

/** The page as Atom 1.0. */
export const atom = (page: PublicPage): string => {
  // A plain title of the feed, titles in HTML of its entries: so the library declares them.
  const feed = feedOf(page, feedPaths.atom, { title: xmlText, entryTitle: html, content: "content" })
  return feed.atom1()
}

/** The page as RSS 2.0. */
export const rss = (page: PublicPage): string => {
  const feed = feedOf(page, feedPaths.rss, { title: eitherText, entryTitle: eitherText, content: "description" })
  return feed.rss2()
}

/** JSON Feed 1.1. @see https://www.jsonfeed.org/version/1.1/ */
export interface JsonFeed {
  readonly version: "https://jsonfeed.org/version/1.1"
  readonly title: string
  readonly home_page_url: string
  readonly feed_url: string
  readonly description: string
  readonly authors: ReadonlyArray<{ readonly name: string; readonly url: string }>
  readonly items: ReadonlyArray<{
    readonly id: string
    readonly url: string
    readonly title: string
    readonly content_html: string
    readonly date_published: string
    readonly date_modified: string
    readonly tags: ReadonlyArray<string>
  }>
}

/** The page as JSON Feed 1.1; the library would write version 1. */
export const json = (page: PublicPage): JsonFeed => ({
  version: "https://jsonfeed.org/version/1.1",
  title: page.name,
  home_page_url: new URL(page.url).href,
  feed_url: selfOf(page, feedPaths.json),
  description: describe(page),
  authors: [{ name: page.name, url: new URL(page.url).href }],
  items: entriesOf(page).map(({ at, incident }) => ({
    id: idOf(incident),
    url: addressOf(page, incident),
    title: incident.title,
    content_html: content(page, incident),
    date_published: toIso(announcedAt(incident)),
    date_modified: toIso(at),
    tags: tagsOf(incident)
  }))
})

interface Dialect {
  /** How the format's readers understand the feed's title, and an entry's. */
  readonly title: (text: string) => string
  readonly entryTitle: (text: string) => string
  /** The field that holds the timeline. */
  readonly content: "content" | "description"
}

const feedOf = (page: PublicPage, path: string, dialect: Dialect): Feed => {
  const entries = entriesOf(page)
  const inElement = (text: string): string => elementText(dialect.title(text))
  const feed = new Feed({
    // The slug never changes; the address may, with the page's domain.
    id: `urn:kanmon:page:${page.slug}`,
    title: inElement(page.name),
    description: inElement(describe(page)),
    author: { name: inElement(page.name) },
    link: page.url,
    feed: selfOf(page, path),
    generator: "Kanmon",
    updated: new Date(entries[0]?.at ?? 0)
  })
  for (const { at, incident } of entries) {
    feed.addItem({
      id: idOf(incident),
      title: dialect.entryTitle(incident.title),
      link: addressOf(page, incident),
      date: new Date(at),
      published: new Date(announcedAt(incident)),
      category: tagsOf(incident).map((tag) => ({ name: tag, term: tag })),
      [dialect.content]: content(page, incident)
    })
  }
  return feed
}

// The library takes `&amp;` in the text of an element for an escaped `&`: unless every `&` is, texts come out changed.
const elementText = (text: string): string => text.replaceAll("&", "&amp;")

/**
 * A title for RSS, which does not say whether titles are text or HTML: readers disagree. Ordinary titles read the same
 * both ways; in others markup is escaped, so that no reader takes it for its own.
 */
const eitherText = (text: string): string =>
  xmlText(text)
    .replace(/&(?=#?\w+;)/g, "&amp;")
    .replaceAll("<", "&lt;")
    // Of several ends of a CDATA section the library splits only the first.
    .replaceAll("]]>", "]]&gt;")

const entriesOf = (page: PublicPage): ReadonlyArray<{ readonly incident: PublicIncident; readonly at: EpochMillis }> =>
  [...page.incidents, ...page.maintenances, ...page.history]
    .map((incident) => ({ incident, at: changedAt(incident) }))
    .sort((a, b) => b.at - a.at || (a.incident.id < b.incident.id ? 1 : -1))
    .slice(0, maximumEntries)

const idOf = ({ id }: PublicIncident): string => `urn:kanmon:incident:${id}`

const selfOf = (page: PublicPage, path: string): string => new URL(page.url.replace(/\/$/, "") + path).href

const describe = (page: PublicPage): string => `Incidents and maintenance of ${page.name}`

const tagsOf = (incident: PublicIncident): ReadonlyArray<string> => [
  incident.maintenance ? "maintenance" : "incident",
  words[stage(incident)].toLowerCase()
]

const words: Record<Stage, string> = {
  investigating: "Investigating",
  identified: "Identified",
  monitoring: "Monitoring",
  resolved: "Resolved",
  scheduled: "Scheduled",
  in_progress: "In progress",
  verifying: "Verifying",
  completed: "Completed"
}

/** When it was and what it concerns, then the timeline, newest first. */
const content = (page: PublicPage, incident: PublicIncident): string => {
  const names = page.monitors.filter(({ id }) => incident.monitorIds.includes(id)).map(({ name }) => name)
  const paragraphs = [
    when(incident),
    ...(names.length === 0 ? [] : [`Affects ${names.map((name) => `<bdi>${html(name)}</bdi>`).join(", ")}`]),
    ...incident.updates.map(
      (entry) =>
        `<strong>${words[stageWith(incident, entry)]}</strong> ${time(entry.createdAt)}${message(entry.message)}`
    )
  ]
  return paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join("\n")
}

const when = ({ maintenance, resolvedAt, scheduledEnd, scheduledStart, startedAt }: PublicIncident): string =>
  maintenance && scheduledStart !== null && scheduledEnd !== null
    ? `Scheduled from ${time(scheduledStart)} to ${time(scheduledEnd)}`
    : `Began ${time(startedAt)}${resolvedAt === null ? "" : `, resolved ${time(resolvedAt)}`}`

const time = (at: EpochMillis): string => `<time datetime="${toIso(at)}">${instant(at)}</time>`

// A message in another direction must not turn the words before it around.
const message = (text: string): string => {
  // Some characters that XML cannot carry count as white space here: what stands for them does not.
  const shown = xmlText(text).trim()
  return shown === "" ? "" : `<br>\n<bdi>${html(shown.replace(/\r\n?/g, "\n")).replaceAll("\n", "<br>\n")}</bdi>`
}
