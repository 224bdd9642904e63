/** The plugins for commands whose output is read by programs: what is refused is said beside it. */
import { Catalogue } from "@kanmon/core/PluginHost"
import { Console, Effect, Layer, Logger } from "effect"
import { plugins } from "../Product.ts"
import { Settings } from "../Settings.ts"

const told = Layer.effectDiscard(
  Effect.gen(function* () {
    const { refused } = yield* Catalogue
    for (const { plugin, reason } of refused) yield* Console.error(`The plugin ${plugin} was refused: ${reason}`)
  })
)

export const layer = told.pipe(
  Layer.provideMerge(plugins.pipe(Layer.provide(Logger.layer([])))),
  Layer.provide(Settings.layer)
)
