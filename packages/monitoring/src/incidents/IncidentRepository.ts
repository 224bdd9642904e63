/** The tables `incidents` and `incident_updates`. Each method is one statement; the rules are in Incidents. */
import { IncidentUpdate } from "@kanmon/domain/Incident"
import { IncidentId, type MonitorId, type ProjectId, UpdateId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { databaseDies } from "@kanmon/platform/database/Database"
import { keyTakenAsAnswer } from "@kanmon/platform/database/KeyTaken"
import * as Rows from "@kanmon/platform/database/Rows"
import { type IncidentRecord, IncidentRow } from "./IncidentRow.ts"

const UpdateRow = Schema.Struct({
  id: UpdateId,
  incidentId: IncidentId,
  status: IncidentUpdate.fields.status,
  message: Schema.String,
  createdAt: Rows.Time
}).pipe(Schema.encodeKeys({ incidentId: "incident_id", createdAt: "created_at" }))

const TimelineSize = Schema.Struct({ incidentId: IncidentId, characters: Rows.Count }).pipe(
  Schema.encodeKeys({ incidentId: "incident_id" })
)

/** The series of a recurring window: its first start, which the recurrence counts from, and the length of its windows. */
export interface Series {
  readonly start: EpochMillis
  readonly millis: number
}

interface Filter {
  readonly status?: IncidentRecord["status"] | undefined
  readonly maintenance?: boolean | undefined
  readonly key?: string | undefined
  /** Only those that have a key. */
  readonly keyed?: boolean | undefined
  /** Only incidents older than this one. */
  readonly before?: string | undefined
  readonly limit: number
}

export class IncidentRepository extends Context.Service<IncidentRepository>()(
  "@kanmon/monitoring/incidents/IncidentRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const all = Rows.all(IncidentRow)
      const first = Rows.first(IncidentRow)
      const keyed = (statement: Effect.Effect<unknown, SqlError.SqlError>) =>
        databaseDies(keyTakenAsAnswer(Effect.asVoid(statement)))
      const write = (statement: Effect.Effect<unknown, unknown>) => Effect.orDie(Effect.asVoid(statement))

      return {
        /** Incidents of a project, newest first. */
        list: (projectId: ProjectId, { before, key, keyed: onlyKeyed, limit, maintenance, status }: Filter) => {
          const conditions = [
            sql`project_id = ${projectId}`,
            ...(before === undefined ? [] : [sql`id < ${before}`]),
            ...(key === undefined ? [] : [sql`key = ${key}`]),
            ...(onlyKeyed === true ? [sql`key IS NOT NULL`] : []),
            ...(status === undefined ? [] : [sql`status = ${status}`]),
            ...(maintenance === undefined ? [] : [sql`maintenance = ${maintenance}`])
          ]
          return sql`SELECT * FROM incidents WHERE ${sql.and(conditions)} ORDER BY id DESC LIMIT ${limit}`.pipe(all)
        },
        /**
         * Incidents about any of these monitors or about the whole project, unresolved ones first. Their `monitorIds` include those
         * of the given monitors that carry their tags.
         */
        listAbout: (
          projectId: ProjectId,
          monitorIds: ReadonlyArray<MonitorId>,
          { limit, resolvedAfter }: { readonly resolvedAfter: EpochMillis; readonly limit: number }
        ) =>
          sql`SELECT i.*, i.monitor_ids || followers.ids AS monitor_ids FROM incidents i
            CROSS JOIN LATERAL (SELECT ARRAY(SELECT m.id FROM monitors m WHERE i.tags <> '{}'
              AND m.id = ANY(${monitorIds}::text[]) AND m.tags && i.tags AND NOT m.id = ANY(i.monitor_ids)) AS ids) followers
            WHERE project_id = ${projectId}
            AND (i.monitor_ids = '{}' AND i.tags = '{}' OR i.monitor_ids && ${monitorIds}::text[] OR followers.ids <> '{}')
            AND (resolved_at IS NULL OR resolved_at > ${new Date(resolvedAfter)})
            ORDER BY resolved_at DESC NULLS FIRST, started_at DESC LIMIT ${limit}`.pipe(all),
        /** Locks the maintenance windows of a project that are not resolved and follow any of these tags. */
        lockFollowers: (projectId: ProjectId, tags: ReadonlyArray<string>) =>
          sql`SELECT * FROM incidents WHERE project_id = ${projectId} AND maintenance AND resolved_at IS NULL
            AND tags <> '{}' AND tags && ${tags}::text[] ORDER BY id FOR UPDATE`.pipe(all),
        find: (projectId: ProjectId, id: IncidentId) =>
          sql`SELECT * FROM incidents WHERE id = ${id} AND project_id = ${projectId}`.pipe(first),
        /** Finds an incident and locks it until the transaction ends. */
        lock: (projectId: ProjectId, id: IncidentId) =>
          sql`SELECT * FROM incidents WHERE id = ${id} AND project_id = ${projectId} FOR UPDATE`.pipe(first),
        insert: (incident: IncidentRecord) =>
          sql`INSERT INTO incidents (id, project_id, key, title, status, monitor_ids, tags, maintenance, scheduled_start,
              scheduled_end, recurrence, timezone, started_at, resolved_at, created_at, updated_at)
            VALUES (${incident.id}, ${incident.projectId}, ${incident.key}, ${incident.title}, ${incident.status},
              ${incident.monitorIds}::text[], ${incident.tags}::text[], ${incident.maintenance}, ${dateOf(incident.scheduledStart)},
              ${dateOf(incident.scheduledEnd)}, ${incident.recurrence}, ${incident.timezone},
              ${dateOf(incident.startedAt)}, ${dateOf(incident.resolvedAt)}, ${dateOf(incident.createdAt)},
              ${dateOf(incident.updatedAt)})`.pipe(keyed),
        /** Writes all that can change. `moved`: the start of its window changed, so its beginning is to be announced again. */
        update: (incident: IncidentRecord, moved: boolean) =>
          sql`UPDATE incidents SET key = ${incident.key}, title = ${incident.title}, status = ${incident.status},
              monitor_ids = ${incident.monitorIds}::text[], tags = ${incident.tags}::text[], scheduled_start = ${dateOf(incident.scheduledStart)},
              scheduled_end = ${dateOf(incident.scheduledEnd)}, recurrence = ${incident.recurrence},
              timezone = ${incident.timezone}, started_at = ${dateOf(incident.startedAt)}, begun = begun AND ${!moved},
              resolved_at = ${dateOf(incident.resolvedAt)}, updated_at = ${dateOf(incident.updatedAt)}
            WHERE id = ${incident.id}`.pipe(keyed),
        /** Takes the key from an incident, so that the next window of its series can have it. */
        releaseKey: (id: IncidentId) => sql`UPDATE incidents SET key = NULL WHERE id = ${id}`.pipe(write),
        /** Sets the series of a window; `at` is where in the series the window stands. */
        setSeries: (id: IncidentId, series: Series | undefined, at: EpochMillis | null) =>
          sql`UPDATE incidents SET series_start = ${dateOf(series?.start ?? null)}, series_millis = ${series?.millis ?? null},
            series_at = ${dateOf(at)} WHERE id = ${id}`.pipe(write),
        delete: (id: IncidentId) => sql`DELETE FROM incidents WHERE id = ${id}`.pipe(write),
        /** The timelines of incidents, newest entry first. */
        updates: (ids: ReadonlyArray<IncidentId>) =>
          sql`SELECT * FROM incident_updates WHERE incident_id = ANY(${ids}::text[]) ORDER BY id DESC`.pipe(
            Rows.all(UpdateRow)
          ),
        /** Replaces the text of the first entry of a timeline. */
        rewriteFirst: (id: IncidentId, message: string) =>
          sql`UPDATE incident_updates SET message = ${message}
            WHERE id = (SELECT min(id) FROM incident_updates WHERE incident_id = ${id})`.pipe(write),
        insertUpdate: (id: IncidentId, update: IncidentUpdate) =>
          sql`INSERT INTO incident_updates (id, incident_id, status, message, created_at)
            VALUES (${update.id}, ${id}, ${update.status}, ${update.message}, ${dateOf(update.createdAt)})`.pipe(write),
        /** How many characters the timelines of these incidents have; incidents without entries are left out. */
        timelineSizes: (ids: ReadonlyArray<IncidentId>) =>
          sql`SELECT incident_id, sum(length(message))::integer AS characters FROM incident_updates
            WHERE incident_id = ANY(${ids}::text[]) GROUP BY incident_id`.pipe(Rows.all(TimelineSize))
      }
    })
  }
) {
  static readonly layer = Layer.effect(IncidentRepository, IncidentRepository.make)
}

const dateOf = (at: EpochMillis | null): Date | null => (at === null ? null : new Date(at))
