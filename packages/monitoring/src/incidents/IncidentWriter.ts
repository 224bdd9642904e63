/** The steps that all changes of incidents share. Each runs inside the transaction of its caller. */
import type { Incident } from "@kanmon/domain/Incident"
import { nextIncidentId, nextUpdateId, type ProjectId } from "@kanmon/domain/Ids"
import type { IncidentEventName } from "@kanmon/domain/Subjects"
import { type EpochMillis, toIso } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { Rollups } from "../evaluation/index.ts"
import { RegistryRepository } from "../registry/index.ts"
import { MaintenanceWindows } from "../maintenance/index.ts"
import { AuditLog, type AuditedChange } from "@kanmon/identity/audit"
import { Outbox } from "@kanmon/platform/outbox/Outbox"
import { incidentEvent } from "@kanmon/domain/IncidentEvents"
import { IncidentRepository, type Series } from "./IncidentRepository.ts"
import type { IncidentRecord } from "./IncidentRow.ts"

/** The part of an incident that users write. */
export type IncidentDraft = Pick<
  Incident,
  "title" | "status" | "monitorIds" | "maintenance" | "scheduledStart" | "scheduledEnd" | "recurrence" | "timezone"
> & {
  /** When absent, they stay unchanged; a new incident has none. */
  readonly tags?: Incident["tags"]
  /** When absent, it stays unchanged; a new incident has none. */
  readonly key?: Incident["key"]
}

/** The series that begins with this window, if it recurs. */
export const seriesOf = ({
  recurrence,
  scheduledEnd,
  scheduledStart
}: Pick<Incident, "recurrence" | "scheduledStart" | "scheduledEnd">): Series | undefined =>
  recurrence === null || scheduledStart === null || scheduledEnd === null
    ? undefined
    : { start: scheduledStart, millis: scheduledEnd - scheduledStart }

export class IncidentWriter extends Context.Service<IncidentWriter>()("@kanmon/monitoring/incidents/IncidentWriter", {
  make: Effect.gen(function* () {
    const repository = yield* IncidentRepository
    const windows = yield* MaintenanceWindows
    const registry = yield* RegistryRepository
    const outbox = yield* Outbox
    const audit = yield* AuditLog
    const random = yield* SecureRandom.SecureRandom
    const rollups = yield* Rollups
    const newId = Effect.provideService(nextIncidentId, SecureRandom.SecureRandom, random)
    const newUpdateId = Effect.provideService(nextUpdateId, SecureRandom.SecureRandom, random)

    /** Adds an entry to the timeline. */
    const addUpdate = Effect.fnUntraced(function* (
      { id, status }: Pick<Incident, "id" | "status">,
      message: string,
      at: EpochMillis
    ) {
      const update = { id: yield* newUpdateId, status, message, createdAt: at }
      yield* repository.insertUpdate(id, update)
      return update
    })

    /** Makes the windows over monitors match a maintenance window, and has their uptime computed again. */
    const coverMonitors = Effect.fnUntraced(function* (
      incident: IncidentRecord,
      edited: "all" | "end" | "none",
      at: EpochMillis
    ) {
      const { id, projectId, resolvedAt, scheduledEnd, scheduledStart } = incident
      if (scheduledStart === null || scheduledEnd === null) return
      const { monitorIds: ids, tags } = incident
      // The named monitors, and those with its tags.
      const monitorIds = tags.length === 0 ? ids : yield* registry.selected(projectId, { ids, tags })
      const end = Math.min(scheduledEnd, resolvedAt ?? Number.POSITIVE_INFINITY)
      const changed = yield* windows.cover({ id, projectId, monitorIds, start: scheduledStart, end }, edited, at)
      yield* rollups.reopenDays(changed, at)
    })

    /**
     * Appends the public event and records the change. `message`: the timeline entry that belongs to it, if any. `before`:
     * the incident before it was changed; undefined when nothing but its state changed.
     */
    const announce = Effect.fnUntraced(function* (
      incident: IncidentRecord,
      name: IncidentEventName,
      message: string,
      at: EpochMillis,
      before?: IncidentRecord
    ) {
      yield* outbox.append([incidentEvent(incident, name, message, at, yield* random.ulid)])
      yield* audit.record([auditedChange(incident, name, message, before)])
    })

    /** Creates an incident with its first timeline entry, its windows over monitors and its public event. */
    const open = Effect.fnUntraced(function* (
      projectId: ProjectId,
      draft: IncidentDraft,
      message: string,
      at: EpochMillis,
      series: Series | undefined = seriesOf(draft)
    ) {
      const incident = newIncident(yield* newId, projectId, draft, series, at)
      yield* repository.insert(incident)
      if (series !== undefined) yield* repository.setSeries(incident.id, series, draft.scheduledStart)
      const update = yield* addUpdate(incident, message, at)
      if (incident.maintenance) yield* coverMonitors(incident, "all", at)
      yield* announce(incident, "opened", message, at)
      return { ...incident, updates: [update] }
    })

    return { open, addUpdate, coverMonitors, announce }
  })
}) {
  static readonly layer = Layer.effect(IncidentWriter, IncidentWriter.make)
}

/** The first window of a series, as records show it. */
export const spanOf = (series: Series | undefined): Incident["series"] =>
  series === undefined ? null : { start: series.start, end: series.start + series.millis }

const newIncident = (
  id: Incident["id"],
  projectId: ProjectId,
  draft: IncidentDraft,
  series: Series | undefined,
  at: EpochMillis
): IncidentRecord => ({
  id,
  projectId,
  key: draft.key ?? null,
  title: draft.title,
  status: draft.status,
  monitorIds: draft.monitorIds,
  tags: draft.tags ?? [],
  maintenance: draft.maintenance,
  scheduledStart: draft.scheduledStart,
  scheduledEnd: draft.scheduledEnd,
  recurrence: draft.recurrence,
  timezone: draft.timezone,
  series: spanOf(series),
  startedAt: draft.maintenance ? (draft.scheduledStart ?? at) : at,
  resolvedAt: draft.status === "resolved" ? at : null,
  createdAt: at,
  updatedAt: at
})

const auditedNames = { opened: "created", updated: "updated", resolved: "resolved", deleted: "deleted" } as const

const auditedChange = (
  incident: IncidentRecord,
  name: IncidentEventName,
  message: string,
  before: IncidentRecord | undefined
): AuditedChange => {
  const { id, maintenance, projectId, title } = incident
  const about = {
    action: `${maintenance ? "maintenance" : "incident"}.${auditedNames[name]}`,
    target: { id, name: title },
    projectId
  } as const
  const said = message === "" ? {} : { message }
  if (name === "opened") return { ...about, after: { ...audited(incident), ...said } }
  if (name === "deleted") return { ...about, before: audited(incident) }
  if (before === undefined) return { ...about, before: {}, after: { status: incident.status, ...said } }
  return { ...about, before: audited(before), after: { ...audited(incident), ...said } }
}

/** The fields that users set. */
const audited = (incident: IncidentRecord) => ({
  key: incident.key,
  title: incident.title,
  status: incident.status,
  monitorIds: incident.monitorIds,
  tags: incident.tags,
  scheduledStart: incident.scheduledStart === null ? null : toIso(incident.scheduledStart),
  scheduledEnd: incident.scheduledEnd === null ? null : toIso(incident.scheduledEnd),
  recurrence: incident.recurrence,
  timezone: incident.timezone
})
