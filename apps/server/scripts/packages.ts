/**
 * The published packages: libraries with a `publishConfig` in their manifest, and the commands. The workspace runs
 * their sources directly. Node reads no TypeScript from `node_modules`, so tarballs contain JavaScript and declarations
 * instead.
 */
import { execFile } from "node:child_process"
import * as fs from "node:fs/promises"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { promisify } from "node:util"
import { furnishClient } from "./client.ts"

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, "../../..")
const rooms = path.join(root, "packages")

/** The parts of a package.json that are read or written here. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly publishConfig?: object
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: object
}

/** Where the project lives, from the root's manifest if it says so. */
interface Home {
  readonly homepage?: string
  readonly repository?: string | { readonly type: string; readonly url: string }
  readonly bugs?: string | { readonly url: string }
}

/** `registerHooks` and `findPackageJSON` of `node:module` are as old as this. */
const oldestNode = ">=22.15"

/** The manifest in the tarball: `modules` are the names of those that others may import. */
export const published = (
  manifest: Manifest,
  modules: ReadonlyArray<string>,
  { bugs, homepage, repository }: Home = {}
) => {
  const {
    dependencies = {},
    description,
    license,
    name,
    peerDependencies,
    peerDependenciesMeta,
    publishConfig,
    version
  } = manifest
  return {
    name,
    version,
    description,
    keywords: ["kanmon", "monitoring", "uptime"],
    license,
    ...(homepage === undefined ? {} : { homepage }),
    ...(repository === undefined ? {} : { repository }),
    ...(bugs === undefined ? {} : { bugs }),
    type: "module",
    engines: { node: oldestNode },
    publishConfig,
    files: ["dist"],
    // One by one, so that nothing else can be imported, and each can be proved to be there.
    exports: {
      ...Object.fromEntries(
        modules.map((module) => [`./${module}`, { types: `./dist/${module}.d.ts`, default: `./dist/${module}.js` }])
      ),
      "./package.json": "./package.json"
    },
    dependencies: Object.fromEntries(Object.entries(dependencies).map(([on, exact]) => [on, rangeOf(on, exact)])),
    peerDependencies,
    ...(peerDependenciesMeta === undefined ? {} : { peerDependenciesMeta })
  }
}

/** Ours fit each other exactly. The lock file pins the rest for us; others are free to take what was mended since. */
const rangeOf = (name: string, exact: string): string => (name.startsWith("@kanmon/") ? exact : `^${exact}`)

/** A declaration that names its neighbours as they are called in the tarball; the compiler does so in JavaScript alone. */
export const withoutSources = (declaration: string): string =>
  declaration.replaceAll(/(\bfrom |\bimport\(|\bimport )"(\.{1,2}\/[^"]+)\.ts"/g, '$1"$2.js"')

interface Room {
  readonly folder: string
  readonly manifest: Manifest
}

const readJson = async <A>(file: string): Promise<A> => JSON.parse(await fs.readFile(file, "utf8")) as A

const publicRooms = async (): Promise<ReadonlyArray<Room>> => {
  const found: Array<Room> = []
  for (const entry of await fs.readdir(rooms, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue
    const folder = path.join(rooms, entry.name)
    const manifest = await readJson<Manifest>(path.join(folder, "package.json"))
    if (manifest.publishConfig !== undefined) found.push({ folder, manifest })
  }
  return found
}

/** One run for all: they see each other through the workspace, as sources. */
const compile = async (folders: ReadonlyArray<string>, stage: string): Promise<void> => {
  const settings = {
    extends: path.join(root, "tsconfig.base.json"),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      allowImportingTsExtensions: false,
      rewriteRelativeImportExtensions: true,
      typeRoots: [path.join(root, "node_modules/@types")],
      rootDir: rooms,
      outDir: stage
    },
    include: folders.map((folder) => path.join(folder, "src"))
  }
  const file = path.join(stage, "tsconfig.json")
  await fs.writeFile(file, JSON.stringify(settings))
  await run(process.execPath, [path.join(root, "node_modules/typescript/bin/tsc"), "--checkers", "1", "-p", file])
}

/** Makes the folder that becomes a tarball, where the compiler left `src`. */
const furnish = async ({ folder, manifest }: Room, staged: string, home: Home): Promise<void> => {
  const dist = path.join(staged, "dist")
  await fs.rename(path.join(staged, "src"), dist)
  for (const file of await fs.readdir(dist, { recursive: true })) {
    if (!file.endsWith(".d.ts")) continue
    const declaration = path.join(dist, file)
    await fs.writeFile(declaration, withoutSources(await fs.readFile(declaration, "utf8")))
  }
  const modules = (await fs.readdir(path.join(folder, "src")))
    .filter((file) => file.endsWith(".ts"))
    .map((file) => path.basename(file, ".ts"))
    .sort()
  await fs.writeFile(
    path.join(staged, "package.json"),
    `${JSON.stringify(published(manifest, modules, home), null, 2)}\n`
  )
  await fs.copyFile(path.join(folder, "README.md"), path.join(staged, "README.md"))
  await fs.copyFile(path.join(root, "LICENSE"), path.join(staged, "LICENSE"))
}

/** Writes the tarballs into a folder, and answers where they are by their packages' names. */
export const pack = async (into: string): Promise<Readonly<Record<string, string>>> => {
  const stage = await fs.mkdtemp(path.join(tmpdir(), "kanmon-pack-"))
  try {
    const found = await publicRooms()
    const home = await readJson<Home>(path.join(root, "package.json"))
    await compile(
      found.map(({ folder }) => folder),
      stage
    )
    const client = path.join(stage, "cli")
    await furnishClient(client)
    const libraries = found.map(({ folder }) => path.join(stage, path.basename(folder)))
    for (const [index, room] of found.entries()) await furnish(room, libraries[index]!, home)
    const staged = [...libraries, client]
    await fs.mkdir(into, { recursive: true })
    const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", into, ...staged], { cwd: stage })
    const packed = JSON.parse(stdout) as ReadonlyArray<{ readonly name: string; readonly filename: string }>
    return Object.fromEntries(packed.map(({ filename, name }) => [name, path.join(into, filename)]))
  } finally {
    await fs.rm(stage, { recursive: true, force: true })
  }
}
