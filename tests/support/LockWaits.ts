/** Waits until transactions wait for another one, as PostgreSQL itself tells. */
import { eventually } from "@kanmon/testkit/Eventually"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Returns when as many sessions of this database as that wait for a lock. */
export const waiting = (sessions: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => {
    const count = sql<{ readonly count: number }>`SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`
    // A transaction sees the same activity until its end unless it asks for the present one.
    const look = Effect.andThen(sql`SELECT pg_stat_clear_snapshot()`, count)
    return eventually(look, ([row]) => row!.count >= sessions)
  })
