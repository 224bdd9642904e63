/**
 * Uncaught errors of third-party plugins, such as those thrown in a timer. They are logged with the plugin's name where it is
 * known, and the process continues. Without third-party plugins such an error is Kanmon's own: Node ends the process, and a
 * supervisor restarts it in a known state.
 */
import * as LogQuota from "@kanmon/core/LogQuota"
import * as PluginOwner from "@kanmon/core/PluginOwner"
import { Cause, Clock, Effect, Layer } from "effect"
import { Settings } from "./Settings.ts"

const unknownOwner = "a plugin, or Kanmon itself"

export const layer: Layer.Layer<never, never, Settings> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { plugins } = yield* Settings
    if (plugins.length === 0) return
    const clock = yield* Clock.Clock
    const fork = Effect.runForkWith(yield* Effect.context<never>())
    const run = (line: Effect.Effect<void>) => void PluginOwner.asHost(() => fork(line))

    const logAs = (words: string) => (error: unknown) => {
      const owner = PluginOwner.of(error)
      const plugin = owner ?? unknownOwner
      const decision = LogQuota.of(plugin).take(clock.currentTimeMillisUnsafe())
      if (decision === "drop") return
      run(
        (decision === "write"
          ? Effect.logError(words, Cause.die(error))
          : Effect.logError(LogQuota.exhausted(plugin))
        ).pipe(Effect.annotateLogs(owner === undefined ? {} : { plugin: owner }))
      )
    }
    const rejected = logAs("Unhandled promise rejection; Kanmon continues")
    const thrown = logAs("Uncaught error; Kanmon continues")
    yield* Effect.acquireRelease(
      Effect.sync(() => void process.on("unhandledRejection", rejected).on("uncaughtException", thrown)),
      () => Effect.sync(() => void process.off("unhandledRejection", rejected).off("uncaughtException", thrown))
    )
  })
)
