/** Fits the monitors of accounts to their plans: after the grace period of an overdue payment, and after a plan has changed. */
import { Subscriptions } from "./Subscriptions.ts"
import { Effect, Layer } from "effect"
import { every } from "@kanmon/core/Recurring"

const pollInterval = "5 seconds"

/** One run: fits the accounts that are due, and deletes old events. */
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
