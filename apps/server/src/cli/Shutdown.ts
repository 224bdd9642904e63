/** How the process ends: in order on the first signal, at once on the second, and never later than ten seconds. */
import { Cause, Exit } from "effect"

const graceMillis = 10_000

/** The first signal stops in order (the runtime sees to it); the second one does not wait. */
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
