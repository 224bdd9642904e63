/** `kanmon import uptime-kuma`: converts a backup to a file for `kanmon apply`. Sends nothing. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { Catalogue } from "@kanmon/core/PluginHost"
import { Clock, Console, Data, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Backup from "@kanmon/as-code/uptime-kuma/Backup"
import { isJson, textOf } from "@kanmon/as-code/uptime-kuma/BackupText"
import * as Database from "@kanmon/as-code/uptime-kuma/Database"
import { startOf } from "@kanmon/as-code/uptime-kuma/DatabaseFile"
import * as Import from "@kanmon/as-code/uptime-kuma/Import"
import * as ImportReport from "@kanmon/as-code/uptime-kuma/ImportReport"
import { environmentFile } from "@kanmon/as-code/Written"
import * as LocalPlugins from "./LocalPlugins.ts"
import * as NewFile from "./NewFile.ts"

class NotImported extends Data.TaggedError("NotImported")<{ readonly message: string }> {}

const words = (cause: unknown): string =>
  (cause as NodeJS.ErrnoException).code === "ENOENT" ? "does not exist" : NewFile.words(cause)

const write = (file: string, text: string, mode: number) =>
  Effect.tryPromise({
    try: () => NewFile.write(file, text, mode),
    catch: (cause) => new NotImported({ message: `${file}: ${words(cause)}` })
  })

/** A JSON backup of version 1, or a database of version 2. */
const read = (name: string) =>
  Effect.gen(function* () {
    const attempt = <A>(read: () => Promise<A>) =>
      Effect.tryPromise({
        try: read,
        catch: (cause) => new NotImported({ message: `${name}: ${words(cause)}` })
      })
    const isFolder = (yield* attempt(() => fs.stat(name))).isDirectory()
    const file = isFolder ? path.join(name, "kuma.db") : name
    if (!file.endsWith(".json") && !isJson(yield* attempt(async () => startOf(file)))) return yield* Database.read(file)
    const content = yield* attempt(() => fs.readFile(file))
    return yield* Effect.fromResult(Backup.read(textOf(content))).pipe(
      Effect.mapError((why) => new NotImported({ message: `${name} is not a backup of Uptime Kuma: ${why}` }))
    )
  })

export const uptimeKuma = Command.make(
  "uptime-kuma",
  {
    backup: Argument.String("file").pipe(
      Argument.withDescription(
        "kuma.db of Uptime Kuma 2, with kuma.db-wal beside it, or their folder; or the JSON backup of version 1"
      )
    ),
    output: Flag.String("output").pipe(
      Flag.withAlias("o"),
      Flag.withDescription("The file to write; default: the terminal"),
      Flag.optional
    ),
    // Not --env-file, which Node interprets itself at any position.
    secretsFile: Flag.String("secrets-file").pipe(
      Flag.withDescription("A shell file to write the secrets to; default: not written"),
      Flag.optional
    )
  },
  ({ backup: name, secretsFile, output }) =>
    Effect.gen(function* () {
      const backup = yield* read(name)
      const imported = Import.convert(backup, yield* Catalogue, yield* Clock.currentTimeMillis)
      if (Option.isSome(secretsFile)) yield* write(secretsFile.value, environmentFile(imported.variables), 0o600)
      if (Option.isNone(output)) {
        yield* Console.log(imported.yaml)
        return yield* Console.error(ImportReport.report(imported, backup))
      }
      yield* write(output.value, imported.yaml, 0o644)
      yield* Console.log(ImportReport.report(imported, backup))
      yield* Console.log(
        ImportReport.nextSteps(output.value, Option.getOrUndefined(secretsFile), imported.variables.length)
      )
    }).pipe(Effect.provide(LocalPlugins.layer))
).pipe(
  Command.withDescription(
    "Converts the database of Uptime Kuma 2, or a backup of version 1, to a file for kanmon apply, and reports what was lost"
  ),
  Command.withExamples([
    {
      command: "kanmon import uptime-kuma kuma.db -o kanmon.yaml --secrets-file kanmon.env",
      description: "From a copy of kuma.db"
    },
    {
      command: "kanmon import uptime-kuma backup.json -o kanmon.yaml --secrets-file kanmon.env",
      description: "The file, and its secrets beside it"
    }
  ])
)
