/**
 * The activity of this process and its owner: the monitor of a check, the channel of a delivery, the route of a
 * request. It costs next to nothing while all is well, because it is described only when the event loop does not turn.
 * ¶ A fiber has it in its context. Callbacks and promises, which belong to no fiber, have it in the asynchronous
 * context in which they were created.
 */
import { AsyncLocalStorage } from "node:async_hooks"
import { Context, Effect, Fiber, Schema } from "effect"

/** Work that can be told apart from other work, and that can be held back alone. */
export const Activity = Schema.Struct({
  kind: Schema.Literals(["check", "channel", "auth", "plugin", "request"]),
  /** The id of the monitor or the channel, the name of the plugin, or the route with its caller. */
  key: Schema.String,
  /** Changes with what decides how this work behaves: the settings, the plugin, the release. */
  version: Schema.String,
  /** The label for operators: the type of the check or channel, or the route. */
  label: Schema.String,
  /** Bytes of input; null where that is not known. */
  size: Schema.NullOr(Schema.Int)
})
export type Activity = typeof Activity.Type

/** Describes the activity when it is asked for. */
export type Describe = () => Activity

/** The activity of a fiber and its children. */
export const CurrentActivity = Context.Reference<Describe | undefined>("@kanmon/core/CurrentActivity", {
  defaultValue: () => undefined
})

const storage = new AsyncLocalStorage<Describe>()

/** Runs a function; its callbacks and promises belong to the activity, too. */
export const within = <A>(activity: Describe | undefined, run: () => A): A =>
  activity === undefined ? run() : storage.run(activity, run)

/** The current activity; undefined without an owner. */
export const current = (): Activity | undefined => {
  const fiber = Fiber.getCurrent()
  return ((fiber === undefined ? undefined : Context.get(fiber.context, CurrentActivity)) ?? storage.getStore())?.()
}

/** Runs code that works with promises, which are to belong to the activity of this fiber, in a fiber of its own. */
export const ambient = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.contextWith((context: Context.Context<R>) =>
    Effect.callback<A, E>((resume) => {
      const fiber = within(Context.get(context, CurrentActivity), () => Effect.runForkWith(context)(effect))
      fiber.addObserver(resume)
      return Fiber.interrupt(fiber)
    })
  )
