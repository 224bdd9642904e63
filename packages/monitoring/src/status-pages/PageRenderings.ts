/** The resources of a page's site, by path. */
import { PublicPage } from "@kanmon/domain/PublicPage"
import { contentSecurityPolicy, embedPolicy } from "@kanmon/status-page/Assets"
import { chunkSize, type Place, renderDocument, renderMonitors } from "@kanmon/status-page/Document"
import { type EmbedTheme, renderEmbed } from "@kanmon/status-page/Embed"
import { Schema } from "effect"
import * as Feeds from "@kanmon/status-page/Feeds"
import type { Rendering } from "./PageViews.ts"
import { statuspageFiles } from "@kanmon/status-page/StatuspageJson"

const html = "text/html; charset=utf-8"
const json = "application/json"
const svg = "image/svg+xml; charset=utf-8"

/** A rendering as it is served. */
export interface SiteRendering extends Rendering {
  /** Seconds for which caches may use the response. */
  readonly maxAge: number
  readonly headers: Readonly<Record<string, string>>
  /** Headers by the sites that may show it in a frame. */
  readonly framed?: (origins: ReadonlyArray<string>) => Readonly<Record<string, string>>
  /** Whether the page has this resource; without it, every page has. */
  readonly has?: (page: PublicPage) => boolean
}

/** Readable by scripts of other sites, since nothing here is secret. */
const shared = { "access-control-allow-origin": "*" }

/** The document, or the chunk of its monitors that begins at `cursor`. */
export const document = (
  { base, root }: Pick<Place, "base" | "root">,
  cursor: number,
  part: "whole" | "monitors"
): SiteRendering => {
  const place = { root, base, cursor, chunk: chunkSize }
  return {
    name: `${part} ${base} ${cursor}`,
    contentType: html,
    maxAge: 0,
    headers: { "content-security-policy": contentSecurityPolicy },
    has: hasChunk(cursor),
    render: (page) => (part === "whole" ? renderDocument(page, place) : renderMonitors(page, place))
  }
}

/** The compact form for frames in other sites, in these colours or those of the reader's system. */
export const embed = (theme: EmbedTheme): SiteRendering => ({
  name: `embed ${theme ?? ""}`,
  contentType: html,
  maxAge: 15,
  headers: {},
  framed: (origins) => ({ "content-security-policy": embedPolicy(origins) }),
  render: (page) => renderEmbed(page, theme)
})

/** Whether the page has this chunk of monitors. The first one always exists. */
const hasChunk =
  (cursor: number) =>
  ({ monitors }: PublicPage): boolean =>
    cursor === 0 || cursor < monitors.length

/** Reads a cursor, which is the index of a chunk's first monitor; undefined if it is invalid. */
export const readCursor = (text: string | null): number | undefined => {
  if (text === null || text === "") return 0
  const cursor = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
  return cursor % chunkSize === 0 ? cursor : undefined
}

const encodePage = Schema.encodeSync(PublicPage)

/** The public record as JSON, with one chunk of the monitors. */
export const record = (cursor: number): SiteRendering => ({
  name: `record ${cursor}`,
  contentType: json,
  maxAge: 15,
  headers: shared,
  has: hasChunk(cursor),
  render: (page) => {
    const end = cursor + chunkSize
    const nextCursor = end < page.monitors.length ? String(end) : null
    return JSON.stringify({ ...encodePage({ ...page, monitors: page.monitors.slice(cursor, end) }), nextCursor })
  }
})

const feedMakers = { atom: Feeds.atom, rss: Feeds.rss, json: (page: PublicPage) => JSON.stringify(Feeds.json(page)) }

const feeds = new Map<string, SiteRendering>(
  (["atom", "rss", "json"] as const).map((kind) => [
    Feeds.feedPaths[kind],
    {
      name: Feeds.feedPaths[kind],
      contentType: Feeds.feedContentTypes[kind],
      maxAge: 60,
      headers: shared,
      render: feedMakers[kind]
    }
  ])
)

const files = new Map<string, SiteRendering>(
  Object.entries(statuspageFiles).map(([name, make]) => [
    `/api/v2/${name}`,
    {
      name: `/api/v2/${name}`,
      contentType: json,
      maxAge: 15,
      headers: shared,
      render: (page) => JSON.stringify(make(page))
    }
  ])
)

/** The resource at a path below the page's base, apart from the document; undefined when there is none. */
export const ofPath = (path: string): SiteRendering | undefined => feeds.get(path) ?? files.get(path) ?? badge(path)

const periods = { "24h": "uptime24h", "7d": "uptime7d", "30d": "uptime30d", "90d": "uptime90d" } as const

/** `/badge/status.svg`, `/badge/uptime.svg` and `/badge/uptime-7d.svg` are for the page, `/badge/<monitorId>/…` for a monitor. */
const badge = (path: string): SiteRendering | undefined => {
  const match = /^\/badge(?:\/(mon_\w{1,40}))?\/(status|uptime)(?:-(24h|7d|30d|90d))?\.svg$/.exec(path)
  const [, id, what, period] = match ?? []
  if (what === undefined || (what === "status" && period !== undefined)) return undefined
  const figure = periods[(period ?? "30d") as keyof typeof periods]
  return {
    name: path,
    contentType: svg,
    maxAge: 60,
    headers: shared,
    has: (page) => id === undefined || page.monitors.some((monitor) => monitor.id === id),
    render: async (page) => {
      // With the widths of characters in several fonts, which most installations never need.
      const Badges = await import("@kanmon/status-page/Badges")
      const monitors = id === undefined ? page.monitors : page.monitors.filter((monitor) => monitor.id === id)
      const label = id === undefined ? page.name : monitors[0]!.name
      if (what === "uptime") return Badges.uptimeBadge(label, meanOf(monitors.map((monitor) => monitor[figure])))
      return Badges.statusBadge(label, id === undefined ? page.status.indicator : monitors[0]!.status)
    }
  }
}

/** The mean of the known figures; null when there are none. */
const meanOf = (figures: ReadonlyArray<number | null>): number | null => {
  const known = figures.filter((figure) => figure !== null)
  return known.length === 0 ? null : known.reduce((sum, figure) => sum + figure, 0) / known.length
}
