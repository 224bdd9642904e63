/** Detects running Kanmon processes by their connections to the database. */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

const CountRow = Schema.Struct({ count: Rows.Count })

/** The number of other Kanmon connections. Exact if this process's pool has a single connection. */
export const connections = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { count } = yield* sql`SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'kanmon' AND pid <> pg_backend_pid()`.pipe(
    Rows.one(CountRow)
  )
  return count
})
