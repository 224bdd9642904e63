/**
 * The command line of the package `@kanmon/cli`, for computers without an installation: the commands that need a server's API alone,
 * or none.
 */
import { Command } from "effect/cli"
import * as Program from "./Program.ts"

const subcommands = {
  login: () => import("./Login.ts").then(({ login }) => login),
  logout: () => import("./Login.ts").then(({ logout }) => logout),
  whoami: () => import("./Whoami.ts").then(({ whoami }) => whoami),
  apply: () => import("./ApplyCommand.ts").then(({ apply }) => apply),
  pull: () => import("./PullCommand.ts").then(({ pull }) => pull),
  check: () => import("./CheckCommand.ts").then(({ check }) => check),
  import: () =>
    import("./ImportUptimeKuma.ts").then(({ uptimeKuma }) =>
      Command.make("import").pipe(
        Command.withDescription("Reads what other products export"),
        Command.withSubcommands([uptimeKuma])
      )
    )
}

/** Runs the command that the arguments name. */
export const run = (): void =>
  Program.run(Program.load("Signs in to a Kanmon server and keeps its monitors as code", subcommands, process.argv[2]))
