/** What people who write plugins run: a new folder compiles, is loaded, and is red until it is written. */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { load } from "@kanmon/core/PluginHost"
import { sourceOf } from "@kanmon/core/PluginSource"
import { Effect } from "effect"
import * as PluginTemplate from "../../apps/server/src/cli/PluginTemplate.ts"
import * as Folder from "../support/Folder.ts"
import * as HostilePlugins from "../support/HostilePlugins.ts"
import { kanmonProcess } from "../support/Kanmon.ts"

const root = path.resolve(import.meta.dirname, "../..")
const examples = path.join(root, "docs/examples/plugins")
/** Where vitest would keep its cache. */
const besideTheContract = path.join(root, "packages/testkit/src/node_modules")

/** A folder where `npm install` has been. */
const installed = (files?: Readonly<Record<string, string>>) =>
  Effect.tap(Folder.make(files), (folder) =>
    Effect.promise(() => fs.symlink(path.join(root, "node_modules"), path.join(folder, "node_modules")))
  )

/** The file of a plugin with one auth. */
const authPlugin = (name: string, authenticate = "() => Effect.succeedNone"): string => `
import * as Auth from "@kanmon/core/Auth"
import * as Plugin from "@kanmon/core/Plugin"
import { Effect } from "effect"
const auth = Auth.define({ name: "${name}", summary: "An auth of a test.", authenticate: ${authenticate} })
export default Plugin.define({ name: "${name}", contract: 1, auths: [auth] })
`

const compile = (folder: string, ...args: ReadonlyArray<string>) =>
  Effect.promise(() =>
    promisify(execFile)(process.execPath, [path.join(root, "node_modules/.bin/tsc"), "-p", folder, ...args]).then(
      () => "",
      (error: { readonly stdout?: string }) => error.stdout ?? String(error)
    )
  )

/** As `npm run check`, and then `npm run build`, do. */
const checkedAndBuilt = (folder: string) =>
  Effect.flatMap(compile(folder), (complaints) =>
    complaints === "" ? compile(path.join(folder, "tsconfig.build.json")) : Effect.succeed(complaints)
  )

const refusalsOf = (file: string) =>
  Effect.map(load([sourceOf(file, "/")]), ({ refused }) => refused.map(({ reason }) => reason))

describe("kanmon plugin new", () => {
  it.live.each([
    ["check-grpc", []],
    ["check-grpc", ["--promises"]],
    ["notify-gong", []],
    ["notify-gong", ["--promises"]]
  ] as const)("writes a folder that compiles, is loaded, and breaks the contract: %s %j", ([name, flags]) =>
    Effect.gen(function* () {
      const home = yield* installed()
      const made = yield* kanmonProcess(["plugin", "new", ...flags, name], {}, { cwd: home })
      assert.strictEqual(made.code, 0, made.output)
      const folder = path.join(home, name)
      assert.strictEqual(yield* checkedAndBuilt(folder), "")
      assert.deepStrictEqual(yield* refusalsOf(path.join(folder, "dist/index.js")), [])
      yield* Effect.promise(() => fs.rm(besideTheContract, { recursive: true, force: true }))
      const checked = yield* kanmonProcess(["plugin", "check", name], {}, { cwd: home })
      assert.strictEqual(checked.code, 1, checked.output)
      // Where it is installed, other users may only read.
      assert.isFalse(existsSync(besideTheContract), "the contract wrote beside its own files")
      assert.include(checked.output, `${name} is not written yet`)
      assert.match(checked.output, /It breaks \d+ of \d+ laws of the contract\./)
    }).pipe(Effect.scoped)
  )

  it.live("type-checks the tests of a plugin", () =>
    Effect.gen(function* () {
      const home = yield* installed()
      yield* kanmonProcess(["plugin", "new", "check-grpc"], {}, { cwd: home })
      const folder = path.join(home, "check-grpc")
      yield* Effect.promise(() =>
        fs.writeFile(path.join(folder, "test/wrong.ts"), "export const port: number = '80'\n")
      )
      assert.include(yield* compile(folder), "test/wrong.ts")
    }).pipe(Effect.scoped)
  )

  it.live("refuses an invalid name, and a folder that is not empty", () =>
    Effect.gen(function* () {
      const home = yield* Folder.make({ "notify-gong/notes.txt": "mine" })
      for (const [name, words] of [
        ["grpc", "check-<type> makes a check"],
        ["auth-x", "check-<type> makes a check"],
        ["check-../x", "check-<type> makes a check"],
        ["notify-gong", "already exists"]
      ] as const) {
        const { code, output } = yield* kanmonProcess(["plugin", "new", name], {}, { cwd: home })
        assert.strictEqual(code, 1)
        assert.include(output, words)
      }
      assert.deepStrictEqual(yield* Effect.promise(() => fs.readdir(path.join(home, "notify-gong"))), ["notes.txt"])
    }).pipe(Effect.scoped)
  )
})

