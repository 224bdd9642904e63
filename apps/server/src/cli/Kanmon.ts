/** The command line: all commands, with readable errors and an orderly shutdown. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Console, Effect, Layer } from "effect"
import { CliConfig, Command, GlobalFlag } from "effect/cli"
import { HttpServerError } from "effect/http"
import { version } from "@kanmon/platform/version"
import * as Shutdown from "./Shutdown.ts"
import * as Usage from "./Usage.ts"

/** The subcommands by name. Each is a file of its own that is loaded on demand: a command starts without the others' code. */
const subcommands = {
  serve: () => import("./Serve.ts").then(({ serve }) => serve),
  check: () => import("./CheckCommand.ts").then(({ check }) => check),
  login: () => import("./Login.ts").then(({ login }) => login),
  logout: () => import("./Login.ts").then(({ logout }) => logout),
  whoami: () => import("./Whoami.ts").then(({ whoami }) => whoami),
  apply: () => import("./ApplyCommand.ts").then(({ apply }) => apply),
  pull: () => import("./PullCommand.ts").then(({ pull }) => pull),
  migrate: () => import("./Migrate.ts").then(({ migrate }) => migrate),
  export: () => import("./Export.ts").then(({ exportData }) => exportData),
  import: () => import("./Import.ts").then(({ importData }) => importData),
  account: () => import("./Account.ts").then(({ account }) => account),
  organization: () => import("./Organization.ts").then(({ organization }) => organization),
  admin: () => import("./Admin.ts").then(({ admin }) => admin),
  doctor: () => import("./Doctor.ts").then(({ doctor }) => doctor),
  nats: () => import("./NatsCommand.ts").then(({ nats }) => nats),
  region: () => import("./RegionCommand.ts").then(({ region }) => region),
  plugin: () => import("./PluginCommand.ts").then(({ plugin }) => plugin)
}

const isSubcommand = (name: string | undefined): name is keyof typeof subcommands =>
  name !== undefined && Object.hasOwn(subcommands, name)

/** The command with the subcommand that comes first, or with all of them: for help, completions and mistyped names. */
const load = (first: string | undefined) => {
  const loaded = isSubcommand(first) ? [subcommands[first]()] : Object.values(subcommands).map((one) => one())
  return Effect.map(
    Effect.promise(() => Promise.all<Awaited<(typeof loaded)[number]>>(loaded)),
    (all) =>
      Command.make("kanmon").pipe(
        Command.withDescription("Uptime monitoring that you run yourself"),
        Command.withSubcommands(all)
      )
  )
}

/** Prints one line for an expected failure, and the whole cause for a defect. */
const explain = (cause: Cause.Cause<unknown>): Effect.Effect<void> => {
  const error = Cause.squash(cause)
  if (error instanceof HttpServerError.ServeError)
    return Console.error(
      `kanmon: KANMON_PORT: ${error.cause instanceof Error ? error.cause.message : "cannot be listened on"}. Choose another port, or stop the program that uses this one.`
    )
  const message = error instanceof Error && error.message !== "" ? error.message : undefined
  const expected = typeof error === "object" && error !== null && "_tag" in error
  return Console.error(expected && message !== undefined ? `kanmon: ${message}` : `kanmon: ${Cause.pretty(cause)}`)
}

/** The global flags. There is none for the log level, because it is a setting. */
const flags = [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions]

/** Runs the command that the arguments name. */
export const run = (): void => {
  Shutdown.secondSignalEndsAtOnce()
  load(process.argv[2]).pipe(
    Effect.flatMap(Command.run({ version })),
    Effect.tapCause((cause) =>
      Cause.hasInterruptsOnly(cause) || Usage.exitCodeOf(Cause.squash(cause)) !== undefined
        ? Effect.void
        : explain(cause)
    ),
    Effect.provide(Layer.mergeAll(NodeServices.layer, CliConfig.layer({ builtIns: flags }), Usage.layer)),
    (program) => NodeRuntime.runMain(program, { disableErrorReporting: true, teardown: Shutdown.teardown })
  )
}
