/**
 * Tells somebody outside, every minute, that this installation is well; when it is not, or sees nothing, it keeps silent, and
 * that is the alarm.
 */
import { Dialer } from "@kanmon/core/Dialer"
import * as HttpRequest from "@kanmon/core/HttpRequest"
import * as NodeDialer from "@kanmon/core/NodeDialer"
import { Resolver } from "@kanmon/core/Resolver"
import { Probe } from "@kanmon/probe/Probe"
import { Effect, Layer, Option, Schedule } from "effect"
import { HealthCheck } from "./http/HealthHandlers.ts"

const interval = "1 minute"
const patience = "20 seconds"

export const layer = (address: string): Layer.Layer<never, never, HealthCheck | Resolver> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const health = yield* HealthCheck
      const probe = yield* Effect.serviceOption(Probe)
      // The operator chose it, wherever it is.
      const dialer = NodeDialer.make({ allowPrivate: true }, yield* Resolver)
      const ping = Effect.gen(function* () {
        const { status } = yield* health.look
        if (status !== "ok" || Option.exists(probe, (own) => own.isBlind())) return
        yield* HttpRequest.send({ url: new URL(address), method: "GET" }).pipe(Effect.timeout(patience))
      }).pipe(
        Effect.provideService(Dialer, dialer),
        Effect.catchCause((cause) => Effect.logWarning("The watchdog could not be told that all is well", cause))
      )
      yield* Effect.forkScoped(Effect.repeat(ping, Schedule.spaced(interval)))
    })
  )
