/**
 * Whose doing it is: the plugin that runs at this moment, also in the timers and promises that it left behind, and the plugin
 * whose file an error came from. For logs; nothing is decided by it.
 */
import { AsyncLocalStorage } from "node:async_hooks"
import { pathToFileURL } from "node:url"

const running = new AsyncLocalStorage<string>()

/** Plugins by where their files are, and their own names, which are known later. */
const places = new Map<string, string>()
const names = new Map<string, string>()

/** This file, or all below this folder, is this plugin's. */
export const adopt = (place: string, plugin: string): void => void places.set(place, plugin)

/** The plugin that was known by where it comes from calls itself so. */
export const callsItself = (plugin: string, name: string): void => void names.set(plugin, name)

/** Runs a function, and everything that it starts, under the plugin's name. */
export const runAs = <A>(plugin: string, run: () => A): A => running.run(plugin, run)

/** Runs a function of the host on behalf of nobody: what it prints is not the plugin's. */
export const asHost = <A>(run: () => A): A => running.exit(run)

/** The plugin that runs now, if one does. */
export const current = (): string | undefined => nameOf(running.getStore())

/** The plugin that an error without an owner is of, as far as can be known: by where it was made, or else by who runs. */
export const of = (error: unknown): string | undefined => nameOf(ofStack(error)) ?? current()

const nameOf = (plugin: string | undefined): string | undefined =>
  plugin === undefined ? undefined : (names.get(plugin) ?? plugin)

const ofStack = (error: unknown): string | undefined => {
  const stack = error instanceof Error ? (error.stack ?? "") : ""
  for (const [place, plugin] of places)
    if ([place, pathToFileURL(place).href].some((name) => stack.includes(`${name}/`) || stack.includes(`${name}:`)))
      return plugin
  return undefined
}
