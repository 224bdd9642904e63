/** The connection to PostgreSQL. */
import { PgClient } from "@effect/sql-pg"
import { Effect, type Layer, type Redacted } from "effect"
import { SqlClient, SqlError } from "effect/sql"

/** Connects a pool. It mends lost connections by itself. */
export const layer = (
  url: Redacted.Redacted,
  options: { readonly maxConnections?: number } = {}
): Layer.Layer<SqlClient.SqlClient | PgClient.PgClient, SqlError.SqlError> =>
  PgClient.layer({
    url,
    applicationName: "kanmon",
    maxConnections: options.maxConnections ?? 12,
    minConnections: 1,
    connectTimeout: "5 seconds"
  })

/** Whether the database answers within two seconds. */
export const healthy: Effect.Effect<boolean, never, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql`SELECT 1`.pipe(
    Effect.as(true),
    Effect.timeoutOrElse({ duration: "2 seconds", orElse: () => Effect.succeed(false) }),
    Effect.catchCause(() => Effect.succeed(false))
  )
})

/** The database's failures are accidents here, not answers: they become defects, and other errors stay as they are. */
export const databaseDies = <A, E, R>(
  effect: Effect.Effect<A, E | SqlError.SqlError, R>
): Effect.Effect<A, Exclude<E, SqlError.SqlError>, R> =>
  Effect.catch(effect, (error) =>
    error instanceof SqlError.SqlError ? Effect.die(error) : Effect.fail(error as Exclude<E, SqlError.SqlError>)
  )
