/** Whether a Kanmon works on the database at this moment: each of its connections says so. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Other connections than this one. Exact where the own client has but one. */
export const connections = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ count: number }>`SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'kanmon' AND pid <> pg_backend_pid()`
  return row!.count
})
