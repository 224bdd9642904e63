/**
 * A named real process that can be killed, frozen and started again. What it prints goes to a file of its own, kept over its
 * lives. Each stay away is written down.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import * as fs from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import * as path from "node:path"
import { promisify } from "node:util"
import { Effect, type Scope } from "effect"

/** A time in which a process was not there, by instants of the wall clock. */
export interface Absence {
  readonly name: string
  readonly how: "killed" | "frozen" | "cut"
  readonly from: number
  /** When it was well again; undefined while it is not. */
  readonly to: number | undefined
}

export interface Command {
  readonly program: string
  readonly args: ReadonlyArray<string>
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly uid?: number
  readonly gid?: number
}

export interface Process {
  readonly name: string
  /** Starts it, and again when it ends before it is ready; returns when it is. */
  readonly start: Effect.Effect<void>
  readonly kill: Effect.Effect<void>
  readonly freeze: Effect.Effect<void>
  readonly thaw: Effect.Effect<void>
  readonly pid: () => number | undefined
}

export interface ProcessOptions {
  readonly name: string
  readonly command: Command
  readonly log: string
  /** Whether it serves; `printed` is what it has said since this start. */
  readonly isReady: (printed: () => string) => Promise<boolean>
  readonly absent: (absence: Absence) => void
  readonly keeper: Keeper
}

/** Sees to it that no process outlives the test. */
export interface Keeper {
  readonly born: (pid: number) => void
  readonly gone: (pid: number) => void
}

const readyMillis = 180_000

/** A keeper that works even when this process is killed. */
export const keeper: Effect.Effect<Keeper, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => {
    const child = spawn(process.execPath, [path.join(import.meta.dirname, "reaper.ts")], {
      detached: true,
      stdio: ["pipe", "ignore", "inherit"]
    })
    return {
      child,
      born: (pid: number) => void child.stdin!.write(`+${pid}\n`),
      gone: (pid: number) => void child.stdin!.write(`-${pid}\n`)
    }
  }),
  ({ child }) =>
    Effect.callback<void>((resume) => {
      child.once("exit", () => resume(Effect.void))
      child.stdin!.end()
    })
)

/** Its children, of every generation. */
export const childrenOf = async (pid: number): Promise<ReadonlyArray<number>> => {
  const parents = new Map<number, number>()
  for (const entry of await readdir("/proc")) {
    if (!/^\d+$/.test(entry)) continue
    const stat = await readFile(`/proc/${entry}/stat`, "utf8").catch(() => "")
    parents.set(Number(entry), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]))
  }
  const below = (parent: number): ReadonlyArray<number> =>
    [...parents].filter(([, own]) => own === parent).flatMap(([child]) => [child, ...below(child)])
  return below(pid)
}

/** The child of a product that runs a program. */
export const childOf = (product: { readonly pid: () => number }, program: string): Effect.Effect<number> =>
  Effect.promise(async () => {
    const { stdout } = await promisify(execFile)("ps", ["-o", "pid=,args=", "--ppid", String(product.pid())])
    const line = stdout.split("\n").find((entry) => entry.includes(program))
    if (line === undefined) throw new Error(`${program} does not run as a child`)
    return Number(line.trim().split(/\s+/)[0])
  })

export const make = (options: ProcessOptions): Process => {
  const { absent, command, keeper, log, name } = options
  let child: ChildProcess | undefined
  let away: { readonly how: Absence["how"]; readonly from: number } | undefined
  let began = 0

  const leave = (how: Absence["how"]): void => {
    away ??= { how, from: Date.now() }
    absent({ name, ...away, to: undefined })
  }
  const back = (): void => {
    if (away !== undefined) absent({ name, ...away, to: Date.now() })
    away = undefined
  }

  const launch = (): ChildProcess => {
    const file = fs.openSync(log, "a", 0o644)
    began = fs.fstatSync(file).size
    const made = spawn(command.program, command.args, {
      cwd: command.cwd,
      env: command.env,
      ...(command.uid === undefined ? {} : { uid: command.uid, gid: command.gid! }),
      stdio: ["ignore", file, file]
    })
    fs.closeSync(file)
    const pid = made.pid!
    keeper.born(pid)
    made.once("exit", () => keeper.gone(pid))
    return made
  }
  const isOver = (): boolean => child === undefined || child.exitCode !== null || child.signalCode !== null
  const printed = (): string => fs.readFileSync(log, "utf8").slice(began)

  const start = async (): Promise<void> => {
    const until = Date.now() + readyMillis
    child = launch()
    while (!(await options.isReady(printed))) {
      if (Date.now() > until) throw new Error(`${name} did not become ready; see ${log}`)
      await new Promise((resolve) => setTimeout(resolve, 100))
      if (isOver()) child = launch()
    }
    back()
  }
  /** The process with its children; a parent that is stopped or killed first makes no more of them. */
  const signal = async (what: NodeJS.Signals, done: () => void): Promise<void> => {
    if (isOver()) return done()
    const pid = child!.pid!
    const below = await childrenOf(pid)
    // Children continue before their parent, so that it never sees them stopped.
    for (const one of what === "SIGCONT" ? [...below, pid] : [pid, ...below]) {
      try {
        process.kill(one, what)
      } catch {
        // It already exited.
      }
    }
    done()
  }

  return {
    name,
    pid: () => child?.pid,
    start: Effect.promise(start),
    kill: Effect.promise(async () => {
      const ended = new Promise<void>((resolve) => {
        if (isOver()) resolve()
        else child!.once("exit", () => resolve())
      })
      await signal("SIGKILL", () => leave("killed"))
      await ended
    }),
    freeze: Effect.promise(() => signal("SIGSTOP", () => leave("frozen"))),
    thaw: Effect.promise(() => signal("SIGCONT", back))
  }
}
