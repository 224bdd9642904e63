/**
 * Shutdown: orderly on the first signal, at once on a second one, and after nine seconds at the latest. The embedded servers end
 * in each case, with the scope or with the process.
 */
import { performance } from "node:perf_hooks"
import { Cause, Exit } from "effect"
import * as Usage from "./Usage.ts"

/** Less than the ten seconds after which `docker stop` kills: a stop that is cut short says so. */
export const graceMillis = 9000

/** A terminal sends Ctrl+C to npm and to this process, and npm forwards it: signals so close together are one request. */
const sameRequestMillis = 1000

export type Decision = "stop" | "ignore" | "exit"

/** Decides on each signal by when it comes, in milliseconds of a monotonic clock. */
export const decisions = (): ((now: number) => Decision) => {
  let first: number | undefined
  return (now) => {
    if (first === undefined) {
      first = now
      return "stop"
    }
    return now - first < sameRequestMillis ? "ignore" : "exit"
  }
}

/** The runtime stops in order on the first signal. This ends the process on a later one, or when the stop takes too long. */
export const secondSignalEndsAtOnce = (): void => {
  const decide = decisions()
  const count = (): void => {
    const decision = decide(performance.now())
    if (decision === "exit") process.exit(130)
    if (decision === "stop") setTimeout(graceEnds, graceMillis).unref()
  }
  process.on("SIGINT", count)
  process.on("SIGTERM", count)
  process.on("SIGHUP", hangUp)
}

/** A stop that was cut short is not an orderly one: exit code 1, and a line that says why. */
const graceEnds = (): void => {
  process.stderr.write("kanmon: The stop took longer than nine seconds, so what was still running was dropped.\n", () =>
    process.exit(1)
  )
}

/**
 * The window of the terminal was closed: further output has no reader. Node resets the signals that its parent ignores, so
 * `nohup` cannot prevent this; a session of its own (`setsid`) does.
 */
const hangUp = (): void => {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {})
  process.kill(process.pid, "SIGTERM")
}

/** Exit code 0 after an orderly stop, 1 after a failure, 2 for a command that does not exist. */
export const teardown = (exit: Exit.Exit<unknown, unknown>, onExit: (code: number) => void): void => {
  if (Exit.isSuccess(exit)) return onExit(typeof process.exitCode === "number" ? process.exitCode : 0)
  onExit(Cause.hasInterruptsOnly(exit.cause) ? 0 : (Usage.exitCodeOf(Cause.squash(exit.cause)) ?? 1))
}
