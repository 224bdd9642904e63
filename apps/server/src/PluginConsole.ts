/** Turns what third-party plugins print with `console` into log lines, with the plugin's name and within its quota. */
import { format } from "node:util"
import * as LogQuota from "@kanmon/core/LogQuota"
import * as PluginOwner from "@kanmon/core/PluginOwner"
import { Clock, Effect, Layer } from "effect"
import { Settings } from "./Settings.ts"

type Print = (...values: ReadonlyArray<unknown>) => void

const levels = { debug: "Debug", trace: "Debug", log: "Info", info: "Info", warn: "Warn", error: "Error" } as const

export const layer: Layer.Layer<never, never, Settings> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { plugins } = yield* Settings
    if (plugins.length === 0) return
    const clock = yield* Clock.Clock
    const run = Effect.runForkWith(yield* Effect.context<never>())
    const terminal: Record<keyof typeof levels, Print> = globalThis.console

    for (const method of Object.keys(levels) as ReadonlyArray<keyof typeof levels>) {
      const print = terminal[method]
      const instead: Print = (...values) => {
        const plugin = PluginOwner.current()
        if (plugin === undefined) return print.apply(terminal, [...values])
        const decision = LogQuota.of(plugin).take(clock.currentTimeMillisUnsafe())
        if (decision === "drop") return
        const line = decision === "write" ? format(...values) : LogQuota.exhausted(plugin)
        PluginOwner.asHost(() => run(Effect.annotateLogs(Effect.logWithLevel(levels[method])(line), { plugin })))
      }
      yield* Effect.acquireRelease(
        Effect.sync(() => void (terminal[method] = instead)),
        () => Effect.sync(() => void (terminal[method] = print))
      )
    }
  })
)
