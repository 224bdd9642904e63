/**
 * An incident as other formats tell it: under which address it is read, when it was announced, when it last changed, and
 * how far it was with each entry. Windows have words of their own for that.
 */
import type { IncidentStatus, IncidentUpdate } from "@kanmon/domain/Incident"
import type { PublicIncident, PublicPage } from "@kanmon/domain/PublicPage"
import type { EpochMillis } from "@kanmon/domain/Timestamp"

/** How far people are: an incident's status, or where a maintenance window stands. */
export type Stage = IncidentStatus | "scheduled" | "in_progress" | "verifying" | "completed"

/** How far they are now. */
export const stage = ({ maintenance, phase, status }: PublicIncident): Stage =>
  !maintenance || phase === null ? status : phase === "in_progress" && status === "monitoring" ? "verifying" : phase

/** How far they were with an entry. What was written of a window before it began was written while it was scheduled. */
export const stageWith = (
  { maintenance, scheduledStart }: PublicIncident,
  { createdAt, status }: Pick<IncidentUpdate, "createdAt" | "status">
): Stage => {
  if (!maintenance) return status
  if (status === "resolved") return "completed"
  if (scheduledStart !== null && createdAt < scheduledStart) return "scheduled"
  return status === "monitoring" ? "verifying" : "in_progress"
}

/** When people were first told. A window's own beginning lies ahead then. */
export const announcedAt = ({ startedAt, updatedAt, updates }: PublicIncident): EpochMillis =>
  updates.at(-1)?.createdAt ?? Math.min(startedAt, updatedAt)

/** When there was last something to tell: the newest entry, the beginning of a window, or the end. */
export const changedAt = (incident: PublicIncident): EpochMillis =>
  Math.max(
    incident.updates[0]?.createdAt ?? announcedAt(incident),
    incident.phase === "in_progress" ? incident.startedAt : Number.NEGATIVE_INFINITY,
    incident.resolvedAt ?? Number.NEGATIVE_INFINITY
  )

/** Where it is read: its place on the page. */
export const addressOf = (page: Pick<PublicPage, "url">, { id }: Pick<PublicIncident, "id">): string =>
  new URL(`#${id}`, page.url).href
