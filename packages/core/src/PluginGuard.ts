/**
 * Isolates a third-party plugin: labels its log lines and limits their number, attributes what it leaves behind, and stops
 * starting attempts when too many do not end.
 */
import { Context, Effect, Logger, Result } from "effect"
import * as Activity from "./Activity.ts"
import type { Auth } from "./Auth.ts"
import type { Channel } from "./Channel.ts"
import type { Check } from "./Check.ts"
import * as InFlight from "./InFlight.ts"
import * as LogQuota from "./LogQuota.ts"
import * as PluginOwner from "./PluginOwner.ts"

/** Maximum number of attempts of one plugin that were interrupted and still run. */
export const maxUnending = 100

/** The guard of one plugin. */
export interface Guard {
  readonly check: (check: Check) => Check
  readonly channel: (channel: Channel) => Channel
  readonly auth: (auth: Auth) => Auth
}

/** `version` changes whenever the plugin does. */
export const make = (plugin: string, version = ""): Guard => {
  const quiet = quietened(plugin)
  let unending = 0

  /** Runs in its own fiber, so that its steps are attributed to the plugin. */
  const guarded = <A, E, R>(attempt: () => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.contextWith((context: Context.Context<R>) =>
      Effect.callback<A, E>((resume) => {
        if (unending >= maxUnending) {
          resume(Effect.die(new Error(`${maxUnending} attempts of ${plugin} do not end; no more are started`)))
          return
        }
        const describe = Context.get(context, Activity.CurrentActivity)
        const leave = describe === undefined ? undefined : InFlight.enter(describe())
        const fiber = Activity.within(describe, () =>
          PluginOwner.runAs(plugin, () => Effect.runForkWith(context)(quiet(Effect.suspend(attempt))))
        )
        fiber.addObserver((exit) => {
          leave?.()
          resume(exit)
        })
        return Effect.callback<void>((ended) => {
          unending++
          fiber.addObserver(() => {
            unending--
            ended(Effect.void)
          })
          PluginOwner.runAs(plugin, () => fiber.interruptUnsafe())
        })
      })
    )

  /** As `guarded`, for the plugin as an auth: its requests have no owner that could be told apart. */
  const asAuth = <A, E, R>(label: string, attempt: () => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.provideService(guarded(attempt), Activity.CurrentActivity, () => ({
      kind: "auth",
      key: plugin,
      version,
      label,
      size: null
    }))

  return {
    auth: (auth) => ({
      ...auth,
      start: (settings) =>
        Result.map(
          auth.start(settings),
          (authenticate) => (request) => asAuth(`sign-in by ${auth.name}`, () => authenticate(request))
        )
    }),
    check: (check) => ({
      ...check,
      prepare: (config) =>
        Result.map(check.prepare(config), (prepared) => ({
          ...prepared,
          run: ({ answered, ...attempt }) =>
            guarded(() =>
              prepared.run({
                ...attempt,
                ...(answered === undefined
                  ? {}
                  : { answered: (capture) => answered(capture === undefined ? capture : guarded(() => capture)) })
              })
            )
        }))
    }),
    channel: (channel) => ({
      ...channel,
      start: (config, settings) =>
        Result.map(channel.start(config, settings), (start) =>
          Effect.map(
            guarded(() => start),
            ({ deliver, message }) => ({
              deliver: (notice) => guarded(() => deliver(notice)),
              ...(message === undefined ? {} : { message: (own) => guarded(() => message(own)) })
            })
          )
        )
    })
  }
}

/** Labels the plugin's log lines and applies its quota. */
const quietened = (plugin: string) => {
  const quota = LogQuota.of(plugin)
  const limited = new WeakMap<
    ReadonlySet<Logger.Logger<unknown, unknown>>,
    ReadonlySet<Logger.Logger<unknown, unknown>>
  >()
  const limit = (loggers: ReadonlySet<Logger.Logger<unknown, unknown>>) => {
    const known = limited.get(loggers)
    if (known !== undefined) return known
    const gate = Logger.make<unknown, void>((line) => {
      const verdict = quota.take(line.date.getTime())
      if (verdict === "drop") return
      const message = verdict === "write" ? line.message : LogQuota.exhausted(plugin)
      PluginOwner.asHost(() => {
        for (const logger of loggers) logger.log({ ...line, message })
      })
    })
    const only = new Set([gate])
    limited.set(loggers, only)
    return only
  }
  return <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    effect.pipe(Effect.updateService(Logger.CurrentLoggers, limit), Effect.annotateLogs({ plugin }))
}
