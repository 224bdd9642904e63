/** Incidents and maintenance windows as people write them. */
import type { Incident, IncidentStatus } from "@kanmon/domain/Incident"
import { IncidentId, nextIncidentId, type ProjectId } from "@kanmon/domain/Ids"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import * as Cursor from "../database/Cursor.ts"
import { databaseDies } from "../database/Database.ts"
import {
  announce,
  type BareIncident,
  closeWindows,
  fitting,
  type IncidentRow,
  note,
  readIncident,
  spreadWindows,
  timelines
} from "./IncidentRow.ts"
import { OutboxSignal } from "../outbox/OutboxSignal.ts"
import type { Page, PageOptions } from "../database/Page.ts"

export class IncidentNotFound extends Schema.TaggedError<IncidentNotFound>()("IncidentNotFound", { id: IncidentId }) {}

/** What a user decides about an incident. */
export type IncidentDraft = Pick<
  Incident,
  "title" | "status" | "monitorIds" | "maintenance" | "scheduledStart" | "scheduledEnd" | "recurrence" | "timezone"
>

/** A draft, and what is to stand on the timeline. Without a message an entry is made only when the status changes. */
export interface IncidentChange {
  readonly draft: IncidentDraft
  readonly message: string | undefined
}

export class Incidents extends Context.Service<
  Incidents,
  {
    readonly list: (
      projectId: ProjectId,
      options: PageOptions & {
        readonly status?: IncidentStatus | undefined
        readonly maintenance?: boolean | undefined
      }
    ) => Effect.Effect<Page<Incident>>
    readonly get: (projectId: ProjectId, id: IncidentId) => Effect.Effect<Incident, IncidentNotFound>
    readonly create: (projectId: ProjectId, draft: IncidentDraft, message: string) => Effect.Effect<Incident>
    /** Reads, changes and writes under a row lock. */
    readonly update: <E>(
      projectId: ProjectId,
      id: IncidentId,
      change: (current: Incident) => Effect.Effect<IncidentChange, E>
    ) => Effect.Effect<Incident, IncidentNotFound | E>
    /** Deleting a maintenance window ends it now; what it has covered stays covered. */
    readonly remove: (projectId: ProjectId, id: IncidentId) => Effect.Effect<void, IncidentNotFound>
  }
