/**
 * A dead man's switch: calls an external URL every minute while the installation is healthy. The external service raises the
 * alarm when the calls stop.
 */
import { Dialer } from "@kanmon/core/Dialer"
import * as HttpRequest from "@kanmon/core/HttpRequest"
import * as NodeDialer from "@kanmon/core/NodeDialer"
import { Resolver } from "@kanmon/core/Resolver"
import { Duration, Effect, Layer } from "effect"
import { HealthCheck, LocalProbe } from "@kanmon/platform/ProcessHealth"

const interval = Duration.minutes(1)
/** Shorter than the interval, so that a recovery is reported soon. */
const soon = Duration.seconds(5)
const requestTimeout = "20 seconds"

/** Calls `report` at every interval while `isHealthy`. */
export const watch = <E, R>(
  isHealthy: Effect.Effect<boolean>,
  report: Effect.Effect<unknown, E, R>
): Effect.Effect<never, never, R> =>
  isHealthy.pipe(
    Effect.flatMap((healthy) => (healthy ? Effect.as(report, interval) : Effect.succeed(soon))),
    Effect.catchCause((cause) =>
      Effect.logWarning("The watchdog URL could not be called", cause).pipe(Effect.as(soon))
    ),
    Effect.flatMap((pause) => Effect.sleep(pause)),
    Effect.forever
  )

export const layer = (address: string): Layer.Layer<never, never, HealthCheck | Resolver> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const health = yield* HealthCheck
      const probe = yield* LocalProbe
      // The operator chose the URL, so private addresses are allowed.
      const dialer = NodeDialer.make({ allowPrivate: true }, yield* Resolver)
      const isHealthy = Effect.map(
        health.look,
        ({ clock, status }) => status === "ok" && clock.status !== "wrong" && !probe.isOffline()
      )
      const report = HttpRequest.send({ url: new URL(address), method: "GET" }).pipe(Effect.timeout(requestTimeout))
      yield* Effect.forkScoped(Effect.provideService(watch(isHealthy, report), Dialer, dialer))
    })
  )
