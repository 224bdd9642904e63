/**
 * Which engines there are and which of them holds what, kept in the database: `effect/cluster`'s storage in tables of its own.
 * Locks are PostgreSQL's advisory locks on a connection that is kept for them, so they are gone when their holder is.
 */
import { Context, Effect, Layer } from "effect"
import { type RunnerStorage, type ShardingConfig, SqlRunnerStorage } from "effect/cluster"
import { SqlClient } from "effect/sql"

/** `engine_runners`, `engine_locks` and `engine_migrations`. */
const tables = { prefix: "engine" }

/** Makes the tables, or brings them to this version. */
export const migrate: Effect.Effect<void, never, SqlClient.SqlClient> = Effect.scoped(
  Effect.asVoid(Layer.build(SqlRunnerStorage.layerMigrations(tables)))
)

export class EngineLocks extends Context.Service<
  EngineLocks,
  { readonly storage: Layer.Layer<RunnerStorage.RunnerStorage, never, ShardingConfig.ShardingConfig> }
>()("@kanmon/store/database/EngineLocks") {
  static readonly layer: Layer.Layer<EngineLocks, never, SqlClient.SqlClient> = Layer.effect(
    EngineLocks,
    Effect.map(SqlClient.SqlClient, (sql) =>
      EngineLocks.of({
        storage: SqlRunnerStorage.layerStorage(tables).pipe(Layer.provide(Layer.succeed(SqlClient.SqlClient, sql)))
      })
    )
  )
}
