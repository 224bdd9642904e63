/** `kanmon plugin new` and `kanmon plugin check`, for plugin authors. They need no server. */
import * as path from "node:path"
import { load } from "@kanmon/core/PluginHost"
import { sourceOf } from "@kanmon/core/PluginSource"
import type { Report, LawResult } from "@kanmon/testkit/PluginContract"
import { Console, Data, Effect, Logger, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { bundled } from "../plugins.gen.ts"
import * as NewPlugin from "./NewPlugin.ts"

const create = Command.make(
  "new",
  {
    name: Argument.String("name").pipe(Argument.withDescription("check-<type> or notify-<type>")),
    folder: Argument.String("folder").pipe(
      Argument.withDescription("The folder; default: ./<name>"),
      Argument.optional
    ),
    promises: Flag.Boolean("promises").pipe(
      Flag.withDescription("With async functions instead of Effect"),
      Flag.withDefault(false)
    )
  },
  ({ folder, name, promises }) =>
    Effect.gen(function* () {
      const place = path.resolve(Option.getOrElse(folder, () => name))
      const files = yield* NewPlugin.write(name, place, { promises, inside: false })
      const here = path.relative(process.cwd(), place) || "."
      yield* Console.log(
        [
          `Wrote ${files.join(", ")} to ${here}.`,
          "",
          `  kanmon plugin check ${here}    reports what is missing; at first, nearly everything`,
          `  KANMON_PLUGINS=${place} kanmon serve`
        ].join("\n")
      )
    })
).pipe(
  Command.withDescription(
    "Creates a folder that compiles, with a contract test that fails until the plugin is written"
  ),
  Command.withExamples([
    { command: "kanmon plugin new check-grpc", description: "A check, written with Effect" },
    { command: "kanmon plugin new --promises notify-gong ~/gong", description: "A channel, with async functions" }
  ])
)

class NoTestkit extends Data.TaggedError("NoTestkit")<{ readonly message: string }> {}

/** Loaded on demand, because a server needs no test runner. */
const runContract = (plugin: string) =>
  Effect.tryPromise({
    try: () => import("@kanmon/testkit/PluginContract"),
    catch: (cause) =>
      new NoTestkit({ message: `The contract suite needs @kanmon/testkit: ${(cause as Error).message}` })
  }).pipe(Effect.flatMap((contract) => Effect.promise(() => contract.hold(plugin))))

const marks = { yes: "ok", no: "!!", "does not apply": "  " } as const

const lineOf = ({ kept, law, why }: LawResult): ReadonlyArray<string> => [
  `  ${marks[kept]}  ${law}`,
  ...(why === undefined || why === "" ? [] : [`        ${why}`])
]

const told = ({ broken, hasWorld, verdicts }: Report, hasChannels: boolean): string => {
  const parts = Map.groupBy(verdicts, ({ part }) => part)
  const failed = verdicts.filter(({ kept }) => kept === "no").length
  return [
    ...[...parts].flatMap(([part, laws]) => [part, ...laws.flatMap(lineOf), ""]),
    ...broken.map((why) => `!!  ${why}`),
    ...(hasChannels && !hasWorld
      ? ["There is no test/world.ts, so its channels were tested with a server that accepts everything.", ""]
      : []),
    isKept({ broken, hasWorld, verdicts })
      ? `It keeps all ${verdicts.length} laws of the contract.`
      : `It breaks ${failed} of ${verdicts.length} laws of the contract.`
  ].join("\n")
}

const isKept = ({ broken, verdicts }: Report): boolean =>
  broken.length === 0 && verdicts.length > 0 && verdicts.every(({ kept }) => kept !== "no")

/** Stray errors of the plugin do not end the command: the contract suite runs in another process and reports them. */
const strayErrorsIgnored = Effect.acquireRelease(
  Effect.sync(() => {
    const ignore = (): void => undefined
    process.on("unhandledRejection", ignore).on("uncaughtException", ignore)
    return ignore
  }),
  (ignore) => Effect.sync(() => void process.off("unhandledRejection", ignore).off("uncaughtException", ignore))
)

const check = Command.make(
  "check",
  { plugin: Argument.String("path").pipe(Argument.withDescription("The plugin's folder, or its file")) },
  ({ plugin }) =>
    Effect.gen(function* () {
      const place = path.resolve(plugin)
      const source = sourceOf(place, "/")
      yield* strayErrorsIgnored
      const { plugins } = yield* Effect.provide(load([...bundled, source]), Logger.layer([]))
      const found = plugins.at(-1)!
      for (const reason of found.refused) yield* Console.log(`!!  refused: ${reason}`)
      const offers = found.checks.length + found.channels.length + found.auths.length
      if (offers === 0) {
        if (found.refused.length === 0) yield* Console.log("!!  it offers no check, no channel and no auth")
        process.exitCode = 1
        return
      }
      // Errors from timers of the import occur now; later, they would be attributed to the test runner.
      yield* Effect.sleep("50 millis")
      const report = yield* runContract(place)
      yield* Console.log(told(report, found.channels.length > 0))
      process.exitCode = isKept(report) && found.refused.length === 0 ? 0 : 1
    }).pipe(Effect.scoped)
).pipe(
  Command.withDescription("Checks a plugin against the contract of its kinds and reports what fails"),
  Command.withExamples([{ command: "kanmon plugin check ./check-grpc", description: "A folder" }])
)

export const plugin = Command.make("plugin").pipe(
  Command.withDescription("Creates and checks plugins"),
  Command.withSubcommands([create, check])
)
