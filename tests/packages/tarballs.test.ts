/** What is published: whole, typed as it runs, and of use to people who have nothing of this repository. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { pack } from "../../apps/server/scripts/packages.ts"
import * as Folder from "../support/Folder.ts"
import { kanmonProcess, type Ran } from "../support/Kanmon.ts"
import * as Product from "../support/Product.ts"
import * as Project from "./Project.ts"
import * as Registry from "./Registry.ts"

const root = path.resolve(import.meta.dirname, "../..")
const names = ["@kanmon/core", "@kanmon/domain", "@kanmon/protocol", "@kanmon/testkit"] as const

/** The package that is a program. */
const commands = "@kanmon/cli"

let packages: ReadonlyArray<Registry.Packed> = []

beforeAll(() =>
  Effect.gen(function* () {
    const folder = yield* Folder.make()
    const files = yield* Effect.promise(() => pack(folder))
    assert.sameMembers(Object.keys(files), [...names, commands])
    packages = yield* Effect.promise(() =>
      Promise.all(Object.entries(files).map(([name, file]) => Registry.open(name, file)))
    )
  }).pipe(Effect.scoped, Effect.runPromise)
)

const packed = (name: string): Registry.Packed => packages.find((one) => one.name === name)!

const read = (...file: ReadonlyArray<string>) => Effect.promise(() => fs.readFile(path.join(root, ...file), "utf8"))

const succeeds = (ran: Effect.Effect<Ran>): Effect.Effect<string> =>
  Effect.map(ran, ({ code, output }) => {
    assert.strictEqual(code, 0, output)
    return output
  })

describe.each(names)("%s", (name) => {
  it("contains JavaScript, declarations, README and license", () => {
    const { files, manifest } = packed(name)
    for (const [file, text] of Object.entries(files)) {
      assert.match(file, /^(package\.json|README\.md|LICENSE|dist\/(internal\/)?\w+(\.gen)?\.(js|d\.ts))$/)
      if (file.startsWith("dist/")) assert.notMatch(text, /(from |import\()"(\.[^"]*\.ts|(\.\.\/){2})/, file)
    }
    assert.isAbove(files["README.md"]!.length, 300)
    assert.include(files["LICENSE"], "Apache License")
    assert.notProperty(manifest, "private")
    assert.notMatch(Object.keys(manifest.exports).join(), /internal|\*/)
  })

  it("passes publint and attw", async () => {
    const { manifest, tarball } = packed(name)
    const { messages } = await publint({ pack: { tarball: new Uint8Array(tarball).buffer }, strict: true })
    assert.deepStrictEqual(
      messages.map((message) => formatMessage(message, manifest)),
      []
    )
    const result = await checkPackage(createPackageFromTarballData(tarball))
    // ES modules alone: what imports, or is bundled, and nothing that requires.
    const asked = new Set(["node16-esm", "bundler"])
    const problems = (result.types === false ? [] : result.problems).filter(
      (problem) => !("resolutionKind" in problem) || asked.has(problem.resolutionKind)
    )
    assert.isNotFalse(result.types)
    assert.deepStrictEqual(problems, [])
  })
})

/** Stricter than most: the declarations of what is installed are checked, too. */
const strict = {
  compilerOptions: {
    target: "ES2024",
    module: "NodeNext",
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    skipLibCheck: false,
    types: ["node"],
    outDir: "dist",
    rootDir: "."
  },
  include: ["*.ts"]
}

/** The TypeScript of a README. */
const snippets = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code!)

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, { readonly examples?: ReadonlyArray<unknown> }>> }
}

/** The examples of all types in OpenAPI, as bodies that have to compile. */
const bodies = ({ components: { schemas } }: Document): string => {
  const examples = (prefix: string) =>
    JSON.stringify(
      Object.entries(schemas).flatMap(([name, { examples = [] }]) => (name.startsWith(prefix) ? examples : []))
    )
  return `
import type { ChannelRequest } from "@kanmon/protocol/ChannelBody"
import type { MonitorRequest } from "@kanmon/protocol/MonitorBody"

export const monitors: ReadonlyArray<MonitorRequest> = ${examples("MonitorRequest.")}
export const channels: ReadonlyArray<ChannelRequest> = ${examples("NotificationChannelRequest.")}
`
}

