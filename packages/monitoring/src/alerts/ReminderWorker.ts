/** Queues the reminders of open alerts, and the alerts that a silence kept back until it ended. */
import { every } from "@kanmon/core/Recurring"
import { Effect, Layer } from "effect"
import { OpenAlerts } from "./OpenAlerts.ts"

export const layer: Layer.Layer<never, never, OpenAlerts> = Layer.effectDiscard(
  Effect.flatMap(OpenAlerts, ({ release, remind }) =>
    every("10 seconds", "Queueing of reminders", Effect.andThen(release, remind))
  )
)
