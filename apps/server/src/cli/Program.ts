/** A program of commands, with readable errors and an orderly shutdown. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Console, Effect, Layer } from "effect"
import { CliConfig, Command, GlobalFlag } from "effect/cli"
import { HttpServerError } from "effect/http"
import { version } from "@kanmon/platform/version"
import * as Shutdown from "./Shutdown.ts"
import * as Usage from "./Usage.ts"

/** Commands by name. Each is a file of its own that is loaded on demand: a command starts without the others' code. */
type Subcommands = Readonly<Record<string, () => Promise<Command.Command.Any>>>

/** The command with the subcommand that comes first, or with all of them: for help, completions and mistyped names. */
export const load = <S extends Subcommands>(description: string, subcommands: S, first: string | undefined) => {
  type One = Awaited<ReturnType<S[keyof S]>>
  const wanted = first !== undefined && Object.hasOwn(subcommands, first) ? [first] : Object.keys(subcommands)
  return Effect.map(
    Effect.promise(() => Promise.all(wanted.map((name) => subcommands[name]!() as Promise<One>))),
    (all) => Command.make("kanmon").pipe(Command.withDescription(description), Command.withSubcommands<Array<One>>(all))
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

/** A run of the command that the arguments name; its failure is printed. */
export const invocation = <Name extends string, Input, Context, E, Unusable = never>(
  program: Effect.Effect<Command.Command<Name, Input, Context, E, NodeServices.NodeServices>, Unusable>
) =>
  program.pipe(
    Effect.flatMap(Command.run({ version })),
    Effect.tapCause((cause) =>
      Cause.hasInterruptsOnly(cause) || Usage.exitCodeOf(Cause.squash(cause)) !== undefined
        ? Effect.void
        : explain(cause)
    ),
    Effect.provide(Layer.mergeAll(NodeServices.layer, CliConfig.layer({ builtIns: flags }), Usage.layer))
  )

/** Runs the command that the arguments name, until the process ends. */
export const run = (command: Effect.Effect<unknown, unknown>): void => {
  Shutdown.secondSignalEndsAtOnce()
  NodeRuntime.runMain(command, { disableErrorReporting: true, teardown: Shutdown.teardown })
}

/** Runs it in a process that goes on. Returns the exit code. */
export const perform = (command: Effect.Effect<unknown, unknown>): Effect.Effect<number> =>
  Effect.flatMap(Effect.exit(command), (exit) =>
    Effect.callback((resume) => Shutdown.teardown(exit, (code) => resume(Effect.succeed(code))))
  )
