/** Interrupts the attempt after the limit. If it ignores interruption it is detached, so callers are not blocked. */
import { Context, type Duration, Effect, Exit, Fiber, Option } from "effect"
import { CurrentActivity, within as withinActivity } from "../Activity.ts"

/** How long an interrupted attempt may take to end. */
const ending = "1 second"

/** The attempt, or `orElse` when it takes longer than `limit`. */
export const within = <A, E, R, E2>(
  attempt: Effect.Effect<A, E, R>,
  limit: Duration.Input,
  orElse: () => Effect.Effect<A, E2>
): Effect.Effect<A, E | E2, R> =>
  Effect.gen(function* () {
    const context = yield* Effect.context<R>()
    // Sockets and promises that the attempt makes belong to its activity.
    const fiber = withinActivity(Context.get(context, CurrentActivity), () => Effect.runForkWith(context)(attempt))
    const exit = yield* Fiber.await(fiber).pipe(
      Effect.timeoutOption(limit),
      Effect.onExit((waited) => (Exit.isSuccess(waited) && Option.isSome(waited.value) ? Effect.void : end(fiber)))
    )
    return yield* Option.getOrElse(exit, orElse)
  })

const end = (fiber: Fiber.Fiber<unknown, unknown>): Effect.Effect<void> => {
  fiber.interruptUnsafe()
  return Effect.asVoid(Effect.timeoutOption(Effect.interruptible(Fiber.await(fiber)), ending))
}
