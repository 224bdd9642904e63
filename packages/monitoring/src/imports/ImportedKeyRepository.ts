/** Which keys of an import's records a project has already, from an earlier import or from files. */
import type { ProjectId } from "@kanmon/domain/Ids"
import * as Rows from "@kanmon/platform/database/Rows"
import { importKinds } from "@kanmon/protocol/ImportBody"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"

export class ImportedKeyRepository extends Context.Service<ImportedKeyRepository>()(
  "@kanmon/monitoring/imports/ImportedKeyRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      return {
        /** The keys of each kind that exist. */
        find: Effect.fn("ImportedKeyRepository.find")(function* (projectId: ProjectId, keys: ReadonlyArray<string>) {
          const having = sql`project_id = ${projectId} AND key = ANY(${keys}::text[])`
          return yield* keyRows(sql`
            SELECT 'monitor' AS kind, key FROM monitors WHERE ${having}
            UNION ALL SELECT 'channel', key FROM channels WHERE ${having}
            UNION ALL SELECT 'maintenance', key FROM incidents WHERE ${having}
            UNION ALL SELECT 'rule', key FROM alert_rules WHERE ${having}
            UNION ALL SELECT 'page', key FROM status_pages WHERE ${having}`)
        })
      }
    })
  }
) {
  static readonly layer = Layer.effect(ImportedKeyRepository, ImportedKeyRepository.make)
}

const keyRows = Rows.all(Schema.Struct({ kind: Schema.Literals(importKinds), key: Schema.String }))
