/**
 * Ends a child process when this process has ended, also by `kill -9`. The guard is a shell that reads a pipe from this process,
 * which the kernel closes. It uses no CPU time and 0.2 MB, and works on every Unix.
 */
import { type ChildProcess, spawn, type StdioOptions } from "node:child_process"
import { writeFileSync } from "node:fs"
import * as fs from "node:fs/promises"

/** A program and its output file. */
export interface Command {
  readonly file: string
  readonly args: ReadonlyArray<string>
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  /** The user it runs as; this process's by default. */
  readonly uid?: number
  readonly gid?: number
  readonly output: string
  /** Whether the output of earlier starts is kept. */
  readonly appends: boolean
}

export interface GuardFiles {
  /** Holds the process id of the current guard. A guard that reads another id exits and leaves the server running. */
  readonly inCharge: string
  /**
   * A file that exists while this process is replaced. The guard then waits for the guard of the next process, and ends the server
   * if there is none within a minute.
   */
  readonly handover?: string | undefined
}

export interface Guarding {
  readonly guard: GuardFiles
  /** Asks the process to stop; the second signal, eight seconds later, forces it. */
  readonly signals: readonly [NodeJS.Signals, NodeJS.Signals]
}

/** Starts the program once its guard runs. If this process ends earlier, the program is not started. */
const launcher = `read -r go <&3 || exit 1
exec "$@" 3<&-`

/** A line releases the guard. The end of the pipe without a line means that this process has ended. */
const guardScript = `trap '' HUP INT TERM
server=$1 ask=$2 insist=$3 charge=$4 handover=$5
read -r released && exit 0
if [ -n "$handover" ] && [ -e "$handover" ]; then
  waited=0
  while [ "$waited" -lt 60 ]; do
    read -r guard <"$charge"
    [ "$guard" = "$$" ] || exit 0
    sleep 1
    waited=$((waited + 1))
  done
fi
kill -s "$ask" "$server" || exit 0
waited=0
while [ "$waited" -lt 8 ]; do
  sleep 1
  kill -s 0 "$server" || exit 0
  waited=$((waited + 1))
done
kill -s "$insist" "$server"`

/** Starts a guarded program in its own process group, so that Ctrl+C on the terminal does not reach it. */
export const spawnGuarded = async (command: Command, guarding: Guarding): Promise<ChildProcess> => {
  const log = await fs.open(command.output, command.appends ? "a" : "w", 0o600)
  try {
    const { appends: _, args, file, output: __, ...options } = command
    const stdio: StdioOptions = ["ignore", log.fd, log.fd, "pipe"]
    const child = spawn("/bin/sh", ["-c", launcher, "sh", file, ...args], { ...options, detached: true, stdio })
    if (child.pid === undefined) return child
    const release = guard(child.pid, guarding)
    child.once("exit", release)
    const go = child.stdio[3]
    if (go !== null && go !== undefined && "end" in go) go.on("error", () => {}).end("go\n")
    return child
  } finally {
    await log.close()
  }
}

/** Guards a running process. Call the returned function when the process has ended. */
export const guard = (pid: number, { guard: { handover = "", inCharge }, signals }: Guarding): (() => void) => {
  const [ask, insist] = signals.map((signal) => signal.replace("SIG", ""))
  let released = false
  const start = (): ChildProcess => {
    const started = spawn("/bin/sh", ["-c", guardScript, "sh", String(pid), ask!, insist!, inCharge, handover], {
      cwd: "/",
      detached: true,
      stdio: ["pipe", "ignore", "ignore"]
    })
    started.on("error", () => {})
    started.stdin.on("error", () => {})
    // Replaces a guard that was killed.
    started.once("exit", () => setTimeout(() => released || (shell = start()), 1000).unref())
    // A guard does not keep this process alive.
    started.unref()
    if (started.pid !== undefined) takeCharge(inCharge, started.pid)
    return started
  }
  let shell = start()
  return () => {
    released = true
    shell.stdin?.end("released\n")
  }
}

/** On a full disk the file may stay empty, which also makes earlier guards exit. */
const takeCharge = (file: string, guard: number): void => {
  try {
    writeFileSync(file, String(guard), { mode: 0o600 })
  } catch {
    // The file is optional.
  }
}
