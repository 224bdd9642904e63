/**
 * Feeds of incidents: Atom 1.0 (RFC 4287), RSS 2.0 and JSON Feed 1.1, with one entry per incident and its timeline. Monitor
 * status is left out, so that a feed changes only with its incidents.
 */
import { instant } from "@kanmon/domain/Timestamp"
import type { PublicIncident, PublicPage } from "@kanmon/domain/PublicPage"
import { type EpochMillis, toIso } from "@kanmon/domain/Timestamp"
import { Feed } from "feed"
import { addressOf, announcedAt, changedAt, stage, stageWith, type Stage } from "./IncidentTimeline.ts"
import { html, xmlText } from "./Markup.ts"

/** Paths of the feeds below the page's URL. */
export const feedPaths = { atom: "/feed.atom", rss: "/feed.rss", json: "/feed.json" } as const

/** Media types of the feeds. */
export const feedContentTypes = {
  atom: "application/atom+xml; charset=utf-8",
  rss: "application/rss+xml; charset=utf-8",
  json: "application/feed+json; charset=utf-8"
} as const

const maximumEntries = 100

/** The page as Atom 1.0. */
export const atom = (page: PublicPage): string => {
  // The library declares the feed's title as text and the entries' titles as HTML.
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

/** The page as JSON Feed 1.1; the library supports only version 1. */
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
  /** Escapes the feed's title and an entry's title for the format. */
  readonly title: (text: string) => string
  readonly entryTitle: (text: string) => string
  /** The library's field for the timeline. */
  readonly content: "content" | "description"
}

const feedOf = (page: PublicPage, path: string, dialect: Dialect): Feed => {
  const entries = entriesOf(page)
  const inElement = (text: string): string => elementText(dialect.title(text))
  const feed = new Feed({
    // The slug never changes; the URL changes with the page's domain.
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

// The library unescapes `&amp;` in element text, so every `&` is escaped once more.
const elementText = (text: string): string => text.replaceAll("&", "&amp;")

/**
 * A title for RSS, which does not specify whether titles are text or HTML. Ordinary titles read the same both ways; markup is
 * escaped, so that no reader interprets it.
 */
const eitherText = (text: string): string =>
  xmlText(text)
    .replace(/&(?=#?\w+;)/g, "&amp;")
    .replaceAll("<", "&lt;")
    // The library splits only the first end of a CDATA section.
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

/** The time and the affected monitors, then the timeline, newest first. */
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

// Isolated, so that right-to-left text does not reorder the words before it.
const message = (text: string): string => {
  // Replaced before trimming: some characters invalid in XML are white space, their replacement is not.
  const shown = xmlText(text).trim()
  return shown === "" ? "" : `<br>\n<bdi>${html(shown.replace(/\r\n?/g, "\n")).replaceAll("\n", "<br>\n")}</bdi>`
}
