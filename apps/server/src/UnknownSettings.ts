/** Settings that Kanmon does not know, such as misspelt ones: they have no effect, so the start names them. */
import { Catalogue } from "@kanmon/core/PluginHost"
import leven from "leven"
import { Effect, Layer } from "effect"
import { environment, Settings } from "./Settings.ts"

/** Settings of the commands and the SDK, which a server may inherit in its environment. */
const ofClients = ["KANMON_URL", "KANMON_API_KEY"]

/** A name that differs in more than a third of its letters is another name. */
const isSimilar = (name: string, distance: number): boolean => distance <= name.length / 3

/** A warning for each name that begins with `KANMON_` and is not known, with the most similar known one. */
export const warnings = (names: Iterable<string>, known: ReadonlySet<string>): ReadonlyArray<string> =>
  [...names]
    .filter((name) => name.startsWith("KANMON_") && !known.has(name))
    .sort()
    .map((name) => {
      const [nearest] = [...known]
        .map((candidate) => ({ candidate, distance: leven(name, candidate) }))
        .filter(({ distance }) => isSimilar(name, distance))
        .sort((one, other) => one.distance - other.distance)
      return `${name} is not a setting of Kanmon and has no effect${nearest === undefined ? "" : `; did you mean ${nearest.candidate}?`}`
    })

/** The warnings for this process's environment. Plugins declare settings of their own. */
export const inEnvironment = Effect.gen(function* () {
  const { names } = yield* Settings
  const { auths, channels } = yield* Catalogue
  const ofPlugins = [...channels.values(), ...auths].flatMap(({ settings }) => Object.keys(settings.fields))
  return warnings(Object.keys(environment()), new Set([...names, ...ofPlugins, ...ofClients]))
})

/** Logs the warnings once, at the start. */
export const logged: Layer.Layer<never, never, Catalogue | Settings> = Layer.effectDiscard(
  Effect.flatMap(inEnvironment, (found) => Effect.forEach(found, (warning) => Effect.logWarning(warning)))
)
