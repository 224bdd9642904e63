/**
 * Detects suspensions of this process. After one (a frozen process, a sleeping machine) measured durations are
 * meaningless: expected data may have arrived in time.
 */
import { Clock, Effect, type Scope } from "effect"
import { monotonicMillis } from "./AlarmClock.ts"
import * as TimerCoalescing from "./TimerCoalescing.ts"

export interface StallDetector {
  /** The current instant on a clock that cannot be set, for `isSteadySince`. Earlier suspensions do not count. */
  readonly begin: () => number
  /** Whether the process was not suspended since the instant. */
  readonly isSteadySince: (instant: number) => boolean
}

const everyMillis = 500
/** A busy process is late by less than this. */
const pauseMillis = 2000

/** Measures until the scope closes. */
export const make: Effect.Effect<StallDetector, never, Scope.Scope> = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  // The wall clock, because the monotonic clock stops while a machine sleeps.
  let last = clock.currentTimeMillisUnsafe()
  let resumedAt = Number.NEGATIVE_INFINITY

  const measure = (): void => {
    const now = clock.currentTimeMillisUnsafe()
    if (now - last > everyMillis + pauseMillis) resumedAt = monotonicMillis(clock)
    last = now
  }
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(TimerCoalescing.pause(everyMillis), Effect.sync(measure))))
  return {
    begin: () => {
      measure()
      return monotonicMillis(clock)
    },
    isSteadySince: (instant) => {
      // After a suspension, other tasks may run before the timer.
      measure()
      return resumedAt <= instant
    }
  }
})
