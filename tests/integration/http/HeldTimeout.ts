/** The server's limit for the time of a request, which passes when a test says so: neither soon nor late, however busy the machine is. */
import { Clock, Context, Deferred, Duration, Effect, Layer } from "effect"

/** Like no other time that the server waits for. */
export const requestTimeout = Duration.minutes(47)

export class HeldTimeout extends Context.Service<
  HeldTimeout,
  {
    /** Requests whose limit has begun. */
    readonly running: Effect.Effect<number>
    /** Ends the limits that have begun. */
    readonly pass: Effect.Effect<void>
  }
>()("@kanmon/tests/HeldTimeout") {}

/** A clock that is right, except that this limit is as long as it is held. */
export const layer: Layer.Layer<HeldTimeout> = Layer.effectContext(
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const waiting = new Set<Deferred.Deferred<void>>()
    const held = Effect.suspend(() => {
      const end = Deferred.makeUnsafe<void>()
      waiting.add(end)
      return Effect.ensuring(
        Deferred.await(end),
        Effect.sync(() => waiting.delete(end))
      )
    })
    const sleep: Clock.Clock["sleep"] = (duration) =>
      Duration.equals(duration, requestTimeout) ? held : clock.sleep(duration)
    return Context.make(
      HeldTimeout,
      HeldTimeout.of({
        running: Effect.sync(() => waiting.size),
        pass: Effect.suspend(() =>
          Effect.forEach([...waiting], (end) => Deferred.succeed(end, undefined), { discard: true })
        )
      })
    ).pipe(
      Context.add(
        Clock.Clock,
        new Proxy(clock, { get: (own, name) => (name === "sleep" ? sleep : Reflect.get(own, name, own)) })
      )
    )
  })
)