/** What must not compile for those who have the packages. */
const refused = `
import * as Kanmon from "@kanmon/protocol/Kanmon"

export const wrong = async (kanmon: Kanmon.Kanmon) => {
  // @ts-expect-error: no url
  await kanmon.monitors.create({ name: "Shop", type: "http" })
  // @ts-expect-error: a number
  await kanmon.monitors.create({ name: "Shop", type: "http", url: 8080 })
  // @ts-expect-error: declared nowhere
  await kanmon.monitors.create({ name: "Shop", type: "gopher", url: "gopher://shop.example" })
  // @ts-expect-error: no url
  await kanmon.notificationChannels.create({ name: "Team", type: "webhook", config: {} })
}
`

describe("a project that uses the API", () => {
  it.live("installs the client, compiles, and runs the guide's examples with plain Node", () =>
    Effect.gen(function* () {
      const { dependencies } = JSON.parse(yield* read("docs/examples/clients/package.json"))
      const { devDependencies: tools, version } = JSON.parse(yield* read("package.json"))
      const manifest = {
        type: "module",
        dependencies: { ...dependencies, "@kanmon/core": version },
        devDependencies: { typescript: tools.typescript, "@types/node": tools["@types/node"] }
      }
      const project = yield* Project.make(yield* Registry.make(packages), {
        "package.json": JSON.stringify(manifest),
        "tsconfig.json": JSON.stringify(strict),
        "watch.ts": yield* read("docs/examples/clients/watch.ts"),
        "watch-effect.ts": yield* read("docs/examples/clients/watch-effect.ts"),
        "plugin-types.ts": yield* read("docs/examples/clients/plugin-types.ts"),
        "bodies.ts": bodies(JSON.parse(yield* read("docs/reference/openapi.json"))),
        "refused.ts": refused,
        ...Object.fromEntries(
          ["core", "domain", "protocol"].flatMap((name) =>
            snippets(packed(`@kanmon/${name}`).files["README.md"]!).map((code, index) => [`${name}${index}.ts`, code])
          )
        )
      })
      yield* succeeds(Project.install(project))
      yield* succeeds(project.run("npx", ["tsc"]))

      const product = yield* Product.make({ withoutNats: true })
      yield* product.healthy
      const ada = yield* product.signUp
      for (const program of ["watch", "watch-effect"]) {
        const env = { KANMON_URL: product.base, KANMON_KEY: ada.key }
        const output = yield* succeeds(
          project.run(process.execPath, [`dist/${program}.js`, `${product.base}/health`], env)
        )
        assert.match(output, /^mon_\w+ watches http:/)
        const refused = yield* project.run(process.execPath, [`dist/${program}.js`], { ...env, KANMON_KEY: "km_wrong" })
        assert.match(refused.output, /^unauthorized: /)
      }
      assert.lengthOf((yield* ada.call("GET", "/monitors")).body, 1)
    }).pipe(Effect.scoped)
  )
})

describe("the commands without an installation", () => {
  it.live("keep monitors as code from a folder that has nothing else", () =>
    Effect.gen(function* () {
      const { files, manifest } = packed(commands)
      for (const file of Object.keys(files))
        assert.match(file, /^(package\.json|README\.md|LICENSE|kanmon\.mjs|dist\/[\w.-]+\.js)$/)
      assert.notProperty(manifest, "dependencies")

      const project = yield* Project.make(yield* Registry.make(packages), {
        "package.json": JSON.stringify({ devDependencies: { [commands]: manifest.version } }),
        "kanmon.yaml": "monitors:\n  shop:\n    type: http\n    url: ${SHOP_URL}\n"
      })
      yield* succeeds(Project.install(project))
      const product = yield* Product.make({ withoutNats: true })
      yield* product.healthy
      const ada = yield* product.signUp
      yield* project.write(".env", `SHOP_URL=${product.base}/health\n`)
      const run = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
        project.run("npx", ["kanmon", ...args], {
          KANMON_URL: new URL(product.base).origin,
          KANMON_API_KEY: ada.key,
          ...env
        })

      assert.include(yield* succeeds(run(["--version"])), manifest.version)
      assert.include(yield* succeeds(run(["apply", "-f", "kanmon.yaml", "--test", "--yes"])), "Done.")
      assert.strictEqual((yield* ada.call("GET", "/monitors")).body[0].key, "shop")
      assert.include(yield* succeeds(run(["apply", "-f", "kanmon.yaml", "--dry-run"])), "Nothing to do")
      yield* ada.call("POST", "/monitors", { name: "By hand", type: "tcp", host: "127.0.0.1", port: 9 })
      yield* succeeds(run(["pull", "-f", "kanmon.yaml", "--yes"]))
      assert.include(
        yield* Effect.promise(() => fs.readFile(path.join(project.folder, "kanmon.yaml"), "utf8")),
        "by-hand:"
      )
      assert.match(yield* succeeds(run(["check", `${product.base}/health`])), /^UP/)

      const others = yield* run(["apply", "-f", "kanmon.yaml"], { KANMON_PLUGINS: "./check-own" })
      assert.strictEqual(others.code, 1)
      assert.match(others.output, /^kanmon: KANMON_PLUGINS: .*container image/)
      assert.strictEqual((yield* run(["serve"])).code, 2)
    }).pipe(Effect.scoped)
  )
})

