/** Status pages as the public sees them, each read as a whole. */
import type { MonitorId, ProjectId, StatusPageId } from "@kanmon/domain/Ids"
import { type Incident, phaseOf } from "@kanmon/domain/Incident"
import { barDays, overallState, type PublicIncident, type PublicPage } from "@kanmon/domain/PublicPage"
import { dayMillis, type EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type BareIncident, fitting, type IncidentRow, readIncident, timelines } from "../incidents/IncidentRow.ts"
import * as PublicMonitors from "./PublicMonitors.ts"

/** A page as it is published; where is for those to say who publish it. */
export interface PublishedPage {
  readonly id: StatusPageId
  readonly projectId: ProjectId
  /** The own domain, once it is served. */
  readonly customDomain: string | null
  readonly page: Omit<PublicPage, "url">
}

/** Incidents of the past that are shown. */
const mostHistory = 200
/** Characters of all their timelines. */
const mostText = 1_000_000

export class PublicPages extends Context.Service<
  PublicPages,
  {
    /** The page with its monitors, figures and incidents; nothing when there is no such page. */
    readonly load: (slug: string) => Effect.Effect<PublishedPage | undefined>
    /** The slugs of the pages whose custom domains are proven to be theirs. */
    readonly customDomains: Effect.Effect<ReadonlyMap<string, string>>
  }
>()("@kanmon/store/pages/PublicPages") {
  static readonly layer = Layer.effect(
    PublicPages,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const provide = Effect.provideService(SqlClient.SqlClient, sql)

      /** Incidents that a page with these monitors shows. One that names no monitor is about all of the project. */
      const readIncidents = Effect.fnUntraced(function* (
        projectId: ProjectId,
        monitorIds: ReadonlyArray<MonitorId>,
        now: EpochMillis
      ) {
        const rows = yield* sql<IncidentRow>`SELECT * FROM incidents WHERE project_id = ${projectId}
          AND (monitor_ids = '{}' OR monitor_ids && ${monitorIds}::text[])
          AND (resolved_at IS NULL OR resolved_at > ${new Date(now - barDays * dayMillis)})
          ORDER BY resolved_at DESC NULLS FIRST, started_at DESC LIMIT ${mostHistory}`
        const room = yield* fitting(
          rows.map(({ id }) => id),
          mostText
        )
        const found = rows.slice(0, room).map(readIncident)
        const updatesOf = yield* timelines(found.map(({ id }) => id))
        const shown = new Set(monitorIds)
        return found.map((incident) => publish(incident, updatesOf(incident.id), shown, now))
      })

      const load: PublicPages["Service"]["load"] = Effect.fn("PublicPages.load")(
        function* (slug) {
          const [row] = yield* sql<Row>`SELECT id, project_id, name, slug, custom_domain, custom_domain_status
            FROM status_pages WHERE slug = ${slug}`
          if (row === undefined) return undefined
          const now = yield* Clock.currentTimeMillis
          const monitors = yield* PublicMonitors.ofPage(row.id, now)
          const all = yield* readIncidents(
            row.project_id,
            monitors.map(({ id }) => id),
            now
          )
          const open = all.filter(({ resolvedAt }) => resolvedAt === null)
          const incidents = open.filter(({ maintenance }) => !maintenance)
          const maintenances = open.filter(({ maintenance }) => maintenance).toSorted(nextFirst)
          return {
            id: row.id,
            projectId: row.project_id,
            customDomain: row.custom_domain_status === "active" ? row.custom_domain : null,
            page: {
              name: row.name,
              slug: row.slug,
              updatedAt: now,
              status: overallState(monitors, [...incidents, ...maintenances]),
              monitors: groupTogether(monitors),
              incidents,
              maintenances,
              history: all.filter(({ resolvedAt }) => resolvedAt !== null)
            }
          }
        },
        (effect) => effect.pipe(provide, Effect.orDie)
      )

      const customDomains = sql<{ custom_domain: string; slug: string }>`SELECT custom_domain, slug FROM status_pages
        WHERE custom_domain IS NOT NULL AND (custom_domain_status = 'active' OR custom_domain_proven)`.pipe(
        Effect.map((rows) => new Map(rows.map(({ custom_domain, slug }) => [custom_domain, slug]))),
        Effect.orDie,
        Effect.withSpan("PublicPages.customDomains")
      )

      return PublicPages.of({ load, customDomains })
    })
  )
}

interface Row {
  readonly id: StatusPageId
  readonly project_id: ProjectId
  readonly name: string
  readonly slug: string
  readonly custom_domain: string | null
  readonly custom_domain_status: string
}

const publish = (
  incident: BareIncident,
  updates: Incident["updates"],
  shown: ReadonlySet<MonitorId>,
  now: EpochMillis
): PublicIncident => ({
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
  updates,
  updatedAt: incident.updatedAt
})

/** Windows that are open come before those to come, the soonest first. */
const nextFirst = (one: PublicIncident, other: PublicIncident): number => one.startedAt - other.startedAt

/** Monitors of one group stand together, where the first of them stood. */
const groupTogether = <M extends { readonly displayGroup: string | null }>(
  monitors: ReadonlyArray<M>
): ReadonlyArray<M> => [...Map.groupBy(monitors, ({ displayGroup }) => displayGroup).values()].flat()
