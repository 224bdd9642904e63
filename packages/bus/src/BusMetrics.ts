/** The bus's metrics, by name. */
import { Clock, Effect, Metric } from "effect"

/** Messages that a `stream` dropped before they were read. */
export const missed = Metric.counter("kanmon_messages_missed", {
  description: "Messages that the bus dropped before they were read, by stream",
  incremental: true
})

/** Initialises the counter to 0; otherwise Prometheus `rate()` misses the first increment. */
export const begin = (stream: string): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(missed, { stream }), 0)

/** How long further messages are only counted, so that a full bus does not fill the log, too. */
const silenceMillis = 60_000

/** Counts dropped messages, and logs advice for the operator: at once, then at most once a minute with all since the line before. */
export const teller = () => {
  const streams = new Map<string, { toldAt: number; untold: number }>()
  return (stream: string, count: number, advice: string): Effect.Effect<void> =>
    Effect.gen(function* () {
      yield* Metric.update(Metric.withAttributes(missed, { stream }), count)
      const now = Number((yield* Clock.monotonicTimeNanos) / 1_000_000n)
      const { toldAt, untold } = streams.get(stream) ?? { toldAt: Number.NEGATIVE_INFINITY, untold: 0 }
      const isDue = now - toldAt >= silenceMillis
      streams.set(stream, isDue ? { toldAt: now, untold: 0 } : { toldAt, untold: untold + count })
      if (isDue)
        yield* Effect.logError(`The bus dropped messages before they were read. ${advice}`).pipe(
          Effect.annotateLogs({ stream, count: untold + count })
        )
    })
}
