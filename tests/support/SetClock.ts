/** A clock that shows the time that a test says. Its pauses are real: the database driver needs them for its own timers. */
import { Clock, Effect, Layer } from "effect"

const showing =
  (now: () => number) =>
  (real: Clock.Clock): Clock.Clock =>
    Object.assign(Object.create(real), {
      currentTimeMillisUnsafe: now,
      currentTimeMillis: Effect.sync(now)
    })

/** Runs by such a clock. */
export const by = (now: () => number) => Effect.updateService(Clock.Clock, showing(now))

/** Runs at an instant. */
export const at = (millis: number) => by(() => millis)

/** The services below go by such a clock. */
export const layer = (now: () => number) => Layer.effect(Clock.Clock, Effect.map(Clock.Clock, showing(now)))
