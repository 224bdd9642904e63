/**
 * Better Auth turns database failures into refusals of its own ("Failed to create user"). This keeps the original failure
 * for the host.
 */
import { AsyncLocalStorage } from "node:async_hooks"
import { Cause, type Context, Effect, Exit } from "effect"

interface Kept {
  cause?: Cause.Cause<never>
}

const current = new AsyncLocalStorage<Kept>()

/** Runs effects for Better Auth. */
export const runner =
  (context: Context.Context<never>) =>
  async <A>(effect: Effect.Effect<A>): Promise<A> => {
    const exit = await Effect.runPromiseExitWith(context)(effect)
    if (Exit.isSuccess(exit)) return exit.value
    const kept = current.getStore()
    if (kept !== undefined) kept.cause = exit.cause
    throw Cause.squash(exit.cause)
  }

/** Calls Better Auth; dies with the database failure if there was one, whatever Better Auth returned. */
export const heard = <A>(use: () => Promise<A>): Effect.Effect<A> =>
  Effect.suspend(() => {
    const kept: Kept = {}
    return Effect.promise(() => current.run(kept, use)).pipe(
      Effect.exit,
      Effect.flatMap((exit) => (kept.cause === undefined ? exit : Effect.failCause(kept.cause)))
    )
  })
