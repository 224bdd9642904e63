/** The table of silences. */
import { AlertActor } from "@kanmon/domain/Alert"
import { MonitorId, type ProjectId, SilenceId } from "@kanmon/domain/Ids"
import { Silence } from "@kanmon/domain/Silence"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as Cursor from "@kanmon/platform/database/Cursor"
import type { PageOptions } from "@kanmon/platform/database/Page"
import * as Rows from "@kanmon/platform/database/Rows"

export class SilenceRepository extends Context.Service<SilenceRepository>()(
  "@kanmon/monitoring/alerts/SilenceRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      /** The silences of a project that have not ended, newest first. */
      const list = (projectId: ProjectId, at: EpochMillis, { cursor, limit }: PageOptions) => {
        const before = Cursor.decode(cursor)
        const conditions = [
          sql`project_id = ${projectId}`,
          sql`until > ${new Date(at)}`,
          ...(before === undefined ? [] : [sql`id < ${before}`])
        ]
        return all(
          sql`SELECT ${columns(sql)} FROM silences WHERE ${sql.and(conditions)} ORDER BY id DESC LIMIT ${limit + 1}`
        ).pipe(Effect.map((rows) => Cursor.page(rows, limit)))
      }

      const insert = Effect.fnUntraced(function* (silence: Silence) {
        yield* sql`INSERT INTO silences
            (id, project_id, monitor_ids, tags, until, reason, created_by, created_by_kind, created_at)
          VALUES (${silence.id}, ${silence.projectId}, ${silence.monitorIds}::text[], ${silence.tags}::text[],
            ${new Date(silence.until)}, ${silence.reason}, ${silence.createdBy.name}, ${silence.createdBy.kind},
            ${new Date(silence.createdAt)})`
      }, Effect.orDie)

      return {
        list,
        insert,
        /** Returns the silence as it was; undefined if there was none. */
        remove: (projectId: ProjectId, id: SilenceId) =>
          first(sql`DELETE FROM silences WHERE id = ${id} AND project_id = ${projectId} RETURNING ${columns(sql)}`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(SilenceRepository, SilenceRepository.make)
}

const columns = (sql: SqlClient.SqlClient) =>
  sql`id, project_id AS "projectId", monitor_ids AS "monitorIds", tags, until, reason,
    json_build_object('kind', created_by_kind, 'name', created_by) AS "createdBy", created_at AS "createdAt"`

const Row = Schema.Struct({
  ...Silence.fields,
  id: SilenceId,
  monitorIds: Schema.Array(MonitorId),
  until: Rows.Time,
  createdBy: AlertActor,
  createdAt: Rows.Time
})
const all = Rows.all(Row)
const first = Rows.first(Row)

/** The silence over the monitor `m` that ends last, as JSON. */
export const silenceOver = (sql: SqlClient.SqlClient, now: Date): Statement.Fragment =>
  sql`(SELECT json_build_object('until', extract(epoch FROM s.until) * 1000, 'reason', s.reason) FROM silences s
    WHERE s.project_id = m.project_id AND s.until > ${now} AND (m.id = ANY(s.monitor_ids) OR m.tags && s.tags)
    ORDER BY s.until DESC LIMIT 1)`
