/**
 * Gives plugins from outside the host's own copy of what they share with it: the contracts, the domain and effect. A plugin's
 * folder then needs no `node_modules`, and there is one copy of each where two would not know each other's values.
 */
import { registerHooks } from "node:module"
import { pathToFileURL } from "node:url"

const shared = /^(?:effect|@kanmon\/(?:core|domain))(?:\/|$)/

/** Folders of plugins, by their URLs with a slash at the end. Of the thread, as its module loader is. */
const roots = new Map<string, string>()
let registered = false

/** The folders so far: another thread has a module loader of its own, and has to be told. */
export const folders = (): ReadonlyArray<string> => [...roots.values()]

/** Modules below this folder see the host's copy from now on. */
export const shareWith = (root: string): void => {
  roots.set(pathToFileURL(`${root}/`).href, root)
  if (registered) return
  registered = true
  registerHooks({
    resolve: (specifier, context, next) =>
      shared.test(specifier) && isOfPlugin(context.parentURL)
        ? next(specifier, { ...context, parentURL: import.meta.url })
        : next(specifier, context)
  })
}

/** The plugin's own files, and not what it brought along. */
const isOfPlugin = (url: string | undefined): boolean => {
  if (url === undefined) return false
  for (const root of roots.keys())
    if (url.startsWith(root) && !url.includes("/node_modules/", root.length - 1)) return true
  return false
}
