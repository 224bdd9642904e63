/** Bodies of the overview: a project at a glance, and its monitors in one compact document. */
import { Explanation } from "@kanmon/domain/Explanation"
import { IncidentId, MonitorId } from "@kanmon/domain/Ids"
import { IncidentStatus } from "@kanmon/domain/Incident"
import { MonitorStatus } from "@kanmon/domain/Status"
import { Timestamp } from "@kanmon/domain/Timestamp"
import { Schema } from "effect"

const MaintenanceSummary = Schema.Struct({
  id: IncidentId,
  title: Schema.String,
  scheduledStart: Timestamp,
  scheduledEnd: Timestamp
})

const byStatus = {
  pending: Schema.Int,
  up: Schema.Int,
  degraded: Schema.Int,
  down: Schema.Int,
  paused: Schema.Int,
  maintenance: Schema.Int
} satisfies Record<MonitorStatus, typeof Schema.Int>

export const Overview = Schema.Struct({
  monitors: Schema.Int,
  byStatus: Schema.Struct(byStatus).annotate({ description: "How many monitors have each status" }),
  stale: Schema.Int.annotate({ description: "Monitors with overdue results" }),
  openAlerts: Schema.Int,
  activeIncidents: Schema.Array(
    Schema.Struct({ id: IncidentId, title: Schema.String, status: IncidentStatus, startedAt: Timestamp })
  ).annotate({ description: "Unresolved incidents, newest first, at most 20" }),
  maintenance: Schema.Struct({
    now: Schema.Array(MaintenanceSummary).annotate({ description: "Windows that are open, at most 20" }),
    next: Schema.NullOr(MaintenanceSummary).annotate({ description: "The next window" })
  }),
  offlineRegions: Schema.Array(Schema.String).annotate({ description: "Known regions without a live probe" }),
  month: Schema.NullOr(
    Schema.Struct({
      uptime: Schema.NullOr(Schema.Finite).annotate({ description: "Percent of the known time; null without data" }),
      downSeconds: Schema.Int.annotate({ description: "Downtime of all monitors together" }),
      since: Timestamp.annotate({ description: "The first of the 30 days, or when the first monitor was created" })
    })
  ).annotate({
    description:
      "The last 30 days of all monitors together, today included, measured every few minutes; null before, and with `at`"
  }),
  lastOutage: Schema.NullOr(
    Schema.Struct({
      monitorId: MonitorId,
      startedAt: Timestamp,
      endedAt: Schema.NullOr(Timestamp).annotate({ description: "Null while the monitor is down" })
    })
  ).annotate({ description: "The outage that goes on or ended last, outside of maintenance; null with `at`" })
}).annotate({ identifier: "Overview" })

const columns = { description: "A column: one value for each monitor, in the order of `id`" }

export const MonitorSummaries = Schema.Struct({
  total: Schema.Int.annotate({ description: "Monitors of the project; more than `id` has if there are over 10,000" }),
  groups: Schema.Array(Schema.String).annotate({ description: "The groups that monitors are in" }),
  tagSets: Schema.Array(Schema.Array(Schema.String)).annotate({ description: "The sets of tags that monitors carry" }),
  regionSets: Schema.Array(Schema.Array(Schema.String)).annotate({
    description: "The sets of regions that monitors are checked from; an empty set means all"
  }),
  id: Schema.Array(MonitorId).annotate({ description: "Newest first" }),
  name: Schema.Array(Schema.String).annotate(columns),
  type: Schema.Array(Schema.String).annotate(columns),
  target: Schema.Array(Schema.NullOr(Schema.String)).annotate({
    description: "The checked target, without credentials and query; null for monitors that wait for signals"
  }),
  group: Schema.Array(Schema.NullOr(Schema.Int)).annotate({ description: "Index into `groups`, or null" }),
  tags: Schema.Array(Schema.Int).annotate({ description: "Index into `tagSets`" }),
  regions: Schema.Array(Schema.Int).annotate({ description: "Index into `regionSets`" }),
  status: Schema.Array(MonitorStatus).annotate(columns),
  since: Schema.Array(Schema.Int).annotate({ description: "Since when the status holds, in seconds since 1970" }),
  uptime24h: Schema.Array(Schema.NullOr(Schema.Finite)).annotate({
    description: "Percent over the last 24 hours, measured every few minutes; null without data"
  }),
  p50: Schema.Array(Schema.NullOr(Schema.Finite)).annotate({
    description: "Median response time of the closed hours of the last day, in milliseconds; null without data"
  }),
  responseTime24h: Schema.Array(Schema.NullOr(Schema.Finite)).annotate({
    description:
      "Mean response time of the last 24 hours in milliseconds, measured every few minutes; null without data"
  }),
  results: Schema.Array(Schema.String).annotate({
    description: "The last 30 results, oldest first: `u` up, `g` degraded, `d` down, `x` unknown"
  }),
  stale: Schema.Array(Schema.Int).annotate({
    description: "Positions in `id` of the monitors with overdue results"
  }),
  failures: Schema.Array(
    Schema.Struct({
      monitor: Schema.Int.annotate({ description: "Position in `id`" }),
      message: Schema.String,
      explanation: Schema.optionalKey(Explanation)
    })
  ).annotate({ description: "Why the monitors that are down or degraded are so" })
}).annotate({ identifier: "MonitorSummaries" })
