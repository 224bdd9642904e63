/** The package `@kanmon/cli`: the commands for computers without an installation, compiled into one program without dependencies. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { bundle, children, root } from "./bundle.ts"

/** The common part of the manifests of all published packages. */
interface Common {
  readonly version: string
  readonly license: string
  readonly homepage?: string
  readonly repository?: unknown
  readonly bugs?: unknown
}

const manifest = ({ bugs, homepage, license, repository, version }: Common) => ({
  name: "@kanmon/cli",
  version,
  description: "The commands of Kanmon for computers without an installation: login, apply, pull, import, check",
  keywords: ["kanmon", "monitoring", "uptime", "monitoring-as-code"],
  license,
  ...(homepage === undefined ? {} : { homepage }),
  ...(repository === undefined ? {} : { repository }),
  ...(bugs === undefined ? {} : { bugs }),
  type: "module",
  bin: { kanmon: "kanmon.mjs" },
  // The compiled programs read SQLite (22.5) and settings files, as the server does.
  engines: { node: ">=22.19" },
  publishConfig: { access: "public" },
  files: ["dist", "kanmon.mjs"]
})

/** Makes the folder that becomes the tarball. */
export const furnishClient = async (staged: string): Promise<void> => {
  const common = JSON.parse(await fs.readFile(path.join(root, "package.json"), "utf8")) as Common
  await bundle(path.join(staged, "dist"), { kanmon: "apps/server/src/cli/ClientProgram.ts" }, true)
  for (const [name, file] of Object.entries(children)) await bundle(path.join(staged, "dist"), { [name]: file })
  for (const file of ["README.md", "kanmon.mjs"])
    await fs.copyFile(path.join(root, "apps/server/client", file), path.join(staged, file))
  await fs.copyFile(path.join(root, "LICENSE"), path.join(staged, "LICENSE"))
  await fs.writeFile(path.join(staged, "package.json"), `${JSON.stringify(manifest(common), null, 2)}\n`)
}
