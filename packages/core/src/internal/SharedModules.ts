/**
 * Gives plugins from outside the host's own copy of what they share with it: the contracts, the domain and effect. A plugin's
 * folder then needs no `node_modules`, and there is one copy of each where two would not know each other's values.
 */
import { registerHooks } from "node:module"
import { pathToFileURL } from "node:url"

const shared = /^(?:effect|@kanmon\/(?:core|domain))(?:\/|$)/

/** Folders of plugins, as URLs with a slash at the end. Of the process, as its module loader is. */
const roots = new Set<string>()
let registered = false

/** Modules below this folder see the host's copy from now on. */
export const shareWith = (root: string): void => {
  roots.add(pathToFileURL(`${root}/`).href)
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
  for (const root of roots) if (url.startsWith(root) && !url.includes("/node_modules/", root.length - 1)) return true
  return false
}
