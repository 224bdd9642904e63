/** Which monitors a project has. Each method is one statement. */
import { MonitorId, type ProjectId } from "@kanmon/domain/Ids"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

export class RegistryRepository extends Context.Service<RegistryRepository>()(
  "@kanmon/monitoring/registry/RegistryRepository",
  {
    make: Effect.map(SqlClient.SqlClient, (sql) => {
      const ids = (statement: Parameters<typeof decodeIds>[0]) =>
        Effect.map(decodeIds(statement), (rows) => rows.map(({ id }) => id))

      return {
        /** Whether the project has this monitor. */
        has: (projectId: ProjectId, id: MonitorId) =>
          Rows.any(sql`SELECT 1 FROM monitors WHERE id = ${id} AND project_id = ${projectId}`),
        /** The ids that exist in the project. */
        existing: (projectId: ProjectId, wanted: ReadonlyArray<MonitorId>) =>
          wanted.length === 0
            ? Effect.succeed(new Set())
            : Effect.map(
                ids(sql`SELECT id FROM monitors WHERE project_id = ${projectId} AND id = ANY(${wanted}::text[])`),
                (found) => new Set(found)
              ),
        /** The names of those of the monitors that exist. */
        namesOf: (wanted: ReadonlyArray<MonitorId>) =>
          Effect.map(
            decodeNames(sql`SELECT id, name FROM monitors WHERE id = ANY(${wanted}::text[])`),
            (rows) => new Map(rows.map(({ id, name }) => [id, name]))
          ),
        /** All monitors of a project. */
        ofProject: (projectId: ProjectId) => ids(sql`SELECT id FROM monitors WHERE project_id = ${projectId}`),
        /** The running monitors of a project with a retry interval: how often they are repeated depends on rules. */
        retrying: (projectId: ProjectId) =>
          ids(
            sql`SELECT id FROM monitors WHERE project_id = ${projectId} AND retry_interval IS NOT NULL AND NOT paused`
          ),
        /** The monitors of a project that are among these, or carry any of these tags. */
        selected: (
          projectId: ProjectId,
          by: { readonly ids: ReadonlyArray<MonitorId>; readonly tags: ReadonlyArray<string> }
        ) =>
          ids(sql`SELECT id FROM monitors WHERE project_id = ${projectId}
            AND (tags && ${by.tags}::text[] OR id = ANY(${by.ids}::text[]))`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(RegistryRepository, RegistryRepository.make)
}

const decodeIds = Rows.all(Schema.Struct({ id: MonitorId }))
const decodeNames = Rows.all(Schema.Struct({ id: MonitorId, name: Schema.String }))
