/**
 * What a status page tells the public. Everything that shows a page (HTML, JSON, feeds, badges) is rendered from this, so
 * that they can never say different things. It holds nothing that a stranger must not see: no addresses, no reasons.
 */
import { Schema } from "effect"
import { IncidentId, MonitorId } from "./Ids.ts"
import { IncidentStatus, IncidentUpdate, MaintenancePhase } from "./Incident.ts"
import { MonitorStatus } from "./Status.ts"
import { dayMillis, type EpochMillis, Timestamp } from "./Timestamp.ts"

/** How many days the bar of daily uptime shows. */
export const barDays = 90

/** A time in which a monitor was down. */
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
  /** Since when it stands so; null before the first result. */
  since: Schema.NullOr(Timestamp),
  /** Percent over the last 24 hours, 7, 30 and 90 days; null where nothing is known. */
  uptime24h: Schema.NullOr(Schema.Finite),
  uptime7d: Schema.NullOr(Schema.Finite),
  uptime30d: Schema.NullOr(Schema.Finite),
  uptime90d: Schema.NullOr(Schema.Finite),
  /** The last 90 days, oldest first; always 90 of them. */
  days: Schema.Array(DayOfUptime),
  /** The outages behind these figures, newest first, at most 50. */
  outages: Schema.Array(Outage),
  /** Mean response time of each of the last 24 closed hours, oldest first; milliseconds, null where there was none. */
  responseTimes: Schema.Array(Schema.NullOr(Schema.Finite))
})
export type PublicMonitor = typeof PublicMonitor.Type

export const PublicIncident = Schema.Struct({
  id: IncidentId,
  title: Schema.String,
  status: IncidentStatus,
  /** Affected monitors of this page. */
  monitorIds: Schema.Array(MonitorId),
  maintenance: Schema.Boolean,
  /** Of a maintenance window; null for an incident. */
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

/** How the whole stands: from all well to all down. */
export const Indicator = Schema.Literals(["operational", "maintenance", "degraded", "partial_outage", "major_outage"])
export type Indicator = typeof Indicator.Type

export const OverallState = Schema.Struct({
  indicator: Indicator,
  /** The same in words. */
  description: Schema.String
})
export type OverallState = typeof OverallState.Type

export const PublicPage = Schema.Struct({
  name: Schema.String,
  slug: Schema.String,
  /** The page's best address: the own domain, the pages' domain, or below this installation. */
  url: Schema.String,
  /** When the page was last brought up to date. */
  updatedAt: Timestamp,
  status: OverallState,
  /** In the page's order; monitors of one group stand together. */
  monitors: Schema.Array(PublicMonitor),
  /** Unresolved incidents, newest first. */
  incidents: Schema.Array(PublicIncident),
  /** Windows that are open now, then those to come, soonest first. */
  maintenances: Schema.Array(PublicIncident),
  /** What was resolved in the last 90 days, newest first. */
  history: Schema.Array(PublicIncident)
})
export type PublicPage = typeof PublicPage.Type

const words: Record<Indicator, string> = {
  operational: "All systems operational",
  maintenance: "Maintenance in progress",
  degraded: "Some systems are slow or partly working",
  partial_outage: "Some systems are down",
  major_outage: "Most systems are down"
}

/** What the monitors and incidents of a page amount to. Paused and pending monitors have no say. */
export const overallState = (
  monitors: ReadonlyArray<Pick<PublicMonitor, "status">>,
  incidents: ReadonlyArray<Pick<PublicIncident, "maintenance" | "phase">>
): OverallState => {
  const count = { up: 0, degraded: 0, down: 0, maintenance: 0, paused: 0, pending: 0 }
  for (const { status } of monitors) count[status]++
  const judged = count.up + count.degraded + count.down
  const incident = incidents.some(({ maintenance }) => !maintenance)
  const atWork = count.maintenance > 0 || incidents.some(({ phase }) => phase === "in_progress")
  const indicator: Indicator =
    count.down > 0
      ? count.down * 2 > judged
        ? "major_outage"
        : "partial_outage"
      : count.degraded > 0 || incident
        ? "degraded"
        : atWork
          ? "maintenance"
          : "operational"
  const description =
    monitors.length === 0 && !incident && !atWork
      ? "Nothing is shown here yet"
      : count.down > 0 && count.down === judged
        ? judged === 1
          ? "The system is down"
          : "All systems are down"
        : indicator === "degraded" && count.degraded === 0
          ? "There is an incident"
          : words[indicator]
  return { indicator, description }
}

/** The UTC days of the bar that ends with the day of `now`, as the beginning of the first and the end of the last. */
export const barWindow = (now: EpochMillis): { readonly from: EpochMillis; readonly to: EpochMillis } => {
  const today = Math.floor(now / dayMillis) * dayMillis
  return { from: today - (barDays - 1) * dayMillis, to: today + dayMillis }
}