describe("a built and installed plugin", () => {
  it.live("loads by its package name, and shares Kanmon's modules", () =>
    Effect.gen(function* () {
      const workshop = yield* installed()
      const built = path.join(workshop, "check-redis-ping")
      yield* Effect.promise(() => fs.cp(path.join(examples, "check-redis-ping"), built, { recursive: true }))
      assert.strictEqual(yield* checkedAndBuilt(built), "")
      const home = yield* Folder.make()
      const there = path.join(home, "node_modules/check-redis-ping")
      yield* Effect.promise(() => fs.cp(path.join(built, "dist"), path.join(there, "dist"), { recursive: true }))
      yield* Effect.promise(() => fs.cp(path.join(built, "package.json"), path.join(there, "package.json")))
      const { output } = yield* kanmonProcess(
        ["doctor"],
        { KANMON_PLUGINS: "check-redis-ping", KANMON_DATA_DIR: path.join(home, "data") },
        { cwd: home }
      )
      assert.include(output, "check-redis-ping from check-redis-ping: the check redis-ping")
    }).pipe(Effect.scoped)
  )
})

describe("npm run new-plugin", () => {
  it.live.each(["check-grpc", "notify-gong"])("writes a plugin that compiles as the repository's own: %s", (name) =>
    Effect.gen(function* () {
      const files = PluginTemplate.files({ name, inside: true, promises: false })!
      const tsconfig = { extends: path.join(root, "tsconfig.base.json"), include: ["src", "test"] }
      const folder = yield* installed({ ...files, "tsconfig.json": JSON.stringify(tsconfig) })
      assert.strictEqual(yield* compile(folder), "")
      const manifest = JSON.parse(files["package.json"]!)
      assert.strictEqual(manifest.name, `@kanmon/${name}`)
      assert.deepStrictEqual(manifest.kanmon, { kind: name.startsWith("check") ? "check" : "channel", contract: 1 })
    }).pipe(Effect.scoped)
  )

  it("uses this repository's tools", async () => {
    const read = async (file: string) => JSON.parse(await fs.readFile(path.join(root, file), "utf8"))
    const { dependencies, devDependencies } = await read("package.json")
    const core = await read("packages/core/package.json")
    const testkit = await read("packages/testkit/package.json")
    const used = {
      ...dependencies,
      ...devDependencies,
      "@kanmon/core": core.version,
      "@kanmon/testkit": testkit.version
    }
    for (const folder of [
      "docs/examples/plugins/check-redis-ping",
      "docs/examples/plugins/notify-rocketchat",
      "apps/server/templates/check-my-type",
      "apps/server/templates/notify-my-type"
    ]) {
      const manifest = await read(`${folder}/package.json`)
      assert.deepInclude(used, manifest.peerDependencies, folder)
      assert.deepInclude(used, manifest.devDependencies, folder)
    }
  })
})

describe("kanmon plugin check", () => {
  it.live("passes the examples of the guide, outside this repository", () =>
    Effect.gen(function* () {
      const home = yield* Folder.make()
      yield* Effect.promise(() => fs.cp(examples, home, { recursive: true }))
      for (const name of ["check-redis-ping", "notify-rocketchat"]) {
        const { code, output } = yield* kanmonProcess(["plugin", "check", name], {}, { cwd: home })
        assert.strictEqual(code, 0, output)
        assert.match(output, /It keeps all \d+ laws of the contract\.\n$/)
      }
    }).pipe(Effect.scoped)
  )

  it.live("tests an auth with hostile headers, and says what it did with them", () =>
    Effect.gen(function* () {
      const authenticate = `({ headers }) => headers.authorization === undefined ? Effect.succeedNone
        : Effect.fail(new Auth.AuthError({ detail: "unknown: " + headers.authorization }))`
      const files = { "auth-repeats.mjs": authPlugin("repeats", authenticate), "auth-none.mjs": authPlugin("none") }
      const home = yield* installed(files)
      const repeats = yield* kanmonProcess(["plugin", "check", "auth-repeats.mjs"], {}, { cwd: home })
      assert.strictEqual(repeats.code, 1, repeats.output)
      assert.match(repeats.output, /!! {2}answers hostile headers with none or an AuthError/)
      const none = yield* kanmonProcess(["plugin", "check", "auth-none.mjs"], {}, { cwd: home })
      assert.strictEqual(none.code, 0, none.output)
      assert.match(none.output, /It keeps all \d+ laws of the contract\.\n$/)
    }).pipe(Effect.scoped)
  )

  it.live("reports why a plugin is refused, and how an invalid one fails", () =>
    Effect.gen(function* () {
      const { refused, running } = HostilePlugins
      const home = yield* Folder.make({
        "other-contract.mjs": refused["other-contract"]!.source,
        "duplicate-type.mjs": refused["duplicate-type"]!.source,
        "odd-results.mjs": running["odd-results"]!,
        "leaves-errors.mjs": running["leaves-errors"]!,
        "leaves-errors-at-import.mjs": running["leaves-errors-at-import"]!
      })
      for (const [name, words] of [
        ["other-contract", "refused: it was built for contract 2"],
        ["duplicate-type", "refused: the type http is already taken"],
        ["odd-results", "a time of soon"],
        ["leaves-errors", "an uncaught error: unheard rejection"],
        ["leaves-errors-at-import", "an uncaught error: unheard at import"],
        ["nothing-there", "there is no"]
      ] as const) {
        const { code, output } = yield* kanmonProcess(["plugin", "check", `${name}.mjs`], {}, { cwd: home })
        assert.strictEqual(code, 1, output)
        assert.include(output, words)
      }
    }).pipe(Effect.scoped)
  )
})
