/** Incidents and maintenance windows as users write them. */
import type { Incident, IncidentStatus } from "@kanmon/domain/Incident"
import type { IncidentId, MonitorId, ProjectId } from "@kanmon/domain/Ids"
import { IncidentNotFound } from "@kanmon/domain/NotFound"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer } from "effect"
import { MaintenanceWindows } from "../maintenance/index.ts"
import * as Cursor from "@kanmon/platform/database/Cursor"
import type { PageOptions } from "@kanmon/platform/database/Page"
import { Transaction } from "@kanmon/platform/Transaction"
import { IncidentRepository, type Series } from "./IncidentRepository.ts"
import type { IncidentRecord } from "./IncidentRow.ts"
import { type IncidentDraft, IncidentWriter, seriesOf, spanOf } from "./IncidentWriter.ts"

/** A draft and its timeline entry. Without a message an entry is added only if the status changes. */
interface IncidentChange {
  readonly draft: IncidentDraft
  readonly message: string | undefined
  /** A new series, of which the draft is one window. */
  readonly series?: Series | undefined
  /** The new text of the first timeline entry. */
  readonly announcement?: string | undefined
}

export class Incidents extends Context.Service<Incidents>()("@kanmon/monitoring/incidents/Incidents", {
  make: Effect.gen(function* () {
    const repository = yield* IncidentRepository
    const windows = yield* MaintenanceWindows
    const writer = yield* IncidentWriter
    const transaction = yield* Transaction

    const withTimelines = Effect.fnUntraced(function* (found: ReadonlyArray<IncidentRecord>) {
      const updates = Map.groupBy(yield* repository.updates(found.map(({ id }) => id)), ({ incidentId }) => incidentId)
      return found.map((incident): Incident => {
        const own = updates.get(incident.id) ?? []
        return { ...incident, updates: own.map(({ incidentId: _, ...update }) => update) }
      })
    })

    const withTimeline = Effect.fnUntraced(function* (id: IncidentId, found: IncidentRecord | undefined) {
      const [incident] = found === undefined ? [] : yield* withTimelines([found])
      return incident ?? (yield* new IncidentNotFound({ id }))
    })

    /** How many of the first incidents have timelines that fit into so many characters together; at least one. */
    const fitting = Effect.fnUntraced(function* (incidents: ReadonlyArray<IncidentRecord>, characters: number) {
      const sizes = yield* repository.timelineSizes(incidents.map(({ id }) => id))
      const sizeOf = new Map(sizes.map((size) => [size.incidentId, size.characters]))
      let left = characters
      const over = incidents.findIndex(({ id }) => (left -= sizeOf.get(id) ?? 0) < 0)
      return over < 0 ? incidents.length : Math.max(1, over)
    })

    const list = Effect.fn("Incidents.list")(function* (
      projectId: ProjectId,
      options: PageOptions & {
        readonly status?: IncidentStatus | undefined
        readonly maintenance?: boolean | undefined
        readonly key?: string | undefined
        readonly keyed?: boolean | undefined
      }
    ) {
      const { cursor, key, keyed, limit, maintenance, status } = options
      const before = Cursor.decode(cursor)
      const found = yield* repository.list(projectId, {
        status,
        maintenance,
        key,
        keyed,
        before,
        limit: limit + 1
      })
      const page = Cursor.page(found, Math.min(limit, yield* fitting(found, maxPageText)))
      return { ...page, items: yield* withTimelines(page.items) }
    })

    /**
     * Incidents about any of these monitors or about the whole project: unresolved ones first, then those resolved
     * after an instant, newest first. At most `limit`, with timelines of at most `maxText` characters together.
     */
    const listAbout = Effect.fn("Incidents.listAbout")(function* (
      projectId: ProjectId,
      monitorIds: ReadonlyArray<MonitorId>,
      {
        limit,
        maxText,
        resolvedAfter
      }: { readonly resolvedAfter: EpochMillis; readonly limit: number; readonly maxText: number }
    ) {
      const found = yield* repository.listAbout(projectId, monitorIds, { resolvedAfter, limit })
      return yield* withTimelines(found.slice(0, yield* fitting(found, maxText)))
    })

    const get = Effect.fn("Incidents.get")(function* (projectId: ProjectId, id: IncidentId) {
      return yield* withTimeline(id, yield* repository.find(projectId, id))
    })

    /** `series`: the one of which the draft is a window; by default, it begins with that window. */
    const create = Effect.fn("Incidents.create")(function* (
      projectId: ProjectId,
      draft: IncidentDraft,
      message: string,
      series?: Series
    ) {
      return yield* writer.open(projectId, draft, message, yield* Clock.currentTimeMillis, series)
    }, transaction.run)

    /** Reads, changes and writes under a row lock. */
    const update = <E>(
      projectId: ProjectId,
      id: IncidentId,
      change: (current: Incident) => Effect.Effect<IncidentChange, E>
    ) =>
      Effect.gen(function* () {
        const at = yield* Clock.currentTimeMillis
        const current = yield* withTimeline(id, yield* repository.lock(projectId, id))
        return yield* write(current, yield* change(current), at)
      }).pipe(transaction.run, Effect.withSpan("Incidents.update"))

    const write = Effect.fnUntraced(function* (
      { updates, ...current }: Incident,
      { announcement, draft, message, series }: IncidentChange,
      at: EpochMillis
    ) {
      // A new rule without a series counts from this window on.
      const ruled = draft.recurrence !== current.recurrence || draft.timezone !== current.timezone
      const begins = series ?? (ruled ? seriesOf(draft) : undefined)
      const next = {
        ...apply(draft, current, at),
        series: series !== undefined || ruled ? spanOf(begins) : current.series
      }
      const statusChanged = next.status !== current.status
      const startMoved = next.scheduledStart !== current.scheduledStart
      const endMoved = next.scheduledEnd !== current.scheduledEnd
      yield* repository.update(next, startMoved)
      if (series !== undefined || ruled) yield* repository.setSeries(next.id, begins, next.scheduledStart)
      if (announcement !== undefined) yield* repository.rewriteFirst(next.id, announcement)
      const added = statusChanged || message !== undefined ? [yield* writer.addUpdate(next, message ?? "", at)] : []
      if (next.maintenance) yield* writer.coverMonitors(next, startMoved ? "all" : endMoved ? "end" : "none", at)
      const event = statusChanged && next.status === "resolved" ? "resolved" : "updated"
      yield* writer.announce(next, event, message ?? "", at, current)
      return { ...next, updates: [...added, ...rewritten(updates, announcement)] }
    })

    /** Deleting a maintenance window ends it now; the covered time stays covered. */
    const remove = Effect.fn("Incidents.remove")(function* (projectId: ProjectId, id: IncidentId) {
      const at = yield* Clock.currentTimeMillis
      const incident = yield* repository.lock(projectId, id)
      if (incident === undefined) return yield* new IncidentNotFound({ id })
      yield* windows.end(id, [], at)
      yield* repository.delete(id)
      yield* writer.announce(incident, "deleted", "", at)
    }, transaction.run)

    return { list, listAbout, get, create, update, remove }
  })
}) {
  static readonly layer = Layer.effect(Incidents, Incidents.make)
}

/** Characters of all timelines on one page of a list; the page ends earlier where they are long. */
const maxPageText = 2_000_000

const rewritten = (updates: Incident["updates"], announcement: string | undefined): Incident["updates"] =>
  updates.map((update, index) =>
    announcement === undefined || index < updates.length - 1 ? update : { ...update, message: announcement }
  )

/** The incident as the draft changes it. */
const apply = (draft: IncidentDraft, current: IncidentRecord, at: EpochMillis): IncidentRecord => ({
  ...current,
  key: draft.key === undefined ? current.key : draft.key,
  title: draft.title,
  status: draft.status,
  monitorIds: draft.monitorIds,
  tags: draft.tags ?? current.tags,
  scheduledStart: draft.scheduledStart,
  scheduledEnd: draft.scheduledEnd,
  recurrence: draft.recurrence,
  timezone: draft.timezone,
  startedAt: draft.maintenance && draft.scheduledStart !== null ? draft.scheduledStart : current.startedAt,
  resolvedAt: draft.status !== "resolved" ? null : current.status === "resolved" ? current.resolvedAt : at,
  updatedAt: at
})
