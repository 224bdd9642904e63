/** The connection to PostgreSQL. */
import { PgClient } from "@effect/sql-pg"
import { Cause, Effect, Layer, Option, type Redacted, Schedule, Schema } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import * as DatabaseTls from "./DatabaseTls.ts"
import { refusesTls } from "./DatabaseFailure.ts"

export interface DatabaseOptions {
  /** Maximum size of the pool. */
  readonly maxConnections?: number
}

/** Connects a pool. It replaces lost connections, and repeats transactions that PostgreSQL aborted because of a deadlock. */
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
  // Connects now: otherwise the first query of some caller would reveal that the server cannot be used.
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
        // On a slow machine, the start of the product holds the event loop for seconds: a shorter limit ends a start that works.
        connectTimeout: "20 seconds"
      })
    )
  )

/** The same client, with transactions that are repeated when PostgreSQL aborts them in favour of others. */
const persistent = (sql: SqlClient.SqlClient): SqlClient.SqlClient => {
  const once = sql.withTransaction
  const withTransaction = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R> =>
    Effect.flatMap(Effect.serviceOption(sql.transactionService), (outer) =>
      // An inner transaction cannot be repeated alone: the outer one holds the locks.
      Option.isSome(outer)
        ? once(self)
        : Effect.sandbox(once(self)).pipe(
            // Defects too: repositories turn failures of the database into defects.
            Effect.retry({ while: (cause) => isBrokenOff(Cause.squash(cause)), schedule: again, times: 8 }),
            Effect.catch(Effect.failCause)
          )
    )
  return Object.assign(sql, { withTransaction })
}

const again = Schedule.exponential("5 millis").pipe(Schedule.jittered)

/** Whether PostgreSQL aborted a transaction in favour of others: repeated, it may succeed. */
const isBrokenOff = (error: unknown): error is SqlError.SqlError =>
  error instanceof SqlError.SqlError &&
  (error.reason._tag === "DeadlockError" || error.reason._tag === "SerializationError")

/** Asks whether the database answers within two seconds. */
export const health: Effect.Effect<Effect.Effect<boolean>, never, SqlClient.SqlClient> = Effect.map(
  SqlClient.SqlClient,
  (sql) =>
    sql`SELECT 1`.pipe(
      Effect.as(true),
      Effect.timeoutOrElse({ duration: "2 seconds", orElse: () => Effect.succeed(false) }),
      Effect.catchCause(() => Effect.succeed(false))
    )
)

/** The user of the connection, and its TLS version if it is encrypted. */
export const session = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = decodeSession(
    yield* sql`
    SELECT current_user AS "user", (SELECT version FROM pg_stat_ssl WHERE pid = pg_backend_pid()) AS version`
  )
  return { user: row.user, encrypted: row.version ?? undefined }
})

const decodeSession = Schema.decodeUnknownSync(
  Schema.Tuple([Schema.Struct({ user: Schema.String, version: Schema.NullOr(Schema.String) })])
)

/** Turns failures of the database into defects; other errors stay as they are. */
export const databaseDies = <A, E, R>(
  effect: Effect.Effect<A, E | SqlError.SqlError, R>
): Effect.Effect<A, Exclude<E, SqlError.SqlError>, R> =>
  Effect.catch(effect, (error) =>
    error instanceof SqlError.SqlError ? Effect.die(error) : Effect.fail(error as Exclude<E, SqlError.SqlError>)
  )
