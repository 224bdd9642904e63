/**
 * Lets plans take effect in time: when a payment has stayed away too long, or a plan was changed, the monitors of the accounts
 * concerned are brought in line.
 */
import { Subscriptions } from "@kanmon/store/billing/Subscriptions"
import { Effect, Layer } from "effect"
import { every } from "./Job.ts"

const pollInterval = "5 seconds"

/** Looks once: whose time has come, and which events are told no more. */
export const look: Effect.Effect<void, never, Subscriptions> = Effect.gen(function* () {
  const subscriptions = yield* Subscriptions
  yield* subscriptions.settle
  yield* subscriptions.forget
})

const watch = Effect.gen(function* () {
  const { reconsider } = yield* Subscriptions
  let reconsidered = false
  const round = Effect.gen(function* () {
    if (!reconsidered) yield* reconsider
    reconsidered = true
    yield* look
  })
  yield* every(pollInterval, "Bringing monitors in line with their plans", round)
})

export const layer: Layer.Layer<never, never, Subscriptions> = Layer.effectDiscard(watch)
