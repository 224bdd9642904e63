/**
 * Resolves shared packages (the contracts, the domain, effect) of third-party plugins to the host's own copies. A plugin's
 * folder then needs no `node_modules`, and there are no duplicate copies that do not recognise each other's values.
 */
import { registerHooks } from "node:module"
import { pathToFileURL } from "node:url"

const shared = /^(?:effect|@kanmon\/(?:core|domain))(?:\/|$)/

/** Folders of plugins as URLs with a trailing slash. Per thread, like the module loader. */
const roots = new Map<string, string>()
let registered = false

/** The folders so far, for another thread, which has its own module loader. */
export const folders = (): ReadonlyArray<string> => [...roots.values()]

/** Modules below this folder use the host's copies from now on. */
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

/** The plugin's own files, without its dependencies. */
const isOfPlugin = (url: string | undefined): boolean => {
  if (url === undefined) return false
  for (const root of roots.keys())
    if (url.startsWith(root) && !url.includes("/node_modules/", root.length - 1)) return true
  return false
}
