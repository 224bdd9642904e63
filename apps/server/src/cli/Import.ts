/** `kanmon import <file>`: fills an empty installation from an export. */
import * as path from "node:path"
import { ExportFile, Importing, connections } from "@kanmon/monitoring/backup"
import { Console, Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { DataDirectory } from "../DataDirectory.ts"
import { DatabaseDescription } from "../DatabaseChoice.ts"
import { Settings } from "../Settings.ts"
import { uptimeKuma } from "./ImportUptimeKuma.ts"
import { database, sum } from "./Moving.ts"

export const importData = Command.make(
  "import",
  { file: Argument.String("file").pipe(Argument.withDescription("The output of kanmon export")) },
  ({ file }) =>
    Effect.gen(function* () {
      const { keepSecret, secret } = yield* DataDirectory
      if ((yield* connections) > 0) {
        return yield* new Importing.TargetUnusable({
          message: "A Kanmon server uses this database; stop it first."
        })
      }
      const imported = yield* Importing.run({ secret, lines: ExportFile.lines(path.resolve(file)) })
      // An embedded database and its secret belong together; another one's secret is a setting of all its processes.
      if (Option.isNone((yield* Settings).databaseUrl)) yield* keepSecret
      yield* Console.log(`Imported ${sum(imported)} into ${yield* DatabaseDescription}.`)
      if (imported.migrated.length > 0) yield* Console.log(`Migrated: ${imported.migrated.join(", ")}.`)
    }).pipe(Effect.provide(database))
).pipe(
  Command.withDescription("Fills an empty database from a file of kanmon export, or reads what others export"),
  Command.withSubcommands([uptimeKuma])
)
