/** The bus's metrics, by name. */
import { Effect, Metric } from "effect"

/** Messages that a `stream` dropped before they were read. */
export const missed = Metric.counter("kanmon_messages_missed", {
  description: "Messages that the bus dropped before they were read, by stream",
  incremental: true
})

/** Initialises the counter to 0; otherwise Prometheus `rate()` misses the first increment. */
export const begin = (stream: string): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(missed, { stream }), 0)

/** Counts dropped messages and logs advice for the operator. */
export const tellMissed = (stream: string, count: number, advice: string): Effect.Effect<void> =>
  Effect.logError(`The bus dropped messages before they were read. ${advice}`).pipe(
    Effect.annotateLogs({ stream, count }),
    Effect.andThen(Metric.update(Metric.withAttributes(missed, { stream }), count))
  )
