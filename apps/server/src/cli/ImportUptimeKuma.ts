/** `kanmon import uptime-kuma`: a backup becomes files. Nothing is sent anywhere: `kanmon apply` does that. */
import * as fs from "node:fs/promises"
import { Catalogue } from "@kanmon/core/PluginHost"
import { Console, Data, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Backup from "../as-code/uptime-kuma/Backup.ts"
import * as Import from "../as-code/uptime-kuma/Import.ts"
import { environmentFile } from "../as-code/uptime-kuma/Written.ts"
import * as LocalPlugins from "./LocalPlugins.ts"

class NotImported extends Data.TaggedError("NotImported")<{ readonly message: string }> {}

const words = (cause: unknown): string => {
  const { code, message } = cause as NodeJS.ErrnoException
  if (code === "EEXIST") return "is there already; choose another name, or take it away"
  return code === "ENOENT" ? "is not there" : message
}

/** What is there already stays: it may have been worked on since. */
const write = (file: string, text: string, mode: number) =>
  Effect.tryPromise({
    try: () => fs.writeFile(file, text, { flag: "wx", mode }),
    catch: (cause) => new NotImported({ message: `${file}: ${words(cause)}` })
  })

const report = ({ counts, report: notes, variables }: Import.Imported, backup: Backup.Backup): string => {
  const lines = (leftOut: boolean): ReadonlyArray<string> =>
    notes
      .filter((note) => note.leftOut === leftOut)
      .flatMap(({ about, notes: said }) => said.map((text) => `  ${about}: ${text}`))
  const part = (title: string, all: ReadonlyArray<string>) => (all.length === 0 ? [] : ["", title, ...all])
  return [
    `Carried over ${counts.monitors} monitors for ${backup.monitors.length}, ${counts.channels} channels for ${backup.notifications.length}, and ${counts.rules} alert rules for who was told of what.`,
    ...part("Left out:", lines(true)),
    ...part("To know:", lines(false)),
    ...part(
      "Secrets are not in the file; it needs these in the environment:",
      variables.map(({ name, place }) => `  ${name}  (${place})`)
    )
  ].join("\n")
}

/** The commands that follow: a plan without its secrets fails. */
const nextSteps = (file: string, secretsFile: string | undefined, secrets: number): string => {
  const apply = `kanmon apply -f ${file} --dry-run`
  if (secretsFile !== undefined)
    return `\nWrote ${file} and ${secretsFile}. Next:\n  set -a; . ${shellPath(secretsFile)}; set +a\n  ${apply}`
  const first = secrets === 0 ? "" : "set the variables above, then "
  return `\nWrote ${file}. Next: ${first}${apply}`
}

/** The shell looks for a bare name on its PATH. */
const shellPath = (file: string): string => (file.includes("/") ? file : `./${file}`)

export const uptimeKuma = Command.make(
  "uptime-kuma",
  {
    backup: Argument.String("backup").pipe(Argument.withDescription("The JSON of Settings, Backup, Export")),
    output: Flag.String("output").pipe(
      Flag.withAlias("o"),
      Flag.withDescription("Where to write the file; to the terminal unless given"),
      Flag.optional
    ),
    // Not --env-file, which Node takes for its own wherever it stands.
    secretsFile: Flag.String("secrets-file").pipe(
      Flag.withDescription("Where to write the secrets, for a shell to read; nowhere unless given"),
      Flag.optional
    )
  },
  ({ backup: name, secretsFile, output }) =>
    Effect.gen(function* () {
      const text = yield* Effect.tryPromise({
        try: () => fs.readFile(name, "utf8"),
        catch: (cause) => new NotImported({ message: `${name}: ${words(cause)}` })
      })
      const backup = yield* Effect.fromResult(Backup.read(text)).pipe(
        Effect.mapError((why) => new NotImported({ message: `${name} is no backup of Uptime Kuma: ${why}` }))
      )
      const imported = Import.convert(backup, yield* Catalogue)
      if (Option.isSome(secretsFile)) yield* write(secretsFile.value, environmentFile(imported.variables), 0o600)
      if (Option.isNone(output)) {
        yield* Console.log(imported.yaml)
        return yield* Console.error(report(imported, backup))
      }
      yield* write(output.value, imported.yaml, 0o644)
      yield* Console.log(report(imported, backup))
      yield* Console.log(nextSteps(output.value, Option.getOrUndefined(secretsFile), imported.variables.length))
    }).pipe(Effect.provide(LocalPlugins.layer))
).pipe(
  Command.withDescription("Makes a file for kanmon apply from a backup of Uptime Kuma, and says what was lost"),
  Command.withExamples([
    {
      command: "kanmon import uptime-kuma backup.json -o kanmon.yaml --secrets-file kanmon.env",
      description: "The file, and its secrets beside it"
    }
  ])
)
