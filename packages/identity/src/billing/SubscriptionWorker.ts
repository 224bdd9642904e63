/** Fits the monitors of organizations to their plans: after the grace period of an overdue payment, and after a plan has changed. */
import { DueWork } from "@kanmon/platform/DueWork"
import { isDue } from "./SubscriptionRepository.ts"
import { Subscriptions } from "./Subscriptions.ts"
import { Effect, Layer } from "effect"
import { every } from "@kanmon/core/Recurring"

/** After an organization that cannot be fitted, which stays due. */
const pause = "5 seconds"

/** One run: fits the organizations that are due, and deletes old events. */
export const look: Effect.Effect<void, never, Subscriptions> = Effect.gen(function* () {
  const subscriptions = yield* Subscriptions
  yield* subscriptions.settle
  yield* subscriptions.forget
})

const watch = Effect.gen(function* () {
  const due = yield* DueWork
  const { forget, reconsider, settle } = yield* Subscriptions
  let reconsidered = false
  const round = Effect.gen(function* () {
    if (!reconsidered) yield* reconsider
    reconsidered = true
    yield* settle
    yield* Effect.sleep(pause)
  })
  yield* due.watch(isDue, "Bringing monitors in line with their plans", round)
  yield* every("1 hour", "Deleting old events of payments", forget)
})

export const layer: Layer.Layer<never, never, DueWork | Subscriptions> = Layer.effectDiscard(watch)
