/** `kanmon migrate`: migrates the database to this version and prints the applied migrations. */
import * as Migrations from "@kanmon/platform/database/Migrations"
import { Console, Effect, Layer, Option } from "effect"
import { Command } from "effect/cli"
import { DataDirectory } from "../DataDirectory.ts"
import * as DatabaseChoice from "../DatabaseChoice.ts"
import { Settings } from "../Settings.ts"

/** The database for a command. An embedded one requires the lock of the data directory. */
export const database = DatabaseChoice.connected.pipe(
  Layer.provideMerge(
    Layer.unwrap(
      Effect.map(Settings, ({ databaseUrl }) =>
        Option.isSome(databaseUrl) ? DataDirectory.layer : DataDirectory.layerLocked
      )
    )
  ),
  Layer.provideMerge(Settings.layer)
)

export const migrate = Command.make("migrate", {}, () =>
  Effect.gen(function* () {
    const applied = yield* Migrations.run
    yield* Console.log(applied.length === 0 ? "The database is up to date." : `Applied: ${applied.join(", ")}`)
  }).pipe(Effect.provide(database))
).pipe(Command.withDescription("Migrates the database to this version"))
