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

/** A sleep may end this much before its time: the work between two rounds takes a while, and must not cost a beat. */
const slack = 25

/**
 * How long a sleep lasts that begins at `now`: until the first beat at its end or after it. Not before it, as a pause may: a
 * schedule with fixed times runs when it is woken, and if that was too early, once more at its time.
 */
export const prolonged = (now: number, millis: number): number =>
  millis < beat || !Number.isFinite(millis) ? millis : Math.ceil((now + millis - slack) / beat) * beat - now

const rest = (clock: Clock.Clock, length: (now: number) => number): Effect.Effect<void> =>
  Effect.suspend(() => clock.sleep(Duration.millis(length(clock.currentTimeMillisUnsafe()))))

/** The pause between two rounds of recurring work: a quarter of a second shorter or longer, so not for what must be exact. */
export const pause = (duration: Duration.Input): Effect.Effect<void> => {
  const millis = Duration.toMillis(Duration.fromInputUnsafe(duration))
  return Effect.flatMap(Clock.Clock, (clock) => rest(clock, (now) => coalesced(now, millis)))
}

/**
 * A clock with which all sleeps end on a beat, for loops of others: `after` milliseconds later than our pauses, when the process
 * is still awake. Questions to the database at the same moment need a connection each.
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
      sleep: (duration) => rest(clock, (now) => prolonged(now - after, Duration.toMillis(duration)))
    }))
  )
