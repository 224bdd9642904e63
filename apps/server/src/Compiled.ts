/**
 * The compiled server, which `npm run build` makes of the sources: it starts sooner and needs less memory. The sources
 * themselves run when one of them is newer, and with plugins from outside, which share their modules.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import * as path from "node:path"
import { pathToFileURL } from "node:url"

/** The file beside the compiled ones that says of when they are. */
const stamp = "built.json"

/** When the newest file that the server is made of was changed. */
const changedAt = (root: string): number => {
  const workspaces = ["packages", "plugins"].flatMap((group) =>
    readdirSync(path.join(root, group)).map((name) => path.join(root, group, name))
  )
  const files = [...workspaces, path.join(root, "apps/server")]
    .map((workspace) => path.join(workspace, "src"))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => path.join(parentPath, name))
  return Math.max(...[path.join(root, "package.json"), ...files].map((file) => statSync(file).mtimeMs))
}

const builtAt = (dist: string): number | undefined => {
  const file = path.join(dist, stamp)
  if (!existsSync(file)) return undefined
  const { at }: { readonly at?: unknown } = JSON.parse(readFileSync(file, "utf8"))
  return typeof at === "number" ? at : undefined
}

export interface Invocation {
  /** The arguments of `kanmon`. */
  readonly args: ReadonlyArray<string>
  /** `KANMON_PLUGINS`. */
  readonly plugins: string | undefined
  /** The folder of the repository. */
  readonly root: string
}

/** The URL of the compiled `cli/Kanmon.ts`; undefined where the sources have to run. */
export const entry = ({ args, plugins, root }: Invocation): string | undefined => {
  if (args[0] === "plugin" || (plugins ?? "").trim() !== "") return undefined
  const dist = path.join(root, "apps/server/dist")
  const at = builtAt(dist)
  return at === undefined || changedAt(root) > at ? undefined : pathToFileURL(path.join(dist, "kanmon.js")).href
}
