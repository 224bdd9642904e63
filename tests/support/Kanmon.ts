/** Runs the `kanmon` command and returns its output. */
import { type ChildProcess, execFile, type ExecFileException, fork } from "node:child_process"
import * as path from "node:path"
import { Effect } from "effect"
import type { Job } from "./CommandHost.ts"

const root = path.resolve(import.meta.dirname, "../..")
const main = path.join(root, "apps/server/src/main.js")

/** Only a command that hangs takes so long. */
const limitMillis = 240_000

export interface Ran {
  readonly code: number
  readonly output: string
}

interface Options {
  readonly cwd?: string
}

const jobOf = (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {},
  { cwd = root }: Options = {}
): Job => ({ args, cwd, env: { PATH: process.env["PATH"]!, HOME: process.env["HOME"] ?? "/", ...env } })

/** Runs a command to completion in a process of its own, in a folder; by default the repository's. */
export const kanmonProcess = (...command: Parameters<typeof jobOf>): Effect.Effect<Ran> =>
  Effect.callback((resume) => {
    const { args, cwd, env } = jobOf(...command)
    execFile(
      process.execPath,
      [main, ...args],
      { cwd, env, timeout: limitMillis },
      (error: ExecFileException | null, stdout, stderr) =>
        resume(Effect.succeed({ code: error === null ? 0 : Number(error.code ?? -1), output: stdout + stderr }))
    )
  })

/** Processes that wait for a command. They end with this one, which their channel leads to. */
const idle: Array<ChildProcess> = []

const started = (): ChildProcess => {
  const host = fork(path.join(import.meta.dirname, "CommandHost.ts"), { cwd: root, stdio: "inherit" })
  host.unref()
  host.channel!.unref()
  return host
}

/**
 * Runs a command to completion as {@link kanmonProcess} does, in a process that has run other commands: most of the work of a
 * command is to load it. For those that do not load plugins from outside, and do not serve for long: a server that refuses its settings does not.
 */
export const kanmon = (...command: Parameters<typeof jobOf>): Effect.Effect<Ran> =>
  Effect.callback((resume) => {
    const job = jobOf(...command)
    const host = idle.pop() ?? started()
    host.ref()
    host.channel!.ref()
    const limit = setTimeout(() => {
      host.kill("SIGKILL")
      done(undefined)
    }, limitMillis)
    const done = (answer: Ran | undefined): void => {
      clearTimeout(limit)
      host.off("message", answered)
      host.off("exit", ended)
      if (answer !== undefined) {
        host.unref()
        host.channel!.unref()
        idle.push(host)
      }
      const loss = new Error(`The process of commands ended, or hung, during kanmon ${job.args.join(" ")}`)
      resume(answer === undefined ? Effect.die(loss) : Effect.succeed(answer))
    }
    const answered = (answer: unknown): void => done(answer as Ran)
    const ended = (): void => done(undefined)
    host.on("message", answered)
    host.on("exit", ended)
    host.send(job)
    return Effect.sync(() => {
      clearTimeout(limit)
      host.kill("SIGKILL")
    })
  })
