/**
 * A page in the format of Atlassian Statuspage's public API (v2), for compatibility with its tools. Each function renders one
 * file. Fields without an equivalent have values that raise no alarm.
 */
import type { IncidentUpdate } from "@kanmon/domain/Incident"
import type { Indicator, PublicIncident, PublicPage } from "@kanmon/domain/PublicPage"
import { type EpochMillis, toIso } from "@kanmon/domain/Timestamp"
import { addressOf, announcedAt, stage, stageWith } from "./IncidentTimeline.ts"
import { type Component, componentsOf } from "./StatuspageComponents.ts"

/** Maximum number of incidents in a list, as in Statuspage. */
const maximumListed = 50

/** `status.json`: the status of the page. */
export const status = (page: PublicPage) => ({ page: about(page), status: overall[page.status.indicator] })

/** `components.json`: the monitors and their groups. */
export const components = (page: PublicPage) => ({ page: about(page), components: componentsOf(page) })

/** `incidents.json`: the newest, resolved or not. */
export const incidents = (page: PublicPage) => ({
  page: about(page),
  incidents: newest([...page.incidents, ...page.history.filter(({ maintenance }) => !maintenance)]).map(
    incidentOf(page)
  )
})

/** `incidents/unresolved.json` */
export const unresolvedIncidents = (page: PublicPage) => ({
  page: about(page),
  incidents: page.incidents.map(incidentOf(page))
})

/** `scheduled-maintenances.json`: the newest maintenance windows, whether past, active or scheduled. */
export const scheduledMaintenances = (page: PublicPage) => ({
  page: about(page),
  scheduled_maintenances: newest([...page.maintenances, ...page.history.filter(({ maintenance }) => maintenance)]).map(
    maintenanceOf(page)
  )
})

/** `scheduled-maintenances/upcoming.json`: the scheduled maintenance windows, soonest first. */
export const upcomingMaintenances = (page: PublicPage) => ({
  page: about(page),
  scheduled_maintenances: page.maintenances.filter(({ phase }) => phase === "scheduled").map(maintenanceOf(page))
})

/** `scheduled-maintenances/active.json`: the active maintenance windows. */
export const activeMaintenances = (page: PublicPage) => ({
  page: about(page),
  scheduled_maintenances: page.maintenances.filter(({ phase }) => phase === "in_progress").map(maintenanceOf(page))
})

/** `summary.json`: components, unresolved incidents, and active or scheduled maintenance windows. */
export const summary = (page: PublicPage) => ({
  ...components(page),
  ...unresolvedIncidents(page),
  scheduled_maintenances: page.maintenances.map(maintenanceOf(page)),
  ...status(page)
})

/** The files by their paths below `/api/v2/`. */
export const statuspageFiles = {
  "summary.json": summary,
  "status.json": status,
  "components.json": components,
  "incidents.json": incidents,
  "incidents/unresolved.json": unresolvedIncidents,
  "scheduled-maintenances.json": scheduledMaintenances,
  "scheduled-maintenances/upcoming.json": upcomingMaintenances,
  "scheduled-maintenances/active.json": activeMaintenances
} as const satisfies Record<string, (page: PublicPage) => object>

const about = (page: PublicPage) => ({
  id: page.slug,
  name: page.name,
  url: page.url,
  time_zone: "Etc/UTC",
  updated_at: toIso(page.updatedAt)
})

// Statuspage's exact texts, because some tools compare them.
const overall = {
  operational: { indicator: "none", description: "All Systems Operational" },
  maintenance: { indicator: "maintenance", description: "Service Under Maintenance" },
  degraded: { indicator: "minor", description: "Partially Degraded Service" },
  partial_outage: { indicator: "major", description: "Partial System Outage" },
  major_outage: { indicator: "critical", description: "Major Service Outage" }
} as const satisfies Record<Indicator, object>

const newest = (incidents: ReadonlyArray<PublicIncident>): ReadonlyArray<PublicIncident> =>
  incidents.toSorted((a, b) => announcedAt(b) - announcedAt(a)).slice(0, maximumListed)

const incidentOf = (page: PublicPage) => {
  const all = componentsOf(page)
  return (incident: PublicIncident) => ({
    id: incident.id,
    name: incident.title,
    status: stage(incident),
    created_at: toIso(announcedAt(incident)),
    updated_at: toIso(incident.updatedAt),
    monitoring_at: isoOrNull(incident.updates.find(({ status }) => status === "monitoring")?.createdAt),
    resolved_at: isoOrNull(incident.resolvedAt),
    impact: impactOf(page, incident),
    shortlink: addressOf(page, incident),
    started_at: toIso(incident.startedAt),
    page_id: page.slug,
    incident_updates: incident.updates.map(updateOf(incident)),
    components: all.filter((component) => isAffected(incident, component)),
    reminder_intervals: null
  })
}

const maintenanceOf = (page: PublicPage) => {
  const asIncident = incidentOf(page)
  return (window: PublicIncident) => ({
    ...asIncident(window),
    scheduled_for: toIso(window.scheduledStart ?? window.startedAt),
    scheduled_until: isoOrNull(window.scheduledEnd)
  })
}

const updateOf = (incident: PublicIncident) => (update: IncidentUpdate) => ({
  id: update.id,
  status: stageWith(incident, update),
  body: update.message,
  incident_id: incident.id,
  created_at: toIso(update.createdAt),
  updated_at: toIso(update.createdAt),
  display_at: toIso(update.createdAt),
  affected_components: null,
  deliver_notifications: true,
  custom_tweet: null,
  tweet_id: null
})

const isAffected = (incident: PublicIncident, { group, id }: Component): boolean =>
  !group && incident.monitorIds.some((monitorId) => monitorId === id)

/**
 * Statuspage derives the impact from the worst status of the affected components. An incident is at least minor, even if no
 * monitor was down.
 */
const impactOf = (page: PublicPage, incident: PublicIncident): "minor" | "critical" | "maintenance" => {
  if (incident.maintenance) return "maintenance"
  const wasDown = page.monitors
    .filter(({ id }) => incident.monitorIds.includes(id))
    .flatMap(({ outages }) => outages)
    .some(
      ({ endedAt, startedAt }) =>
        startedAt < (incident.resolvedAt ?? Number.POSITIVE_INFINITY) &&
        (endedAt ?? Number.POSITIVE_INFINITY) > incident.startedAt
    )
  return wasDown ? "critical" : "minor"
}

const isoOrNull = (at: EpochMillis | null | undefined): string | null =>
  at === null || at === undefined ? null : toIso(at)
