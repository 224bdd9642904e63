/** All plugins: the bundled ones, then those of `KANMON_PLUGINS`. */
import { Catalogue } from "@kanmon/core/PluginHost"
import { sourceOf } from "@kanmon/core/PluginSource"
import { Effect, Layer } from "effect"
import * as PluginConsole from "./PluginConsole.ts"
import { bundled } from "./plugins.gen.ts"
import { Settings } from "./Settings.ts"
import * as StrayErrors from "./StrayErrors.ts"

export const layer = Layer.unwrap(
  Effect.map(Settings, (settings) =>
    Catalogue.layer([...bundled, ...settings.plugins.map((specifier) => sourceOf(specifier, process.cwd()))])
  )
).pipe(Layer.provide([StrayErrors.layer, PluginConsole.layer]))
