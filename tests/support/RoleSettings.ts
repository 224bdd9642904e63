/** Reads which settings belong to which role from the operator's guide. */
import { readFileSync } from "node:fs"
import * as path from "node:path"

export type Role = "api" | "engine" | "probe"

const guide = path.resolve(import.meta.dirname, "../../docs/operate/roles.md")

/** The roles of each setting in the guide's table; a duplicate is an error. */
export const read = (): ReadonlyMap<string, ReadonlySet<Role>> => {
  const roles = new Map<string, ReadonlySet<Role>>()
  const rows = readFileSync(guide, "utf8").matchAll(/^\| `([A-Z][A-Z0-9_]+)` +\| (yes)? *\| (yes)? *\| (yes)? *\|$/gm)
  for (const [, name, api, engine, probe] of rows) {
    if (roles.has(name!)) throw new Error(`roles.md names ${name} twice`)
    const columns = { api, engine, probe }
    roles.set(name!, new Set((["api", "engine", "probe"] as const).filter((role) => columns[role] !== undefined)))
  }
  return roles
}
