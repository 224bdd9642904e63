/**
 * Tells somebody outside, every minute, that this installation is well; when it is not, or is offline, it keeps silent, and
 * that is the alarm.
 */
import { Dialer } from "@kanmon/core/Dialer"
import * as HttpRequest from "@kanmon/core/HttpRequest"
import * as NodeDialer from "@kanmon/core/NodeDialer"
import { Resolver } from "@kanmon/core/Resolver"
import { Probe } from "@kanmon/probe/Probe"
import { Duration, Effect, Layer, Option } from "effect"
import { HealthCheck } from "./http/HealthHandlers.ts"

const interval = Duration.minutes(1)
/** Somebody who waits for the word should not wait for a whole minute more when all is well again. */
const soon = Duration.seconds(5)
const patience = "20 seconds"

/** Looks, tells, and goes on for ever. `tell` is called for as long as `isWell`. */
export const watch = <E, R>(
  isWell: Effect.Effect<boolean>,
  tell: Effect.Effect<unknown, E, R>
): Effect.Effect<never, never, R> =>
  isWell.pipe(
    Effect.flatMap((well) => (well ? Effect.as(tell, interval) : Effect.succeed(soon))),
    Effect.catchCause((cause) =>
      Effect.logWarning("The watchdog could not be told that all is well", cause).pipe(Effect.as(soon))
    ),
    Effect.flatMap((pause) => Effect.sleep(pause)),
    Effect.forever
  )

export const layer = (address: string): Layer.Layer<never, never, HealthCheck | Resolver> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const health = yield* HealthCheck
      const probe = yield* Effect.serviceOption(Probe)
      // The operator chose it, wherever it is.
      const dialer = NodeDialer.make({ allowPrivate: true }, yield* Resolver)
      const isWell = Effect.map(
        health.look,
        ({ clock, status }) =>
          status === "ok" && clock.status !== "wrong" && !Option.exists(probe, (own) => own.isOffline())
      )
      const tell = HttpRequest.send({ url: new URL(address), method: "GET" }).pipe(Effect.timeout(patience))
      yield* Effect.forkScoped(Effect.provideService(watch(isWell, tell), Dialer, dialer))
    })
  )
