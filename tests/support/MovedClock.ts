/** A clock that a test sets to another day. It runs on from there, and sleeps take the time that they say. */
import { Clock, Context, Effect, Layer } from "effect"

export class MovedClock extends Context.Service<
  MovedClock,
  {
    readonly set: (at: number) => Effect.Effect<void>
    readonly move: (millis: number) => Effect.Effect<void>
  }
>()("@kanmon/tests/MovedClock") {}

export const set = (at: number) => Effect.flatMap(MovedClock, (clock) => clock.set(at))

export const moveHours = (hours: number) => Effect.flatMap(MovedClock, (clock) => clock.move(hours * 3_600_000))

/** The services below and the test go by this clock. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const real = yield* Clock.Clock
    let offset = 0
    const moved = Object.create(real) as Clock.Clock
    const now = () => real.currentTimeMillisUnsafe() + offset
    Object.defineProperty(moved, "currentTimeMillisUnsafe", { value: now, writable: true })
    Object.defineProperty(moved, "currentTimeMillis", { value: Effect.sync(now), writable: true })
    const change = (to: (before: number) => number) => Effect.sync(() => void (offset = to(offset)))
    return Layer.merge(
      Layer.succeed(Clock.Clock, moved),
      Layer.succeed(MovedClock, {
        set: (at) => change(() => at - real.currentTimeMillisUnsafe()),
        move: (millis) => change((before) => before + millis)
      })
    )
  })
)
