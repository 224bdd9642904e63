/**
 * Which engines there are and which of them holds what, kept in the database: `effect/cluster`'s storage in tables of its own.
 * Locks are PostgreSQL's advisory locks on a connection that is kept for them, so they are gone when their holder is.
 */
import { Effect, Layer } from "effect"
import { type RunnerStorage, type ShardingConfig, SqlRunnerStorage } from "effect/cluster"
import type { SqlClient } from "effect/sql"

/** `engine_runners`, `engine_locks` and `engine_migrations`. */
const tables = { prefix: "engine" }

/** Makes the tables, or brings them to this version. */
export const migrate: Effect.Effect<void, never, SqlClient.SqlClient> = Effect.scoped(
  Effect.asVoid(Layer.build(SqlRunnerStorage.layerMigrations(tables)))
)

export const layer: Layer.Layer<
  RunnerStorage.RunnerStorage,
  never,
  SqlClient.SqlClient | ShardingConfig.ShardingConfig
> = SqlRunnerStorage.layerStorage(tables)
