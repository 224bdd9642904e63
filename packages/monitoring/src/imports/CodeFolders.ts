/**
 * The folders that a module of this program needs to be read from: its own package, the packages installed for it, and those that
 * are linked there. The data directory is in none of them, wherever Kanmon is installed.
 */
import { existsSync, readdirSync, realpathSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const parentsOf = (folder: string): ReadonlyArray<string> => {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...parentsOf(parent)]
}

/** Packages of a workspace are links in `node_modules`, directly or in the folder of their scope. */
const linkedIn = (modules: string): ReadonlyArray<string> =>
  readdirSync(modules, { withFileTypes: true }).flatMap((entry) => {
    const path = join(modules, entry.name)
    if (entry.isSymbolicLink() && existsSync(path)) return [realpathSync(path)]
    return entry.isDirectory() && entry.name.startsWith("@") ? linkedIn(path) : []
  })

/** Folders, most specific first. */
export const codeFolders = (module: URL): ReadonlyArray<string> => {
  const parents = parentsOf(dirname(realpathSync(fileURLToPath(module))))
  const own = parents.find((folder) => existsSync(join(folder, "package.json")))
  const modules = parents.map((folder) => join(folder, "node_modules")).filter((folder) => existsSync(folder))
  return [...new Set([own ?? parents[0]!, ...modules, ...modules.flatMap(linkedIn)])]
}
