/** Monitors of one project that check the same target, for the warning about it. */
import { MonitorId } from "@kanmon/domain/Ids"
import type { Monitor } from "@kanmon/domain/Monitor"
import { targetNames } from "@kanmon/domain/SearchText"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

export type DuplicateTarget = Pick<Monitor, "id" | "projectId" | "type" | "config">
export type Duplicate = Pick<Monitor, "id" | "name">

export class DuplicateRepository extends Context.Service<
  DuplicateRepository,
  {
    /** For each of these, other monitors of its project with the same type and target: at most a few, oldest first. */
    readonly find: (
      monitors: ReadonlyArray<DuplicateTarget>
    ) => Effect.Effect<ReadonlyMap<MonitorId, ReadonlyArray<Duplicate>>>
  }
>()("@kanmon/monitoring/monitors/DuplicateRepository") {
  static readonly layer = Layer.effect(
    DuplicateRepository,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const mainField = (config: Statement.Fragment) =>
        sql`md5(coalesce((${config})->>'url', (${config})->>'host', (${config})->>'domain', ''))`

      const find: DuplicateRepository["Service"]["find"] = Effect.fn("DuplicateRepository.find")(function* (monitors) {
        const wanted = monitors
          .map(({ config, id, projectId, type }) => ({ id, project_id: projectId, type, fields: targetFields(config) }))
          .filter(({ fields }) => Object.keys(fields).length > 0)
        if (wanted.length === 0) return new Map()
        // The index holds a hash of the main field; monitors that differ in it have different targets. Materialized: with the
        // limit in sight, PostgreSQL would rather read all monitors in the order of their IDs. Unprepared: a plan that was made
        // for a small table reads the whole table while many monitors are being created.
        const statement = sql`SELECT w.id AS "of", found.id, found.name
          FROM json_to_recordset(${JSON.stringify(wanted)}::json)
            AS w (id text, project_id text, type text, fields jsonb)
          CROSS JOIN LATERAL (
            WITH same AS MATERIALIZED (
              SELECT m.id, m.name FROM monitors m
              WHERE m.project_id = w.project_id AND m.type = w.type AND m.id <> w.id AND m.config @> w.fields
                AND ${mainField(sql`m.config`)} = ${mainField(sql`w.fields`)}
            )
            SELECT id, name FROM same ORDER BY id LIMIT ${maxDuplicates}
          ) AS found ORDER BY w.id, found.id`
        const rows = yield* decode(statement.unprepared)
        return Map.groupBy(rows, (row) => row.of)
      })

      return DuplicateRepository.of({ find })
    })
  )
}

const decode = Rows.all(Schema.Struct({ of: MonitorId, id: MonitorId, name: Schema.String }))

/** More than a warning names. */
const maxDuplicates = 4

/** The fields by which two monitors of one type check the same. */
const targetFields = (config: Monitor["config"]): Schema.JsonObject =>
  Object.fromEntries(
    Object.entries(config).filter(
      ([field]) => targetNames.includes(field) || field === "port" || field === "method" || field === "recordType"
    )
  )
