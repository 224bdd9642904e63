/** What each path of a page's site answers with. */
import { PublicPage } from "@kanmon/domain/PublicPage"
import { contentSecurityPolicy } from "@kanmon/web/status-page/Assets"
import { chunkSize, renderDocument, renderMonitors } from "@kanmon/web/status-page/Document"
import { Schema } from "effect"
import * as Badges from "./Badges.ts"
import * as Feeds from "./Feeds.ts"
import type { Rendering } from "./PageViews.ts"
import { statuspageFiles } from "./StatuspageJson.ts"

const html = "text/html; charset=utf-8"
const json = "application/json"

/** A rendering as it is served. */
export interface SiteRendering extends Rendering {
  /** How long others may keep the answer without asking again, in seconds. */
  readonly maxAge: number
  readonly headers: Readonly<Record<string, string>>
  /** Whether the page has what is asked for; it has everything unless this says otherwise. */
  readonly has?: (page: PublicPage) => boolean
}

/** For machines on other sites: nothing here is anybody's secret. */
const shared = { "access-control-allow-origin": "*" }

/** The document, or the part of its monitors that begins at `cursor`. `base` stands before the page's own paths. */
export const document = (base: string, cursor: number, part: "whole" | "monitors"): SiteRendering => {
  const place = { base, cursor, chunk: chunkSize }
  return {
    name: `${part} ${base} ${cursor}`,
    contentType: html,
    maxAge: 0,
    headers: { "content-security-policy": contentSecurityPolicy },
    has: hasChunk(cursor),
    render: (page) => (part === "whole" ? renderDocument(page, place) : renderMonitors(page, place))
  }
}

/** Whether the page has monitors there; the first chunk is there in any case. */
const hasChunk =
  (cursor: number) =>
  ({ monitors }: PublicPage): boolean =>
    cursor === 0 || cursor < monitors.length

/** Reads a cursor: the beginning of a chunk. Nothing when it is none. */
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

/** What a path below the page's base answers with, apart from the document; nothing when there is nothing. */
export const ofPath = (path: string): SiteRendering | undefined => feeds.get(path) ?? files.get(path) ?? badge(path)

const periods = { "24h": "uptime24h", "7d": "uptime7d", "30d": "uptime30d", "90d": "uptime90d" } as const

/** `/badge/status.svg`, `/badge/uptime.svg` and `/badge/uptime-7d.svg` are the page's, `/badge/<monitorId>/…` a monitor's. */
const badge = (path: string): SiteRendering | undefined => {
  const match = /^\/badge(?:\/(mon_\w{1,40}))?\/(status|uptime)(?:-(24h|7d|30d|90d))?\.svg$/.exec(path)
  const [, id, what, period] = match ?? []
  if (what === undefined || (what === "status" && period !== undefined)) return undefined
  const figure = periods[(period ?? "30d") as keyof typeof periods]
  return {
    name: path,
    contentType: Badges.badgeContentType,
    maxAge: 60,
    headers: shared,
    has: (page) => id === undefined || page.monitors.some((monitor) => monitor.id === id),
    render: (page) => {
      const monitors = id === undefined ? page.monitors : page.monitors.filter((monitor) => monitor.id === id)
      const label = id === undefined ? page.name : monitors[0]!.name
      if (what === "uptime") return Badges.uptimeBadge(label, meanOf(monitors.map((monitor) => monitor[figure])))
      return Badges.statusBadge(label, id === undefined ? page.status.indicator : monitors[0]!.status)
    }
  }
}

/** The mean of what is known; null when nothing is. */
const meanOf = (figures: ReadonlyArray<number | null>): number | null => {
  const known = figures.filter((figure) => figure !== null)
  return known.length === 0 ? null : known.reduce((sum, figure) => sum + figure, 0) / known.length
}
