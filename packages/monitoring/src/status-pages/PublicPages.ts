/** Status pages as visitors see them. */
import type { MonitorId, ProjectId, StatusPageId } from "@kanmon/domain/Ids"
import { type Incident, phaseOf } from "@kanmon/domain/Incident"
import {
  barDays,
  overallState,
  type PublicIncident,
  type PublicMonitor,
  type PublicPage
} from "@kanmon/domain/PublicPage"
import { dayMillis, type EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer } from "effect"
import { Incidents } from "../incidents/index.ts"
import { PublicMonitors } from "./PublicMonitors.ts"
import { MonitorRecordRepository } from "../registry/index.ts"
import { StatusPageRepository } from "./StatusPageRepository.ts"
import { type PageDraft, UnknownPageMonitors } from "./StatusPages.ts"

/** A published page, without its address. */
export interface PublishedPage {
  readonly id: StatusPageId
  readonly projectId: ProjectId
  /** The custom domain, once it is served. */
  readonly customDomain: string | null
  /** The sites that may show the compact form. */
  readonly embedOrigins: ReadonlyArray<string>
  readonly page: Omit<PublicPage, "url">
}

/** Incidents shown. */
const maxHistory = 200
/** Characters of all their timelines. */
const maxText = 1_000_000

export class PublicPages extends Context.Service<PublicPages>()("@kanmon/monitoring/status-pages/PublicPages", {
  make: Effect.gen(function* () {
    const repository = yield* StatusPageRepository
    const records = yield* MonitorRecordRepository
    const publicMonitors = yield* PublicMonitors
    const incidents = yield* Incidents

    /** Incidents that a page with these monitors shows. One without monitors is about the whole project. */
    const readIncidents = Effect.fnUntraced(function* (
      projectId: ProjectId,
      monitorIds: ReadonlyArray<MonitorId>,
      now: EpochMillis
    ) {
      const found = yield* incidents.listAbout(projectId, monitorIds, {
        resolvedAfter: now - barDays * dayMillis,
        limit: maxHistory,
        maxText
      })
      const shown = new Set(monitorIds)
      return found.map((incident) => publish(incident, shown, now))
    })

    /** The page with these monitors, as of now. */
    const publishPage = Effect.fnUntraced(function* (
      { name, projectId, slug }: { readonly projectId: ProjectId; readonly name: string; readonly slug: string },
      monitors: ReadonlyArray<PublicMonitor>,
      now: EpochMillis
    ) {
      const all = yield* readIncidents(
        projectId,
        monitors.map(({ id }) => id),
        now
      )
      const open = all.filter(({ resolvedAt }) => resolvedAt === null)
      const unplanned = open.filter(({ maintenance }) => !maintenance)
      const maintenances = open.filter(({ maintenance }) => maintenance).toSorted(nextFirst)
      return {
        name,
        slug,
        updatedAt: now,
        status: overallState(monitors, [...unplanned, ...maintenances]),
        monitors: groupTogether(monitors),
        incidents: unplanned,
        maintenances,
        history: all.filter(({ resolvedAt }) => resolvedAt !== null)
      }
    })

    /** The page with its monitors, figures and incidents; undefined when there is no such page. */
    const load = Effect.fn("PublicPages.load")(function* (slug: string) {
      const page = yield* repository.findBySlug(slug)
      if (page === undefined) return undefined
      const now = yield* Clock.currentTimeMillis
      const monitors = yield* publicMonitors.ofPage(page.id, now)
      return {
        id: page.id,
        projectId: page.projectId,
        customDomain: page.customDomainStatus === "active" ? page.customDomain : null,
        embedOrigins: page.embedOrigins,
        page: yield* publishPage(page, monitors, now)
      }
    })

    /** The public view of a page that is not saved. */
    const preview = Effect.fn("PublicPages.preview")(function* (
      projectId: ProjectId,
      draft: Pick<PageDraft, "name" | "slug" | "monitors" | "tags">
    ) {
      const ids = draft.monitors.map(({ monitorId }) => monitorId)
      const known = yield* records.lockExisting(projectId, ids)
      const unknown = ids.filter((id) => !known.has(id))
      if (unknown.length > 0) return yield* new UnknownPageMonitors({ ids: unknown })
      const now = yield* Clock.currentTimeMillis
      const content = { monitors: draft.monitors, tags: draft.tags ?? [] }
      const monitors = yield* publicMonitors.ofDraft(projectId, content, now)
      return yield* publishPage({ ...draft, projectId }, monitors, now)
    })

    /** The slugs of the pages with proven custom domains. */
    const customDomains = Effect.withSpan(repository.slugsByDomain, "PublicPages.customDomains")

    return { load, preview, customDomains }
  })
}) {
  static readonly layer = Layer.effect(PublicPages, PublicPages.make).pipe(
    Layer.provide([StatusPageRepository.layer, MonitorRecordRepository.layer, PublicMonitors.layer])
  )
}

const publish = (incident: Incident, shown: ReadonlySet<MonitorId>, now: EpochMillis): PublicIncident => ({
  id: incident.id,
  title: incident.title,
  status: incident.status,
  monitorIds: incident.monitorIds.filter((id) => shown.has(id)),
  maintenance: incident.maintenance,
  phase: phaseOf(incident, now),
  scheduledStart: incident.scheduledStart,
  scheduledEnd: incident.scheduledEnd,
  startedAt: incident.startedAt,
  resolvedAt: incident.resolvedAt,
  updates: incident.updates,
  updatedAt: incident.updatedAt
})

/** Open windows before future ones, the soonest first. */
const nextFirst = (one: PublicIncident, other: PublicIncident): number => one.startedAt - other.startedAt

/** Puts the monitors of one group together, at the place of the first. */
const groupTogether = <M extends { readonly displayGroup: string | null }>(
  monitors: ReadonlyArray<M>
): ReadonlyArray<M> => [...Map.groupBy(monitors, ({ displayGroup }) => displayGroup).values()].flat()
