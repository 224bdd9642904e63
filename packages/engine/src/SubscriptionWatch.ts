/**
 * Lets plans take effect in time: when a payment has stayed away too long, or a plan was changed, the monitors of the accounts
 * concerned are brought in line.
 */
import { Subscriptions } from "@kanmon/store/billing/Subscriptions"
import { Effect, Layer, Schedule } from "effect"

const pollInterval = "5 seconds"

/** Looks once: whose time has come, and which events are told no more. */
export const look: Effect.Effect<void, never, Subscriptions> = Effect.gen(function* () {
  const subscriptions = yield* Subscriptions
  yield* subscriptions.settle
  yield* subscriptions.forget
})

const tried = Effect.catchCause((cause) =>
  Effect.logWarning("Monitors could not be brought in line with their plans; it is tried again", cause)
)

const watch = Effect.flatMap(Subscriptions, ({ reconsider }) => reconsider).pipe(
  tried,
  Effect.andThen(Effect.repeat(tried(look), Schedule.spaced(pollInterval))),
  Effect.forkScoped
)

export const layer: Layer.Layer<never, never, Subscriptions> = Layer.effectDiscard(watch)