describe("new plugin folders", () => {
  it.live("installs, and its tests fail until the plugin is written", () =>
    Effect.gen(function* () {
      const home = yield* Project.make(yield* Registry.make(packages))
      const check = yield* begun(home, "check-grpc")
      yield* succeeds(Project.install(check))
      yield* becomesGreen(check, "check-redis-ping", ["src/index.ts"])

      const channel = yield* begun(home, "notify-gong", "--promises")
      // It asks for the same packages: what was installed for the other is there for it, too.
      assert.deepStrictEqual(yield* neededBy(channel), yield* neededBy(check))
      yield* Effect.promise(() =>
        fs.symlink(path.join(check.folder, "node_modules"), path.join(channel.folder, "node_modules"))
      )
      yield* becomesGreen(channel, "notify-rocketchat", ["src/index.ts", "test/world.ts"])
    }).pipe(Effect.scoped)
  )
})

/** What `kanmon plugin new` writes. */
const begun = (home: Project.Project, name: string, ...flags: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    yield* succeeds(kanmonProcess(["plugin", "new", ...flags, name], {}, { cwd: home.folder }))
    const plugin = Project.at(path.join(home.folder, name))
    yield* Effect.promise(() => fs.copyFile(path.join(home.folder, ".npmrc"), path.join(plugin.folder, ".npmrc")))
    return plugin
  })

const neededBy = ({ folder }: Project.Project) =>
  Effect.map(read(path.relative(root, path.join(folder, "package.json"))), (text) => {
    const { devDependencies, peerDependencies } = JSON.parse(text) as Record<string, unknown>
    return { devDependencies, peerDependencies }
  })

/** Holds the built plugin to its contract without a test runner around it, as `kanmon plugin check` does. */
const held = `
import { hold } from "@kanmon/testkit/PluginContract"
import plugin from "./dist/index.js"

const { broken, verdicts } = await hold("dist/index.js")
const kept = verdicts.filter(({ kept }) => kept === "yes")
console.log([...plugin.checks, ...plugin.channels].length, broken.length, verdicts.length - kept.length, kept.length > 10)
`

/** Its test is red, somebody writes it as in the example, and it is green; then it is built, and runs in plain Node. */
const becomesGreen = (plugin: Project.Project, example: string, files: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    yield* succeeds(plugin.run("npx", ["tsc", "--noEmit", "--skipLibCheck", "false", "--lib", "ES2024,DOM"]))
    const red = yield* plugin.run("npm", ["test"])
    assert.notStrictEqual(red.code, 0)
    assert.include(red.output, `${path.basename(plugin.folder)} is not written yet`)
    for (const file of files) yield* plugin.write(file, yield* read("docs/examples/plugins", example, file))
    yield* succeeds(plugin.run("npm", ["test"]))
    yield* succeeds(plugin.run("npm", ["run", "build"]))
    // Kanmon gives it Kanmon's own copies, whatever was installed beside it.
    assert.include(yield* succeeds(kanmonProcess(["plugin", "check", plugin.folder])), "It keeps all")
    yield* plugin.write("held.mjs", held)
    assert.strictEqual(yield* succeeds(plugin.run(process.execPath, ["held.mjs"])), "1 0 0 true\n")
  })
