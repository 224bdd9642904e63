/** The connection to PostgreSQL. */
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Option, type Redacted, Schedule } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import * as DatabaseTls from "./DatabaseTls.ts"
import { refusesTls } from "./DatabaseFailure.ts"

export interface DatabaseOptions {
  /** Most connections of the pool. */
  readonly maxConnections?: number
}

/** Connects a pool. It mends lost connections by itself, and runs a transaction that lost a deadlock again. */
export const layer = (
  url: Redacted.Redacted,
  options: DatabaseOptions = {}
): Layer.Layer<SqlClient.SqlClient, SqlError.SqlError | DatabaseTls.BadDatabaseUrl> =>
  Layer.unwrap(
    Effect.map(DatabaseTls.read(url), ({ optional, ssl }) => {
      const encrypted = pool(url, options, ssl)
      if (!optional) return encrypted
      return Layer.catch(encrypted, (error) =>
        refusesTls(error) ? pool(url, options, false) : Layer.effectContext(Effect.fail(error))
      )
    })
  )

const pool = (
  url: Redacted.Redacted,
  options: DatabaseOptions,
  ssl: DatabaseTls.DatabaseTls["ssl"]
): Layer.Layer<SqlClient.SqlClient, SqlError.SqlError> =>
  // The first question shows here whether the server can be used; the pool would only tell whoever asks next.
  Layer.effect(
    SqlClient.SqlClient,
    Effect.tap(Effect.map(PgClient.PgClient, persistent), (sql) => sql`SELECT 1`)
  ).pipe(
    Layer.provide(
      PgClient.layer({
        url,
        ssl,
        applicationName: "kanmon",
        maxConnections: options.maxConnections ?? 12,
        minConnections: 1,
        connectTimeout: "5 seconds"
      })
    )
  )

/** The same client, whose transactions do not fail because PostgreSQL broke them off in favour of others. */
const persistent = (sql: SqlClient.SqlClient): SqlClient.SqlClient => {
  const once = sql.withTransaction
  const withTransaction = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R> =>
    Effect.flatMap(Effect.serviceOption(sql.transactionService), (outer) =>
      // An inner transaction cannot be run again alone: the outer one holds what was fought for.
      Option.isSome(outer)
        ? once(self)
        : once(self).pipe(Effect.retry({ while: isBrokenOff, schedule: again, times: 8 }))
    )
  return Object.assign(sql, { withTransaction })
}

const again = Schedule.exponential("5 millis").pipe(Schedule.jittered)

/** Whether PostgreSQL broke a transaction off in favour of others: run again, it may succeed. */
export const isBrokenOff = (error: unknown): error is SqlError.SqlError =>
  error instanceof SqlError.SqlError &&
  (error.reason._tag === "DeadlockError" || error.reason._tag === "SerializationError")

/** Whether the database answers within two seconds. */
export const healthy: Effect.Effect<boolean, never, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql`SELECT 1`.pipe(
    Effect.as(true),
    Effect.timeoutOrElse({ duration: "2 seconds", orElse: () => Effect.succeed(false) }),
    Effect.catchCause(() => Effect.succeed(false))
  )
})

/** As whom we are connected, and with which protocol it is encrypted, if it is. */
export const session = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly user: string; readonly version: string | null }>`
    SELECT current_user AS "user", (SELECT version FROM pg_stat_ssl WHERE pid = pg_backend_pid()) AS version`
  return { user: rows[0]!.user, encrypted: rows[0]!.version ?? undefined }
})

/** The database's failures are accidents here, not answers: they become defects, and other errors stay as they are. */
export const databaseDies = <A, E, R>(
  effect: Effect.Effect<A, E | SqlError.SqlError, R>
): Effect.Effect<A, Exclude<E, SqlError.SqlError>, R> =>
  Effect.catch(effect, (error) =>
    error instanceof SqlError.SqlError ? Effect.die(error) : Effect.fail(error as Exclude<E, SqlError.SqlError>)
  )
