/** Selects the database: the one of the settings, or an embedded one. Migrates it to this version. */
import * as Database from "@kanmon/platform/database/Database"
import { explain } from "@kanmon/platform/database/DatabaseFailure"
import * as DatabaseTls from "@kanmon/platform/database/DatabaseTls"
import * as EmbeddedPostgres from "@kanmon/platform/database/EmbeddedPostgres"
import * as Migrations from "@kanmon/platform/database/Migrations"
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

/** A database, by where it is, what it is called, and the setting that names it. */
interface Choice {
  readonly url: Redacted.Redacted
  readonly description: string
  readonly setting: string
}

/** The database of the settings; without one, the embedded database, which starts. */
const chosen = Effect.gen(function* () {
  const { databaseUrl } = yield* Settings
  if (Option.isSome(databaseUrl)) return yield* at(databaseUrl.value)
  const server = yield* EmbeddedServers.postgres
  return embedded(server.url, `embedded PostgreSQL on port ${server.port}, files in ${server.directory}`)
})

/** Connects, without changing anything. */
export const connectedWith = (options: Database.DatabaseOptions) =>
  Layer.unwrap(Effect.map(chosen, (choice) => open(choice, options)))

export const connected = connectedWith({})

/** Connects next to a running server; without one, starts the embedded database for the command. */
export const beside = Layer.unwrap(
  Effect.gen(function* () {
    const { databaseUrl } = yield* Settings
    if (Option.isSome(databaseUrl)) return open(yield* at(databaseUrl.value))
    const { path } = yield* DataDirectory
    const url = yield* EmbeddedPostgres.running(path)
    if (url === undefined) return connected.pipe(Layer.provide(DataDirectory.layerLocked))
    return open(embedded(url, "embedded PostgreSQL of the running server"))
  })
)

/** Connects and migrates. */
export const migrated = Layer.unwrap(
  Effect.map(chosen, (choice) => Layer.effectDiscard(migrate(choice)).pipe(Layer.provideMerge(open(choice))))
)

/** A connection that has migrated knows every table, in some 4 MB, for as long as it lives: it does nothing else, and ends. */
const migrate = (choice: Choice) =>
  Effect.gen(function* () {
    const names = yield* Migrations.pending
    if (names.length === 0) return yield* Effect.asVoid(Migrations.run)
    const before = yield* Migrations.level
    const applied = yield* Effect.provide(Migrations.run, open(choice, { maxConnections: 1 }))
    if (before > 0 && applied.length > 0)
      yield* Effect.logInfo(
        `The database was upgraded from level ${before} to ${Migrations.newest}: ${applied.join(", ")}. Releases that know only level ${before} no longer start on it`
      )
  })

const embedded = (url: Redacted.Redacted, description: string): Choice => ({
  url,
  description,
  setting: "The embedded database"
})

const at = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  yield* Effect.mapError(DatabaseTls.read(url), ({ problem }) => new BadSetting({ setting: "DATABASE_URL", problem }))
  const { host, pathname } = new URL(Redacted.value(url))
  const choice: Choice = { url, description: `PostgreSQL at ${host}${pathname}`, setting: "DATABASE_URL" }
  return choice
})

/** A failure at the start is reported in one line with the setting's name. */
const open = ({ description, setting, url }: Choice, options: Database.DatabaseOptions = {}): DatabaseLayer =>
  Layer.merge(
    Layer.catch(Database.layer(url, options), (error) => {
      const words = error._tag === "BadDatabaseUrl" ? error.problem : explain(error)
      return Layer.effectContext(
        Effect.fail(new BadSetting({ setting, problem: `${description} cannot be used: ${words}` }))
      )
    }),
    Layer.succeed(DatabaseDescription, description)
  )