>()("@kanmon/store/incidents/Incidents") {
  static readonly layer = Layer.effect(
    Incidents,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const signal = yield* OutboxSignal
      const random = yield* SecureRandom.SecureRandom
      const provide = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient | SecureRandom.SecureRandom>) =>
        effect.pipe(
          Effect.provideService(SqlClient.SqlClient, sql),
          Effect.provideService(SecureRandom.SecureRandom, random)
        )

      const complete = Effect.fnUntraced(function* (found: ReadonlyArray<BareIncident>) {
        const updatesOf = yield* timelines(found.map(({ id }) => id))
        return found.map((incident): Incident => ({ ...incident, updates: updatesOf(incident.id) }))
      })

      const list: Incidents["Service"]["list"] = Effect.fn("Incidents.list")(
        function* (projectId, options) {
          const before = Cursor.decode(options.cursor)
          const conditions = [
            sql`project_id = ${projectId}`,
            ...(before === undefined ? [] : [sql`id < ${before}`]),
            ...(options.status === undefined ? [] : [sql`status = ${options.status}`]),
            ...(options.maintenance === undefined ? [] : [sql`maintenance = ${options.maintenance}`])
          ]
          const rows = yield* sql<IncidentRow>`SELECT * FROM incidents WHERE ${sql.and(conditions)}
          ORDER BY id DESC LIMIT ${options.limit + 1}`
          const room = yield* fitting(
            rows.map(({ id }) => id),
            mostText
          )
          const page = Cursor.page(rows.map(readIncident), Math.min(options.limit, room))
          return { ...page, items: yield* complete(page.items) }
        },
        (effect) => effect.pipe(provide, Effect.orDie)
      )

      const get: Incidents["Service"]["get"] = Effect.fn("Incidents.get")(
        function* (projectId, id) {
          const [row] = yield* sql<IncidentRow>`SELECT * FROM incidents WHERE id = ${id} AND project_id = ${projectId}`
          if (row === undefined) return yield* new IncidentNotFound({ id })
          const [incident] = yield* complete([readIncident(row)])
          return incident!
        },
        (effect) => effect.pipe(provide, databaseDies)
      )

      const create: Incidents["Service"]["create"] = Effect.fn("Incidents.create")(
        function* (projectId, draft, message) {
          const at = yield* Clock.currentTimeMillis
          const incident = yield* sql.withTransaction(
            Effect.gen(function* () {
              const made = yield* insertIncident(projectId, draft, at)
              yield* note(made, message, at)
              if (made.maintenance) yield* spreadWindows(made, "all", at)
              yield* announce(made, "opened", message, at)
              return (yield* complete([made]))[0]!
            })
          )
          yield* signal.raise
          return incident
        },
        (effect) => effect.pipe(provide, Effect.orDie)
      )

      const update: Incidents["Service"]["update"] = (projectId, id, change) =>
        Effect.gen(function* () {
          const at = yield* Clock.currentTimeMillis
          const incident = yield* sql.withTransaction(
            Effect.gen(function* () {
              const [row] =
                yield* sql<IncidentRow>`SELECT * FROM incidents WHERE id = ${id} AND project_id = ${projectId} FOR UPDATE`
              if (row === undefined) return yield* new IncidentNotFound({ id })
              const [current] = yield* provide(complete([readIncident(row)]))
              const { draft, message } = yield* change(current!)
              return yield* provide(write(current!, draft, message, at))
            })
          )
          yield* signal.raise
          return incident
        }).pipe(databaseDies, Effect.withSpan("Incidents.update"))

      const write = Effect.fnUntraced(function* (
        current: Incident,
        draft: IncidentDraft,
        message: string | undefined,
        at: number
      ) {
        const turned = draft.status !== current.status
        const resolvedAt = draft.status !== "resolved" ? null : turned ? at : current.resolvedAt
        const moved = draft.scheduledStart !== current.scheduledStart
        const extended = draft.scheduledEnd !== current.scheduledEnd
        // A new rule counts from this window on.
        const anew = draft.recurrence !== current.recurrence || draft.timezone !== current.timezone
        const series = anew ? seriesOf(draft) : undefined
        const [row] = yield* sql<IncidentRow>`UPDATE incidents SET title = ${draft.title}, status = ${draft.status},
            monitor_ids = ${draft.monitorIds}::text[], scheduled_start = ${dateOf(draft.scheduledStart)},
            scheduled_end = ${dateOf(draft.scheduledEnd)}, recurrence = ${draft.recurrence}, timezone = ${draft.timezone},
            series_start = ${series === undefined ? sql`series_start` : dateOf(series.start)},
            series_millis = ${series === undefined ? sql`series_millis` : series.millis},
            series_at = ${series === undefined ? sql`series_at` : dateOf(series.start)},
            started_at = ${draft.maintenance ? dateOf(draft.scheduledStart) : sql`started_at`},
            begun = begun AND ${!moved}, resolved_at = ${dateOf(resolvedAt)}, updated_at = ${new Date(at)}
          WHERE id = ${current.id} RETURNING *`
        const written = readIncident(row!)
        if (turned || message !== undefined) yield* note(written, message ?? "", at)
        if (written.maintenance) yield* spreadWindows(written, moved ? "all" : extended ? "end" : "none", at)
        yield* announce(written, turned && draft.status === "resolved" ? "resolved" : "updated", message ?? "", at)
        return (yield* complete([written]))[0]!
      })

      const remove: Incidents["Service"]["remove"] = Effect.fn("Incidents.remove")(
        function* (projectId, id) {
          const at = yield* Clock.currentTimeMillis
          yield* sql.withTransaction(
            Effect.gen(function* () {
              const [row] =
                yield* sql<IncidentRow>`SELECT * FROM incidents WHERE id = ${id} AND project_id = ${projectId} FOR UPDATE`
              if (row === undefined) return yield* new IncidentNotFound({ id })
              yield* closeWindows(id, [], at)
              yield* sql`DELETE FROM incidents WHERE id = ${id}`
              yield* announce(readIncident(row), "deleted", "", at)
            })
          )
          yield* signal.raise
        },
        (effect) => effect.pipe(provide, databaseDies)
      )

      return Incidents.of({ list, get, create, update, remove })
    })
  )
}

/** Characters of all timelines of one page of a list; it ends sooner where they are long. */
const mostText = 2_000_000

const dateOf = (at: number | null): Date | null => (at === null ? null : new Date(at))

const seriesOf = (draft: IncidentDraft): { readonly start: number | null; readonly millis: number | null } =>
  draft.recurrence === null
    ? { start: null, millis: null }
    : { start: draft.scheduledStart, millis: draft.scheduledEnd! - draft.scheduledStart! }

/** Inserts an incident; run inside a transaction that does the rest of it. `series`: of the window it follows. */
export const insertIncident = Effect.fnUntraced(function* (
  projectId: ProjectId,
  draft: IncidentDraft,
  at: number,
  series = seriesOf(draft)
) {
  const sql = yield* SqlClient.SqlClient
  const id = yield* nextIncidentId
  const now = new Date(at)
  const resolvedAt = draft.status === "resolved" ? now : null
  const [row] = yield* sql<IncidentRow>`INSERT INTO incidents (id, project_id, title, status, monitor_ids, maintenance,
      scheduled_start, scheduled_end, recurrence, timezone, series_start, series_millis, series_at, started_at,
      resolved_at, created_at, updated_at)
    VALUES (${id}, ${projectId}, ${draft.title}, ${draft.status}, ${draft.monitorIds}::text[], ${draft.maintenance},
      ${dateOf(draft.scheduledStart)}, ${dateOf(draft.scheduledEnd)}, ${draft.recurrence}, ${draft.timezone},
      ${dateOf(series.start)}, ${series.millis}, ${series.start === null ? null : dateOf(draft.scheduledStart)},
      ${dateOf(draft.maintenance ? draft.scheduledStart : at)}, ${resolvedAt},
      ${now}, ${now}) RETURNING *`
  return readIncident(row!)
})
