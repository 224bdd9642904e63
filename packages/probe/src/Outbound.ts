/**
 * Observations on their way to the bus: a bounded buffer that one fiber empties, in order. While the bus is away it fills; when
 * it is full the oldest go, and are counted.
 */
import { EventBus, type Outgoing } from "@kanmon/core/EventBus"
import { Effect, Latch, Metric, Schedule, type Scope } from "effect"
import * as Metrics from "./ProbeMetrics.ts"

export interface Outbound {
  /** Never blocks. */
  readonly offer: (message: Outgoing) => void
  /** Waits until everything has reached the bus. */
  readonly flush: Effect.Effect<void>
  readonly size: () => number
}

/** Messages of one publication. */
const chunk = 512
/** How long a chunk gathers: fewer, larger publications cost less. */
const gather = "20 millis"

export const make = (capacity: number): Effect.Effect<Outbound, never, EventBus | Scope.Scope> =>
  Effect.gen(function* () {
    const bus = yield* EventBus
    const filled = Latch.makeUnsafe(false)
    const emptied = Latch.makeUnsafe(true)
    let waiting: Array<Outgoing> = []
    let head = 0
    let dropped = 0

    const size = (): number => waiting.length - head
    const advance = (count: number): void => {
      head += count
      // Cutting in large pieces keeps the copying rare.
      if (head >= 4096 || head === waiting.length) {
        waiting = waiting.slice(head)
        head = 0
      }
    }

    const drain = Effect.gen(function* () {
      yield* filled.await
      yield* Effect.sleep(gather)
      while (size() > 0) {
        const messages = waiting.slice(head, head + chunk)
        yield* bus.publish(messages).pipe(
          Effect.tapError((error) =>
            Effect.logWarning("Observations wait for the bus").pipe(
              Effect.annotateLogs({ reason: error.detail, waiting: size() })
            )
          ),
          Effect.retry(Schedule.spaced("1 second"))
        )
        // What was dropped meanwhile was at the head, too: go by identity.
        const last = waiting.indexOf(messages.at(-1)!, head)
        if (last >= 0) advance(last - head + 1)
        if (dropped > 0) {
          yield* Metric.update(Metrics.dropped, dropped)
          dropped = 0
        }
        yield* Metric.update(Metrics.buffered, size())
      }
      yield* filled.close
      yield* emptied.open
    })
    yield* Effect.forkScoped(Effect.forever(drain))

    return {
      offer: (message) => {
        if (size() >= capacity) {
          advance(1)
          dropped++
        }
        waiting.push(message)
        emptied.closeUnsafe()
        filled.openUnsafe()
      },
      flush: emptied.await,
      size
    }
  })
