/** Which monitors a project has. Each method is one statement. */
import { MonitorId, type ProjectId } from "@kanmon/domain/Ids"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

export class RegistryRepository extends Context.Service<
  RegistryRepository,
  {
    /** Whether the project has this monitor. */
    readonly has: (projectId: ProjectId, id: MonitorId) => Effect.Effect<boolean>
    /** The ids that exist in the project. */
    readonly existing: (projectId: ProjectId, ids: ReadonlyArray<MonitorId>) => Effect.Effect<ReadonlySet<MonitorId>>
    /** The names of those of the monitors that exist. */
    readonly namesOf: (ids: ReadonlyArray<MonitorId>) => Effect.Effect<ReadonlyMap<MonitorId, string>>
    /** All monitors of a project. */
    readonly ofProject: (projectId: ProjectId) => Effect.Effect<ReadonlyArray<MonitorId>>
    /** The running monitors of a project with a retry interval: how often they are repeated depends on rules. */
    readonly retrying: (projectId: ProjectId) => Effect.Effect<ReadonlyArray<MonitorId>>
    /** The monitors of a project that are among these, or carry any of these tags. */
    readonly selected: (
      projectId: ProjectId,
      by: { readonly ids: ReadonlyArray<MonitorId>; readonly tags: ReadonlyArray<string> }
    ) => Effect.Effect<ReadonlyArray<MonitorId>>
  }
>()("@kanmon/monitoring/registry/RegistryRepository") {
  static readonly layer = Layer.effect(
    RegistryRepository,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const ids = (statement: Parameters<typeof decodeIds>[0]) =>
        Effect.map(decodeIds(statement), (rows) => rows.map(({ id }) => id))

      return RegistryRepository.of({
        has: (projectId, id) => Rows.any(sql`SELECT 1 FROM monitors WHERE id = ${id} AND project_id = ${projectId}`),
        existing: (projectId, wanted) =>
          wanted.length === 0
            ? Effect.succeed(new Set())
            : Effect.map(
                ids(sql`SELECT id FROM monitors WHERE project_id = ${projectId} AND id = ANY(${wanted}::text[])`),
                (found) => new Set(found)
              ),
        namesOf: (wanted) =>
          Effect.map(
            decodeNames(sql`SELECT id, name FROM monitors WHERE id = ANY(${wanted}::text[])`),
            (rows) => new Map(rows.map(({ id, name }) => [id, name]))
          ),
        ofProject: (projectId) => ids(sql`SELECT id FROM monitors WHERE project_id = ${projectId}`),
        retrying: (projectId) =>
          ids(
            sql`SELECT id FROM monitors WHERE project_id = ${projectId} AND retry_interval IS NOT NULL AND NOT paused`
          ),
        selected: (projectId, by) =>
          ids(sql`SELECT id FROM monitors WHERE project_id = ${projectId}
            AND (tags && ${by.tags}::text[] OR id = ANY(${by.ids}::text[]))`)
      })
    })
  )
}

const decodeIds = Rows.all(Schema.Struct({ id: MonitorId }))
const decodeNames = Rows.all(Schema.Struct({ id: MonitorId, name: Schema.String }))
