/**
 * Calls of Better Auth. It turns database failures into refusals of its own ("Failed to create user"): this keeps
 * the original failure. Its queries run in the context of the fiber that called it, so in the same transaction; and a write
 * that the caller expects is recorded in the audit log together with it.
 */
import { AsyncLocalStorage } from "node:async_hooks"
import type { AccountChange, AccountChanges } from "../AccountChanges.ts"
import type { AuthModel } from "../../users/index.ts"
import { Cause, type Context, Effect, Exit } from "effect"

/** A write that Better Auth is going to make, and its entry in the audit log. */
export interface Expected {
  readonly write: "create" | "update" | "remove"
  readonly model: AuthModel
  readonly change: AccountChange
}

interface Kept {
  cause?: Cause.Cause<never>
  readonly context: Context.Context<never>
  expected: Expected | undefined
}

const current = new AsyncLocalStorage<Kept>()

/** Runs effects for Better Auth. */
export const runner =
  (context: Context.Context<never>) =>
  async <A>(effect: Effect.Effect<A>): Promise<A> => {
    const kept = current.getStore()
    const exit = await Effect.runPromiseExitWith(kept?.context ?? context)(effect)
    if (Exit.isSuccess(exit)) return exit.value
    if (kept !== undefined) kept.cause = exit.cause
    throw Cause.squash(exit.cause)
  }

/** Calls Better Auth; dies with the database failure if there was one, even if Better Auth returned a result. */
export const heard = <A>(use: () => Promise<A>, expected?: Expected): Effect.Effect<A> =>
  Effect.contextWith((context: Context.Context<never>) => {
    const kept: Kept = { context, expected }
    return Effect.promise(() => current.run(kept, use)).pipe(
      Effect.exit,
      Effect.flatMap((exit) => (kept.cause === undefined ? exit : Effect.failCause(kept.cause)))
    )
  })

/** A write for Better Auth; recorded with it if it is the expected one. */
export const recorded =
  (changes: AccountChanges["Service"]) =>
  <A>(write: Expected["write"], model: string, effect: Effect.Effect<A>): Effect.Effect<A> => {
    const kept = current.getStore()
    if (kept?.expected === undefined || kept.expected.write !== write || kept.expected.model !== model) return effect
    const { change } = kept.expected
    // Used once: later calls belong to the same change.
    kept.expected = undefined
    return changes.record(change, effect)
  }
