/**
 * Properties of an incident for feeds and JSON: its URL, when it was announced, when it last changed, and its stage at each
 * entry. Maintenance windows have their own stages.
 */
import type { IncidentStatus, IncidentUpdate } from "@kanmon/domain/Incident"
import type { PublicIncident, PublicPage } from "@kanmon/domain/PublicPage"
import type { EpochMillis } from "@kanmon/domain/Timestamp"

/** An incident's status, or the stage of a maintenance window. */
export type Stage = IncidentStatus | "scheduled" | "in_progress" | "verifying" | "completed"

/** The current stage. */
export const stage = ({ maintenance, phase, status }: PublicIncident): Stage =>
  !maintenance || phase === null ? status : phase === "in_progress" && status === "monitoring" ? "verifying" : phase

/** The stage at an entry. Entries before a maintenance window began belong to `scheduled`. */
export const stageWith = (
  { maintenance, scheduledStart }: PublicIncident,
  { createdAt, status }: Pick<IncidentUpdate, "createdAt" | "status">
): Stage => {
  if (!maintenance) return status
  if (status === "resolved") return "completed"
  if (scheduledStart !== null && createdAt < scheduledStart) return "scheduled"
  return status === "monitoring" ? "verifying" : "in_progress"
}

/** When the incident was announced. A maintenance window begins later. */
export const announcedAt = ({ startedAt, updatedAt, updates }: PublicIncident): EpochMillis =>
  updates.at(-1)?.createdAt ?? Math.min(startedAt, updatedAt)

/** The last change: the newest entry, the beginning of a maintenance window, or the end. */
export const changedAt = (incident: PublicIncident): EpochMillis =>
  Math.max(
    incident.updates[0]?.createdAt ?? announcedAt(incident),
    incident.phase === "in_progress" ? incident.startedAt : Number.NEGATIVE_INFINITY,
    incident.resolvedAt ?? Number.NEGATIVE_INFINITY
  )

/** The URL of the incident on the page. */
export const addressOf = (page: Pick<PublicPage, "url">, { id }: Pick<PublicIncident, "id">): string =>
  new URL(`#${id}`, page.url).href
