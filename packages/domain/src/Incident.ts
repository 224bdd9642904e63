/**
 * Incidents and maintenance windows: what people write about an outage, and the time in which nobody is to be woken. A
 * maintenance window is an incident with a beginning and an end that are known beforehand.
 */
import { Schema } from "effect"
import { IncidentId, MonitorId, ProjectId, UpdateId } from "./Ids.ts"
import { type EpochMillis, Timestamp } from "./Timestamp.ts"

/** How far people are with it. Every change is allowed. */
export const IncidentStatus = Schema.Literals(["investigating", "identified", "monitoring", "resolved"])
export type IncidentStatus = typeof IncidentStatus.Type

/** Where a maintenance window stands. */
export const MaintenancePhase = Schema.Literals(["scheduled", "in_progress", "completed"])
export type MaintenancePhase = typeof MaintenancePhase.Type

/** A line of text that people read as a heading. */
export const Title = Schema.String.check(
  Schema.isPattern(/^(?=.*\S)[^\p{Cc}]{1,200}$/u, {
    message: "Expected 1 to 200 characters, without control characters"
  })
)

/** What is written on a timeline. */
export const Message = Schema.String.check(
  Schema.isMaxLength(10_000, { message: "Expected at most 10,000 characters" })
)

/** An entry of the timeline. */
export const IncidentUpdate = Schema.Struct({
  id: UpdateId,
  status: IncidentStatus,
  message: Schema.String,
  createdAt: Timestamp
})
export type IncidentUpdate = typeof IncidentUpdate.Type

export const Incident = Schema.Struct({
  id: IncidentId,
  projectId: ProjectId,
  title: Title,
  status: IncidentStatus,
  /** Affected monitors. One that was deleted since goes on being named. */
  monitorIds: Schema.Array(MonitorId),
  maintenance: Schema.Boolean,
  /** The window; null for an incident. */
  scheduledStart: Schema.NullOr(Timestamp),
  scheduledEnd: Schema.NullOr(Timestamp),
  /** An RFC 5545 RRULE: when this window is over, the next one is scheduled as an incident of its own. */
  recurrence: Schema.NullOr(Schema.String),
  /** IANA time zone in which the recurrence is reckoned; null without one. */
  timezone: Schema.NullOr(Schema.String),
  startedAt: Timestamp,
  /** Null while unresolved. */
  resolvedAt: Schema.NullOr(Timestamp),
  /** The timeline, newest first. */
  updates: Schema.Array(IncidentUpdate),
  createdAt: Timestamp,
  updatedAt: Timestamp
})
export type Incident = typeof Incident.Type

/** Entries of one timeline, and characters of all its messages: whoever reads the incident reads all of it. */
const mostUpdates = 200
const mostTimelineText = 100_000

/** Why nothing more can be written on a timeline, as a sentence; undefined when something can. An incident can always be resolved. */
export const timelineObjection = (
  { status, updates }: Pick<Incident, "status" | "updates">,
  change: { readonly status: IncidentStatus; readonly message: string | undefined }
): string | undefined => {
  const turned = change.status !== status
  if ((!turned && change.message === undefined) || (turned && change.status === "resolved")) return undefined
  const text = updates.reduce((sum, { message }) => sum + message.length, change.message?.length ?? 0)
  return updates.length < mostUpdates && text <= mostTimelineText
    ? undefined
    : `A timeline has room for ${mostUpdates} entries and ${mostTimelineText} characters: resolve this incident and open another one`
}

/** Where the window stands at an instant; null for what is no maintenance. */
export const phaseOf = (
  incident: Pick<Incident, "maintenance" | "scheduledStart" | "resolvedAt">,
  now: EpochMillis
): MaintenancePhase | null => {
  if (!incident.maintenance) return null
  if (incident.resolvedAt !== null) return "completed"
  return now < (incident.scheduledStart ?? now) ? "scheduled" : "in_progress"
}
