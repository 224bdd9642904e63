/** Selects the database: the one of the settings, or an embedded one. Migrates it to this version. */
import * as Database from "@kanmon/control-plane/platform/database/Database"
import { explain } from "@kanmon/control-plane/platform/database/DatabaseFailure"
import * as DatabaseTls from "@kanmon/control-plane/platform/database/DatabaseTls"
import * as EmbeddedPostgres from "@kanmon/control-plane/platform/database/EmbeddedPostgres"
import * as Migrations from "@kanmon/control-plane/platform/database/Migrations"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import { DataDirectory } from "./DataDirectory.ts"
import * as EmbeddedServers from "./EmbeddedServers.ts"
import { BadSetting, Settings } from "./Settings.ts"

/** The database in words, for messages. */
export class DatabaseDescription extends Context.Service<DatabaseDescription, string>()(
  "@kanmon/server/DatabaseDescription"
) {}

type DatabaseLayer = Layer.Layer<SqlClient.SqlClient | DatabaseDescription, BadSetting>

/** Connects, without changing anything. */
export const connectedWith = (options: Database.DatabaseOptions) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const settings = yield* Settings
      if (Option.isSome(settings.databaseUrl)) return yield* at(settings.databaseUrl.value, options)
      const server = yield* EmbeddedServers.postgres
      return named(
        server.url,
        `embedded PostgreSQL on port ${server.port}, files in ${server.directory}`,
        "The embedded database",
        options
      )
    })
  )

export const connected = connectedWith({})

/** Connects next to a running server; without one, starts the embedded database for the command. */
export const beside = Layer.unwrap(
  Effect.gen(function* () {
    const { databaseUrl } = yield* Settings
    if (Option.isSome(databaseUrl)) return yield* at(databaseUrl.value, {})
    const { path } = yield* DataDirectory
    const url = yield* EmbeddedPostgres.running(path)
    if (url === undefined) return connected.pipe(Layer.provide(DataDirectory.layerLocked))
    return named(url, "embedded PostgreSQL of the running server", "The embedded database", {})
  })
)

/** The database of the settings. A failure at the start is reported in one line with the setting's name. */
const at = Effect.fnUntraced(function* (url: Redacted.Redacted, options: Database.DatabaseOptions) {
  yield* Effect.mapError(DatabaseTls.read(url), ({ problem }) => new BadSetting({ setting: "DATABASE_URL", problem }))
  const { host, pathname } = new URL(Redacted.value(url))
  return named(url, `PostgreSQL at ${host}${pathname}`, "DATABASE_URL", options)
})

const named = (
  url: Redacted.Redacted,
  description: string,
  setting: string,
  options: Database.DatabaseOptions
): DatabaseLayer =>
  Layer.merge(
    Layer.catch(Database.layer(url, options), (error) => {
      const words = error._tag === "BadDatabaseUrl" ? error.problem : explain(error)
      return Layer.effectContext(
        Effect.fail(new BadSetting({ setting, problem: `${description} cannot be used: ${words}` }))
      )
    }),
    Layer.succeed(DatabaseDescription, description)
  )

/** Connects and migrates. */
export const migrated = Layer.effectDiscard(Migrations.run).pipe(Layer.provideMerge(connected))
