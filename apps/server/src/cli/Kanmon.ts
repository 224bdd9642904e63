/** The command line of an installation: all commands. */
import type { Effect } from "effect"
import * as Program from "./Program.ts"

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

const command = () =>
  Program.invocation(Program.load("Uptime monitoring that you run yourself", subcommands, process.argv[2]))

/** Runs the command that the arguments name. */
export const run = (): void => Program.run(command())

/** Runs it in a process that goes on, as tests do. Returns the exit code. */
export const perform = (): Effect.Effect<number> => Program.perform(command())
