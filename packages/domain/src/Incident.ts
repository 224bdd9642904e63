/**
 * Incidents and maintenance windows. A maintenance window is an incident with a start and an end that are known in
 * advance; it suppresses alerts.
 */
import { Schema } from "effect"
import { boundedText } from "./BoundedText.ts"
import { IncidentId, MonitorId, ProjectId, UpdateId } from "./Ids.ts"
import { Key } from "./Key.ts"
import { line } from "./Line.ts"
import { Tags } from "./Tag.ts"
import { type EpochMillis, Timestamp } from "./Timestamp.ts"

/** The progress of an incident. Every transition is allowed. */
export const IncidentStatus = Schema.Literals(["investigating", "identified", "monitoring", "resolved"])
export type IncidentStatus = typeof IncidentStatus.Type

/** The phase of a maintenance window. */
export const MaintenancePhase = Schema.Literals(["scheduled", "in_progress", "completed"])
export type MaintenancePhase = typeof MaintenancePhase.Type

/** A one-line heading. */
export const Title = line(200)

/** The text of a timeline entry. */
export const Message = boundedText(10_000, "Expected at most 10,000 characters")

/** An entry of the timeline. */
export const IncidentUpdate = Schema.Struct({
  id: UpdateId,
  status: IncidentStatus,
  message: Schema.String,
  createdAt: Timestamp
})
export type IncidentUpdate = typeof IncidentUpdate.Type

/** The first window of a recurring maintenance. */
export const MaintenanceSeries = Schema.Struct({ start: Timestamp, end: Timestamp })
export type MaintenanceSeries = typeof MaintenanceSeries.Type

export const Incident = Schema.Struct({
  id: IncidentId,
  projectId: ProjectId,
  /** The key of a maintenance window that a file manages. It moves on to the next window of a series. */
  key: Schema.NullOr(Key),
  title: Title,
  status: IncidentStatus,
  /** Affected monitors. Deleted monitors stay listed. */
  monitorIds: Schema.Array(MonitorId),
  /** The monitors that carry any of them are affected too. */
  tags: Tags,
  maintenance: Schema.Boolean,
  /** The window; null for an incident. */
  scheduledStart: Schema.NullOr(Timestamp),
  scheduledEnd: Schema.NullOr(Timestamp),
  /** An RFC 5545 RRULE. When this window ends, the next one is scheduled as a separate incident. */
  recurrence: Schema.NullOr(Schema.String),
  /** IANA time zone of the recurrence; null without one. */
  timezone: Schema.NullOr(Schema.String),
  /** The window that the recurrence counts from; null without one. */
  series: Schema.NullOr(MaintenanceSeries),
  startedAt: Timestamp,
  /** Null while unresolved. */
  resolvedAt: Schema.NullOr(Timestamp),
  /** The timeline, newest first. */
  updates: Schema.Array(IncidentUpdate),
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "Incident" })
export type Incident = typeof Incident.Type

/** Limits of one timeline: entries, and characters of all messages. Reading an incident loads all of it. */
const maxUpdates = 200
const maxTimelineText = 100_000

/**
 * Why nothing can be added to a timeline, as a sentence; undefined when something can. Resolving an incident is always
 * allowed.
 */
export const timelineObjection = (
  { status, updates }: Pick<Incident, "status" | "updates">,
  change: { readonly status: IncidentStatus; readonly message: string | undefined }
): string | undefined => {
  const turned = change.status !== status
  if ((!turned && change.message === undefined) || (turned && change.status === "resolved")) return undefined
  const text = updates.reduce((sum, { message }) => sum + message.length, change.message?.length ?? 0)
  return updates.length < maxUpdates && text <= maxTimelineText
    ? undefined
    : `A timeline can hold ${maxUpdates} entries and ${maxTimelineText} characters: resolve this incident and open another one`
}

/** The phase of the window at an instant; null for an incident. */
export const phaseOf = (
  incident: Pick<Incident, "maintenance" | "scheduledStart" | "resolvedAt">,
  now: EpochMillis
): MaintenancePhase | null => {
  if (!incident.maintenance) return null
  if (incident.resolvedAt !== null) return "completed"
  return now < (incident.scheduledStart ?? now) ? "scheduled" : "in_progress"
}
