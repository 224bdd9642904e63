/** The command line: all commands, with readable errors and an orderly shutdown. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Console, Effect, Layer } from "effect"
import { CliConfig, Command, GlobalFlag } from "effect/cli"
import { HttpServerError } from "effect/http"
import { version } from "@kanmon/control-plane/version"
import { account } from "./Account.ts"
import { admin } from "./Admin.ts"
import { apply } from "./ApplyCommand.ts"
import { check } from "./CheckCommand.ts"
import { doctor } from "./Doctor.ts"
import { exportData } from "./Export.ts"
import { importData } from "./Import.ts"
import { migrate } from "./Migrate.ts"
import { nats } from "./NatsCommand.ts"
import { plugin } from "./PluginCommand.ts"
import { region } from "./RegionCommand.ts"
import { serve } from "./Serve.ts"
import * as Shutdown from "./Shutdown.ts"

const kanmon = Command.make("kanmon").pipe(
  Command.withDescription("Uptime monitoring that you run yourself"),
  Command.withSubcommands([
    serve,
    check,
    apply,
    migrate,
    exportData,
    importData,
    account,
    admin,
    doctor,
    nats,
    region,
    plugin
  ])
)

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
  kanmon.pipe(
    Command.run({ version }),
    Effect.tapCause((cause) => (Cause.hasInterruptsOnly(cause) || isUsage(cause) ? Effect.void : explain(cause))),
    Effect.provide(Layer.merge(NodeServices.layer, CliConfig.layer({ builtIns: flags }))),
    (program) => NodeRuntime.runMain(program, { disableErrorReporting: true, teardown: Shutdown.teardown })
  )
}

/** Whether it is a mistake on the command line, which has already been printed. */
const isUsage = (cause: Cause.Cause<unknown>): boolean => {
  const error = Cause.squash(cause)
  return (
    typeof error === "object" &&
    error !== null &&
    "_tag" in error &&
    /ShowHelp|CliError|Unrecognized|Missing|Invalid(Value|Flag|Argument)/.test(String(error._tag))
  )
}
