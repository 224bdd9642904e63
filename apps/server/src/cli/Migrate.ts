/** `kanmon migrate`: brings the database to this version and says what it did. */
import * as Migrations from "@kanmon/store/database/Migrations"
import { Console, Effect, Layer } from "effect"
import { Command } from "effect/cli"
import { DataDirectory } from "../DataDirectory.ts"
import * as DatabaseChoice from "../DatabaseChoice.ts"
import { Settings } from "../Settings.ts"

/** The database for a command: nobody else uses the data directory meanwhile. */
const database = DatabaseChoice.connected.pipe(
  Layer.provideMerge(DataDirectory.layerLocked),
  Layer.provideMerge(Settings.layer)
)

export const migrate = Command.make("migrate", {}, () =>
  Effect.gen(function* () {
    const applied = yield* Migrations.run
    yield* Console.log(applied.length === 0 ? "The database is up to date." : `Applied: ${applied.join(", ")}`)
  }).pipe(Effect.provide(database))
).pipe(Command.withDescription("Brings the database to this version"))
