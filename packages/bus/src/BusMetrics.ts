/** The bus's metrics, by name. */
import { Effect, Metric } from "effect"

/** Messages that a `stream` had dropped by the time they were to be read. */
export const missed = Metric.counter("kanmon_messages_missed", {
  description: "Messages that the bus dropped before they were read, by stream",
  incremental: true
})

/** Says that none were missed so far: who reads a counter sees a first step only when it began at 0. */
export const begin = (stream: string): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(missed, { stream }), 0)

/** Counts them, and tells the operator what to do. */
export const tellMissed = (stream: string, count: number, advice: string): Effect.Effect<void> =>
  Effect.logError(`The bus dropped messages before they were read. ${advice}`).pipe(
    Effect.annotateLogs({ stream, count }),
    Effect.andThen(Metric.update(Metric.withAttributes(missed, { stream }), count))
  )
