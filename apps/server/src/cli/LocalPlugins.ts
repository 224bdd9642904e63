/** Plugins for commands with machine-readable output: refused plugins are reported on standard error. */
import { Catalogue } from "@kanmon/core/PluginHost"
import { Console, Effect, Layer, Logger } from "effect"
import * as Plugins from "../Plugins.ts"
import { Settings } from "../Settings.ts"

const reportRefused = Layer.effectDiscard(
  Effect.gen(function* () {
    const { refused } = yield* Catalogue
    for (const { plugin, reason } of refused) yield* Console.error(`The plugin ${plugin} was refused: ${reason}`)
  })
)

export const layer = reportRefused.pipe(
  Layer.provideMerge(Plugins.layer.pipe(Layer.provide(Logger.layer([])))),
  Layer.provide(Settings.layer)
)
