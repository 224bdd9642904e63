/**
 * The cluster's storage in the database: the running engines and the locks that they hold, in tables with a prefix of their
 * own. Locks are PostgreSQL's advisory locks on a dedicated connection, so they end with their holder.
 */
import { Context, Effect, Layer } from "effect"
import { SqlRunnerStorage } from "effect/cluster"
import { SqlClient, type Statement } from "effect/sql"

/** `engine_runners`, `engine_locks` and `engine_migrations`. */
const tables = { prefix: "engine" }

/** How long an engine without a heartbeat keeps its locks. */
export const expirationSeconds = 6

/** Engines send each other nothing, so the port of their addresses is a constant. */
export const runnerPort = 1

/** SQL: whether an engine is alive, by the database's clock. `engine` is its id, or a column that holds one. */
const isPresent = (sql: SqlClient.SqlClient, engine: string | Statement.Identifier): Statement.Fragment =>
  sql`EXISTS (SELECT FROM engine_runners r WHERE r.address = ${engine} || ${`:${runnerPort}`}
    AND r.last_heartbeat > LOCALTIMESTAMP - make_interval(secs => ${expirationSeconds}))`

/**
 * SQL: whether `engine` may lease a row of `table` (with `leased_until` and `leased_by`): the engine is alive, and neither
 * this engine nor another one that is alive has leased the row.
 */
export const mayLease = (sql: SqlClient.SqlClient, table: string, engine: string, now: Date): Statement.Fragment => {
  const [until, by] = [sql(`${table}.leased_until`), sql(`${table}.leased_by`)]
  return sql`(${isPresent(sql, engine)}
    AND (${until} IS NULL OR ${until} <= ${now} OR ${by} <> ${engine} AND NOT ${isPresent(sql, by)}))`
}

/** Creates or migrates the tables. */
export const migrate: Effect.Effect<void, never, SqlClient.SqlClient> = Effect.scoped(
  Effect.asVoid(Layer.build(SqlRunnerStorage.layerMigrations(tables)))
)

export class EngineLocks extends Context.Service<EngineLocks>()("@kanmon/platform/cluster/EngineLocks", {
  make: Effect.map(SqlClient.SqlClient, (sql) => ({
    storage: SqlRunnerStorage.layerStorage(tables).pipe(Layer.provide(Layer.succeed(SqlClient.SqlClient, sql)))
  }))
}) {
  static readonly layer: Layer.Layer<EngineLocks, never, SqlClient.SqlClient> = Layer.effect(
    EngineLocks,
    EngineLocks.make
  )
}
