/**
 * The command line of the package `@kanmon/cli`, for computers without an installation: the commands that need a server's API alone,
 * or none.
 */
import { Data, Effect } from "effect"
import { Command } from "effect/cli"
import * as EnvironmentFile from "../EnvironmentFile.js"
import { environment } from "../Settings.ts"
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

/** The package has the bundled plugins alone: others share the modules of their host, and a compiled program has none to share. */
class OtherPlugins extends Data.TaggedError("OtherPlugins")<{ readonly message: string }> {}

const program = Effect.suspend(() =>
  (environment()["KANMON_PLUGINS"] ?? "").trim() === ""
    ? Program.load("Signs in to a Kanmon server and keeps its monitors as code", subcommands, process.argv[2])
    : Effect.fail(
        new OtherPlugins({
          message:
            "KANMON_PLUGINS: this package has the plugins that come with Kanmon, and loads no others; use the kanmon command of an installation, such as its container image"
        })
      )
)

/** Runs the command that the arguments name. */
export const run = (): void => {
  EnvironmentFile.load()
  Program.run(Program.invocation(program))
}
