/**
 * Errors that nobody catches: what a stranger's plugin throws in a timer, or a promise of its that is rejected unheard. They are
 * logged, with the plugin's name where it can be known, and the product goes on. Without plugins from outside, such an error
 * is our own, and ends the process as Node has it: whoever restarts it gets one in a known state.
 */
import * as LogQuota from "@kanmon/core/LogQuota"
import * as PluginOwner from "@kanmon/core/PluginOwner"
import { Cause, Clock, Effect, Layer } from "effect"
import { Settings } from "./Settings.ts"

const somebody = "a plugin, or Kanmon itself"

export const layer: Layer.Layer<never, never, Settings> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { plugins } = yield* Settings
    if (plugins.length === 0) return
    const clock = yield* Clock.Clock
    const fork = Effect.runForkWith(yield* Effect.context<never>())
    const run = (line: Effect.Effect<void>) => void PluginOwner.asHost(() => fork(line))

    const tell = (words: string) => (error: unknown) => {
      const owner = PluginOwner.of(error)
      const plugin = owner ?? somebody
      const verdict = LogQuota.of(plugin).take(clock.currentTimeMillisUnsafe())
      if (verdict === "drop") return
      run(
        (verdict === "write"
          ? Effect.logError(words, Cause.die(error))
          : Effect.logError(LogQuota.exhausted(plugin))
        ).pipe(Effect.annotateLogs(owner === undefined ? {} : { plugin: owner }))
      )
    }
    const rejected = tell("A promise was rejected and nobody heard it; Kanmon goes on")
    const thrown = tell("An error was thrown and nobody caught it; Kanmon goes on")
    yield* Effect.acquireRelease(
      Effect.sync(() => void process.on("unhandledRejection", rejected).on("uncaughtException", thrown)),
      () => Effect.sync(() => void process.off("unhandledRejection", rejected).off("uncaughtException", thrown))
    )
  })
)
