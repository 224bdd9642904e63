/**
 * The source of a plugin: bundled with Kanmon, or a package or path in the settings. Resolves the file to import, with a
 * readable error when there is none, and lets third-party files share the host's own copies of common packages.
 */
import * as fs from "node:fs"
import { createRequire, findPackageJSON } from "node:module"
import * as path from "node:path"
import { pathToFileURL } from "node:url"
import * as PluginOwner from "./PluginOwner.ts"
import * as SharedModules from "./internal/SharedModules.ts"

export interface PluginSource {
  /** The name in the settings, or the package's name. */
  readonly name: string
  /** Not bundled with Kanmon: it is isolated more strictly. */
  readonly outside?: boolean
  /** The tests of Kanmon have inspected this version of it: that is not done again at every start. */
  readonly inspected?: boolean
  /** Changes whenever the plugin's files do. */
  readonly version?: () => string
  readonly load: () => Promise<unknown>
}

/** A source for a package name or a path in the settings, resolved from `directory`. */
export const sourceOf = (specifier: string, directory: string): PluginSource => ({
  name: specifier,
  outside: true,
  version: () => versionOf(fileOf(specifier, directory), isFile(specifier, directory)),
  load: () => {
    const file = fileOf(specifier, directory)
    const root = rootOf(file)
    SharedModules.shareWith(root)
    // One folder may hold several single-file plugins.
    PluginOwner.adopt(isFile(specifier, directory) ? file : root, specifier)
    return PluginOwner.runAs(specifier, () => import(pathToFileURL(file).href))
  }
})

/** The file to import. Throws with a readable reason. */
export const fileOf = (specifier: string, directory: string): string => {
  const named = isPath(specifier) ? path.resolve(directory, specifier) : packageOf(specifier, directory)
  if (!fs.existsSync(named)) throw new Error(`there is no ${named}`)
  const file = fs.statSync(named).isDirectory() ? entryIn(named, isPath(specifier) && isDevelopedIn(named)) : named
  // The import follows symbolic links too, and a root must match the resulting paths.
  return fs.realpathSync(file)
}

/** Node does not load TypeScript below `node_modules`, so installed and linked plugins are used as built. */
const isDevelopedIn = (folder: string): boolean => !fs.realpathSync(folder).split(path.sep).includes("node_modules")

const isFile = (specifier: string, directory: string): boolean => {
  const place = path.resolve(directory, specifier)
  return isPath(specifier) && fs.statSync(place).isFile()
}

const isPath = (specifier: string): boolean => /^\.{0,2}[/\\]|^\.{1,2}$/.test(specifier) || path.isAbsolute(specifier)

/** The folder of a package, or the file when the specifier names one. */
const packageOf = (specifier: string, directory: string): string => {
  const beside = path.join(directory, "_")
  const [scope = "", name = ""] = specifier.split("/")
  const alone = specifier === (specifier.startsWith("@") ? `${scope}/${name}` : scope)
  if (!alone) return createRequire(beside).resolve(specifier)
  for (const from of [beside, import.meta.filename]) {
    try {
      const manifest = findPackageJSON(specifier, pathToFileURL(from))
      if (manifest !== undefined) return path.dirname(manifest)
    } catch {
      // Not found; it may be installed beside Kanmon.
    }
  }
  throw new Error(`there is no package ${specifier}; install it beside Kanmon, or in ${directory}`)
}

const entryIn = (folder: string, fromSource: boolean): string => {
  const manifest = manifestIn(folder)
  const entry = path.join(folder, entryOf(manifest, fromSource))
  if (fs.existsSync(entry)) return entry
  throw new Error(
    `its ${manifest === undefined ? "folder" : "package.json"} points to ${path.relative(folder, entry)}, which does not exist; build it first`
  )
}

const manifestIn = (folder: string): Manifest | undefined => {
  const file = path.join(folder, "package.json")
  if (!fs.existsSync(file)) return undefined
  try {
    return JSON.parse(fs.readFileSync(file, "utf8")) as Manifest
  } catch {
    throw new Error("its package.json is not JSON")
  }
}

/** The parts of a package.json that select the entry. */
export interface Manifest {
  readonly exports?: unknown
  readonly main?: unknown
}

/** The entry that a package's `exports` or `main` selects. A folder named by its path uses its `source` if it has one. */
export const entryOf = (manifest: Manifest | undefined, fromSource: boolean): string => {
  const conditions = new Set([...(fromSource ? ["source"] : []), "node", "import", "module-sync", "default"])
  const choose = (target: unknown): string | undefined => {
    if (typeof target === "string") return target
    if (typeof target !== "object" || target === null) return undefined
    const chosen = Object.entries(target).filter(([name]) => conditions.has(name))
    // `source` comes first for the author's own folder, wherever the manifest lists it; the others keep their order.
    return [...chosen.filter(([name]) => name === "source"), ...chosen.filter(([name]) => name !== "source")]
      .map(([, inner]) => choose(inner))
      .find((found) => found !== undefined)
  }
  const exported = manifest?.exports
  const root =
    typeof exported === "object" && exported !== null && "." in exported ? exported["."] : (exported ?? manifest?.main)
  return choose(root) ?? "index.js"
}

const rootOf = (file: string): string => {
  const manifest = findPackageJSON(pathToFileURL(file))
  return manifest === undefined ? path.dirname(file) : path.dirname(manifest)
}

/** When the newest of the plugin's own files was changed; a file that is a plugin has only itself. */
const versionOf = (file: string, alone: boolean): string => {
  const manifest = alone ? undefined : findPackageJSON(pathToFileURL(file))
  return String(manifest === undefined ? fs.statSync(file).mtimeMs : newestIn(path.dirname(manifest)))
}

const newestIn = (folder: string): number =>
  Math.max(
    0,
    ...fs
      .readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => name !== "node_modules" && !name.startsWith("."))
      .map((entry) => {
        const at = path.join(folder, entry.name)
        return entry.isDirectory() ? newestIn(at) : entry.isFile() ? fs.statSync(at).mtimeMs : 0
      })
  )
