/**
 * The public view of a status page. HTML, JSON, feeds and badges are all rendered from it, so they cannot contradict each
 * other. It holds nothing private: no targets and no failure reasons.
 */
import { Schema } from "effect"
import { IncidentId, MonitorId } from "./Ids.ts"
import { IncidentStatus, IncidentUpdate, MaintenancePhase } from "./Incident.ts"
import { MonitorStatus } from "./Status.ts"
import { dayMillis, type EpochMillis, floorDay, Timestamp } from "./Timestamp.ts"

/** Days shown in the uptime bar. */
export const barDays = 90

/** A period in which a monitor was down. */
export const Outage = Schema.Struct({
  startedAt: Timestamp,
  /** Null while it lasts. */
  endedAt: Schema.NullOr(Timestamp)
})
export type Outage = typeof Outage.Type

/** One UTC day of the bar. */
export const DayOfUptime = Schema.Struct({
  /** `YYYY-MM-DD`. */
  date: Schema.String,
  /** Percent; null where nothing is known. */
  uptime: Schema.NullOr(Schema.Finite),
  /** Seconds. */
  downtime: Schema.Finite
})
export type DayOfUptime = typeof DayOfUptime.Type

export const PublicMonitor = Schema.Struct({
  id: MonitorId,
  name: Schema.String,
  displayGroup: Schema.NullOr(Schema.String),
  status: MonitorStatus,
  /** Since when the status holds; null before the first result. */
  since: Schema.NullOr(Timestamp),
  /** Percent over the last 24 hours, 7, 30 and 90 days; null where nothing is known. */
  uptime24h: Schema.NullOr(Schema.Finite),
  uptime7d: Schema.NullOr(Schema.Finite),
  uptime30d: Schema.NullOr(Schema.Finite),
  uptime90d: Schema.NullOr(Schema.Finite),
  /** The last 90 days, oldest first; always 90 of them. */
  days: Schema.Array(DayOfUptime),
  /** The outages in these figures, newest first, at most 50. */
  outages: Schema.Array(Outage),
  /** Mean response time of each of the last 24 complete hours, oldest first; milliseconds, null without data. */
  responseTimes: Schema.Array(Schema.NullOr(Schema.Finite))
})
export type PublicMonitor = typeof PublicMonitor.Type

export const PublicIncident = Schema.Struct({
  id: IncidentId,
  title: Schema.String,
  status: IncidentStatus,
  /** Affected monitors on this page. */
  monitorIds: Schema.Array(MonitorId),
  maintenance: Schema.Boolean,
  /** The phase of a maintenance window; null for an incident. */
  phase: Schema.NullOr(MaintenancePhase),
  scheduledStart: Schema.NullOr(Timestamp),
  scheduledEnd: Schema.NullOr(Timestamp),
  startedAt: Timestamp,
  /** Null while unresolved. */
  resolvedAt: Schema.NullOr(Timestamp),
  /** The timeline, newest first. */
  updates: Schema.Array(IncidentUpdate),
  updatedAt: Timestamp
})
export type PublicIncident = typeof PublicIncident.Type

/** Overall state, best to worst. */
export const Indicator = Schema.Literals(["operational", "maintenance", "degraded", "partial_outage", "major_outage"])
export type Indicator = typeof Indicator.Type

export const OverallState = Schema.Struct({
  indicator: Indicator,
  /** The overall state as a sentence. */
  description: Schema.String
})
export type OverallState = typeof OverallState.Type

export const PublicPage = Schema.Struct({
  name: Schema.String,
  slug: Schema.String,
  /** The page's canonical URL: on its custom domain, on the pages' domain, or on this installation. */
  url: Schema.String,
  /** When the page was last rendered. */
  updatedAt: Timestamp,
  status: OverallState,
  /** In the page's order; monitors of one group are adjacent. */
  monitors: Schema.Array(PublicMonitor),
  /** Unresolved incidents, newest first. */
  incidents: Schema.Array(PublicIncident),
  /** Active windows, then upcoming ones, soonest first. */
  maintenances: Schema.Array(PublicIncident),
  /** Incidents resolved in the last 90 days, newest first. */
  history: Schema.Array(PublicIncident)
})
export type PublicPage = typeof PublicPage.Type

const words: Record<Indicator, string> = {
  operational: "All systems operational",
  maintenance: "Maintenance in progress",
  degraded: "Some systems are slow or partly unavailable",
  partial_outage: "Some systems are down",
  major_outage: "Most systems are down"
}

/** The overall state of a page's monitors and incidents. Paused and pending monitors do not count. */
export const overallState = (
  monitors: ReadonlyArray<Pick<PublicMonitor, "status">>,
  incidents: ReadonlyArray<Pick<PublicIncident, "maintenance" | "phase">>
): OverallState => {
  const count = { up: 0, degraded: 0, down: 0, maintenance: 0, paused: 0, pending: 0 }
  for (const { status } of monitors) count[status]++
  const evaluated = count.up + count.degraded + count.down
  const incident = incidents.some(({ maintenance }) => !maintenance)
  const atWork = count.maintenance > 0 || incidents.some(({ phase }) => phase === "in_progress")
  const indicator: Indicator =
    count.down > 0
      ? count.down * 2 > evaluated
        ? "major_outage"
        : "partial_outage"
      : count.degraded > 0 || incident
        ? "degraded"
        : atWork
          ? "maintenance"
          : "operational"
  const description =
    monitors.length === 0 && !incident && !atWork
      ? "This page has no monitors yet"
      : count.down > 0 && count.down === evaluated
        ? evaluated === 1
          ? "The system is down"
          : "All systems are down"
        : indicator === "degraded" && count.degraded === 0
          ? "There is an open incident"
          : words[indicator]
  return { indicator, description }
}

/** The time range of the uptime bar that ends with the day of `now`. */
export const barWindow = (now: EpochMillis): { readonly from: EpochMillis; readonly to: EpochMillis } => {
  const today = floorDay(now)
  return { from: today - (barDays - 1) * dayMillis, to: today + dayMillis }
}
