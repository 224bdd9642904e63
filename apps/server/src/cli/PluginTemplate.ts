/** The files of a new plugin: copies of those in `templates/`, which are compiled with the server, with its name. */
import * as fs from "node:fs"
import * as path from "node:path"

export interface PluginFolder {
  /** `check-grpc`, `notify-gong`. */
  readonly name: string
  /** With async functions instead of Effect. */
  readonly promises: boolean
  /** In `plugins/` of Kanmon's own repository, which has the tools and the settings already. */
  readonly inside: boolean
}

const templates = path.resolve(import.meta.dirname, "../../templates")
const templateType = "my-type"

/** Files by path; undefined if the name is neither that of a check nor of a channel. */
export const files = ({ inside, name, promises }: PluginFolder): Readonly<Record<string, string>> | undefined => {
  const [, kind, type] = /^(check|notify)-([a-z][a-z0-9-]{1,31})$/.exec(name) ?? []
  if (kind === undefined || type === undefined) return undefined
  const read = (folder: string, file: string): string =>
    fs.readFileSync(path.join(templates, folder, file), "utf8").replaceAll(templateType, type)
  const template = (file: string): string => read(`${kind}-${templateType}`, file)
  const world = kind === "notify" ? { "test/world.ts": template("tests/world.ts") } : {}
  const test = { ...world, "test/contract.test.ts": template("tests/contract.test.ts") }
  const source = template(promises ? "src/promises.ts" : "src/index.ts")
  if (!inside)
    return {
      "package.json": template("package.json"),
      "tsconfig.json": read("plugin", "tsconfig.json"),
      "tsconfig.build.json": read("plugin", "tsconfig.build.json"),
      "README.md": template("README.md"),
      "src/index.ts": source,
      ...test
    }
  return {
    "package.json": manifestInside(name, template("package.json")),
    "README.md": template("README.md")
      .replace(`# ${name}`, `# @kanmon/${name}`)
      .replace(/\n```sh\n[^]*$/, ""),
    "src/index.ts": source.replace(`name: "${name}"`, `name: "@kanmon/${name}"`),
    // tests/contract finds every check of the repository by itself.
    ...(kind === "check" ? {} : test)
  }
}

/** Without build and development dependencies, which the workspace has. */
const manifestInside = (name: string, text: string): string => {
  const { description, devDependencies, kanmon, peerDependencies, type } = JSON.parse(text)
  const manifest = {
    name: `@kanmon/${name}`,
    version: peerDependencies["@kanmon/core"],
    private: true,
    description,
    license: "Apache-2.0",
    type,
    kanmon,
    exports: { ".": "./src/index.ts" },
    dependencies: peerDependencies,
    ...(kanmon.kind === "channel" ? { devDependencies: { "@kanmon/testkit": devDependencies["@kanmon/testkit"] } } : {})
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}
