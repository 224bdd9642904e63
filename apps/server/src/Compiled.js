/**
 * The compiled server, which `npm run build` makes of the sources: it starts sooner and needs less memory. The sources
 * themselves run when one of them is newer, and with plugins from outside, which share their modules.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import * as path from "node:path"
import { pathToFileURL } from "node:url"

/** The file beside the compiled ones that says of when they are. */
const stamp = "built.json"

/**
 * When the newest file that the server is made of was changed.
 * @param {string} root
 */
const changedAt = (root) => {
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

/** @param {string} dist */
const builtAt = (dist) => {
  const file = path.join(dist, stamp)
  if (!existsSync(file)) return undefined
  /** @type {{ readonly at?: unknown }} */
  const { at } = JSON.parse(readFileSync(file, "utf8"))
  return typeof at === "number" ? at : undefined
}

/**
 * @typedef {object} Invocation
 * @property {ReadonlyArray<string>} args The arguments of `kanmon`.
 * @property {string | undefined} plugins `KANMON_PLUGINS`.
 * @property {string} root The folder of the repository.
 */

/**
 * The URL of the compiled `cli/Kanmon.ts`; undefined where the sources have to run.
 * @param {Invocation} invocation
 * @returns {string | undefined}
 */
export const entry = ({ args, plugins, root }) => {
  if (args[0] === "plugin" || (plugins ?? "").trim() !== "") return undefined
  const dist = path.join(root, "apps/server/dist")
  const at = builtAt(dist)
  return at === undefined || changedAt(root) > at ? undefined : pathToFileURL(path.join(dist, "kanmon.js")).href
}
