/** Two lines of the log for operators: that a signal asked for a stop, at once, and that everything has ended. */
import { Effect, Layer } from "effect"

const signals = ["SIGINT", "SIGTERM"] as const

/**
 * Logs `Stopping` on the first signal and `Stopped` when all that was built on this layer has ended. After a failure without a signal
 * it says nothing: the failure is printed.
 */
export const layer: Layer.Layer<never> = Layer.effectDiscard(
  Effect.gen(function* () {
    const context = yield* Effect.context<never>()
    let isAsked = false
    const asked = (signal: string): void => {
      if (isAsked) return
      isAsked = true
      Effect.runForkWith(context)(Effect.annotateLogs(Effect.logInfo("Stopping"), { signal }))
    }
    yield* Effect.acquireRelease(
      Effect.sync(() => {
        for (const signal of signals) process.on(signal, asked)
      }),
      () =>
        Effect.andThen(
          Effect.sync(() => {
            for (const signal of signals) process.off(signal, asked)
          }),
          Effect.suspend(() => (isAsked ? Effect.logInfo("Stopped") : Effect.void))
        )
    )
  })
)
