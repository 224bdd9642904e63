/** Shutdown: orderly on the first signal, immediate on the second, and after ten seconds at the latest. */
import { Cause, Exit } from "effect"

const graceMillis = 10_000

/** The runtime handles the first signal; the second one ends the process immediately. */
export const secondSignalEndsAtOnce = (): void => {
  let signals = 0
  const count = (): void => {
    signals++
    if (signals > 1) process.exit(130)
    setTimeout(() => process.exit(1), graceMillis).unref()
  }
  process.on("SIGINT", count)
  process.on("SIGTERM", count)
}

/** Exit code 0 after an orderly stop, 1 after a failure. */
export const teardown = (exit: Exit.Exit<unknown, unknown>, onExit: (code: number) => void): void => {
  if (Exit.isSuccess(exit)) return onExit(typeof process.exitCode === "number" ? process.exitCode : 0)
  onExit(Cause.hasInterruptsOnly(exit.cause) ? 0 : 1)
}
