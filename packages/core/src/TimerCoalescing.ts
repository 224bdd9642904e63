/**
 * Timer coalescing: the pauses of recurring work end together, on the half seconds of the clock. Each loop on its own would wake an
 * idle process at another moment, and waking up costs more than what most of them do then.
 */
import { Clock, Duration, Effect, Layer } from "effect"

/** Pauses that are shorter end on their own. In milliseconds, as everything here. */
const beat = 500

/** How long a pause lasts that begins at `now`: until the beat that is nearest to its end, but not none. */
export const coalesced = (now: number, millis: number): number =>
  millis < beat || !Number.isFinite(millis)
    ? millis
    : Math.max(Math.round((now + millis) / beat), Math.floor(now / beat) + 1) * beat - now

/** Ends `after` milliseconds later than the beat. */
const rest = (clock: Clock.Clock, duration: Duration.Duration, after = 0): Effect.Effect<void> =>
  Effect.suspend(() =>
    clock.sleep(Duration.millis(coalesced(clock.currentTimeMillisUnsafe() - after, Duration.toMillis(duration))))
  )

/** The pause between two rounds of recurring work: a quarter of a second shorter or longer, so not for what must be exact. */
export const pause = (duration: Duration.Input): Effect.Effect<void> =>
  Effect.flatMap(Clock.Clock, (clock) => rest(clock, Duration.fromInputUnsafe(duration)))

/**
 * A clock with which all sleeps are such pauses, for loops of others. They end `after` milliseconds later than ours, when the
 * process is still awake: questions to the database at the same moment need a connection each.
 */
export const layer = (after: number): Layer.Layer<never> =>
  Layer.effect(
    Clock.Clock,
    Effect.map(Clock.Clock, (clock): Clock.Clock => ({
      currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe(),
      currentTimeMillis: clock.currentTimeMillis,
      currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
      currentTimeNanos: clock.currentTimeNanos,
      monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: clock.monotonicTimeNanos,
      sleep: (duration) => rest(clock, duration, after)
    }))
  )
