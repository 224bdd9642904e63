/** Chooses the database: the one of the settings, or one of our own. Brings it to this version. */
import * as Database from "@kanmon/store/database/Database"
import * as EmbeddedPostgres from "@kanmon/store/database/EmbeddedPostgres"
import * as Migrations from "@kanmon/store/database/Migrations"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { DataDirectory } from "./DataDirectory.ts"
import { Settings } from "./Settings.ts"

/** For people: which database this is. */
export class DatabaseDescription extends Context.Service<DatabaseDescription, string>()(
  "@kanmon/server/DatabaseDescription"
) {}

/** Connects, without changing anything. */
export const connectedWith = (options: { readonly maxConnections?: number }) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const settings = yield* Settings
      if (Option.isSome(settings.databaseUrl)) {
        const url = settings.databaseUrl.value
        const { host, pathname } = new URL(Redacted.value(url))
        return Layer.merge(
          Database.layer(url, options),
          Layer.succeed(DatabaseDescription, `PostgreSQL at ${host}${pathname}`)
        )
      }
      const directory = yield* DataDirectory
      const server = yield* EmbeddedPostgres.start(directory.path)
      return Layer.merge(
        Database.layer(server.url, options),
        Layer.succeed(DatabaseDescription, `embedded PostgreSQL on port ${server.port}, files in ${server.directory}`)
      )
    })
  )

export const connected = connectedWith({})

/** Connects and migrates. */
export const migrated = Layer.effectDiscard(Migrations.run).pipe(Layer.provideMerge(connected))
