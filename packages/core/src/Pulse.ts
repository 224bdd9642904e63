/**
 * Whether this process has been running all along. One that was frozen, or whose machine slept, cannot say how long anything
 * took: what it waited for may have come in time.
 */
import { Clock, Effect, type Scope } from "effect"
import { monotonicMillis } from "./AlarmClock.ts"

export interface Pulse {
  /** An instant by a clock that cannot be set: what stopped this process before it is of no matter to what begins now. */
  readonly begin: () => number
  /** Whether nothing stopped this process between the instant and now. */
  readonly isSteadySince: (instant: number) => boolean
}

const beatMillis = 500
/** A busy process beats late; one that is so late was not there. */
const pauseMillis = 2000

/** Beats until the scope closes. */
export const make: Effect.Effect<Pulse, never, Scope.Scope> = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  // By the clock on the wall, because the other one stops with a machine that sleeps.
  let last = clock.currentTimeMillisUnsafe()
  let resumedAt = Number.NEGATIVE_INFINITY

  const beat = (): void => {
    const now = clock.currentTimeMillisUnsafe()
    if (now - last > beatMillis + pauseMillis) resumedAt = monotonicMillis(clock)
    last = now
  }
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(beatMillis), Effect.sync(beat))))
  return {
    begin: () => {
      beat()
      return monotonicMillis(clock)
    },
    isSteadySince: (instant) => {
      // After a pause, others may have their turn before the beat has.
      beat()
      return resumedAt <= instant
    }
  }
})
