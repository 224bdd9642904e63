/** What the product has stored, asked of its database. */
import * as Database from "@kanmon/platform/database/Database"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"

export const ask = <A>(url: string, use: (sql: SqlClient.SqlClient) => Effect.Effect<A, unknown>): Promise<A> =>
  Effect.flatMap(SqlClient.SqlClient, use).pipe(
    Effect.provide(Database.layer(Redacted.make(url), { maxConnections: 1 })),
    Effect.orDie,
    Effect.runPromise
  )

/** The observations of checks that began between two instants, with the delay of their beginning in milliseconds. */
export const observed = (url: string, from: number, until: number) =>
  ask(url, (sql) =>
    Effect.map(
      sql<{ count: bigint; up: bigint; p50: number; p99: number; worst: number }>`
        WITH o AS (SELECT status, extract(epoch FROM checked_at - scheduled_at) * 1000 AS lag FROM observations
          WHERE checked_at >= ${new Date(from)} AND checked_at < ${new Date(until)})
        SELECT count(*) AS count, count(*) FILTER (WHERE status = 'up') AS up,
          percentile_cont(0.5) WITHIN GROUP (ORDER BY lag)::float8 AS p50,
          percentile_cont(0.99) WITHIN GROUP (ORDER BY lag)::float8 AS p99, max(lag)::float8 AS worst FROM o`,
      ([found]) => ({ ...found!, count: Number(found!.count), up: Number(found!.up) })
    )
  )
