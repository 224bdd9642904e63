/**
 * Attributes code to plugins: the plugin that is running, including its timers and promises, and the plugin with the
 * file that raised an error. For logs only.
 */
import { AsyncLocalStorage } from "node:async_hooks"
import { pathToFileURL } from "node:url"

const running = new AsyncLocalStorage<string>()

/** Plugins by the location of their files, and their names, which are known later. */
const places = new Map<string, string>()
const names = new Map<string, string>()

/** Registers a file, or a folder with everything below it, as this plugin's. */
export const adopt = (place: string, plugin: string): void => void places.set(place, plugin)

/** Sets the name of a plugin that was known only by its source. */
export const callsItself = (plugin: string, name: string): void => void names.set(plugin, name)

/** Runs a function, and everything it starts, as the plugin. */
export const runAs = <A>(plugin: string, run: () => A): A => running.run(plugin, run)

/** Runs a function as the host: its output is not attributed to a plugin. */
export const asHost = <A>(run: () => A): A => running.exit(run)

/** The running plugin, if there is one. */
export const current = (): string | undefined => nameOf(running.getStore())

/** The plugin that an unowned error belongs to, as far as known: by its stack, or else the running one. */
export const of = (error: unknown): string | undefined => nameOf(ofStack(error)) ?? current()

/** The plugin that a file belongs to, by its name in the settings. */
export const inFile = (url: string): string | undefined => placedIn(`${url}:`)

const nameOf = (plugin: string | undefined): string | undefined =>
  plugin === undefined ? undefined : (names.get(plugin) ?? plugin)

const ofStack = (error: unknown): string | undefined => {
  return placedIn(error instanceof Error ? (error.stack ?? "") : "")
}

const placedIn = (text: string): string | undefined => {
  for (const [place, plugin] of places)
    if ([place, pathToFileURL(place).href].some((name) => text.includes(`${name}/`) || text.includes(`${name}:`)))
      return plugin
  return undefined
}
