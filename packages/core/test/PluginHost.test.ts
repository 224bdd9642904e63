import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Schema } from "effect"
import { TestClock } from "effect/testing"
import * as Channel from "../src/Channel.ts"
import * as Check from "../src/Check.ts"
import * as Plugin from "../src/Plugin.ts"
import { load } from "../src/PluginHost.ts"
import { sourceOf } from "../src/PluginSource.ts"

const check = (type: string) =>
  Check.define({
    type,
    summary: "A check.",
    config: Schema.Struct({ host: Schema.NonEmptyString }),
    example: { host: "a.example" },
    defaults: { timeout: 10 },
    host: ({ host }) => host,
    target: ({ host }) => host,
    run: () => Effect.succeed({ responseTime: 1 })
  })

const lazy: Schema.Codec<string> = Schema.suspend(() => assert.fail("no schema after all"))

const good = Plugin.define({ name: "good", contract: 1, checks: [check("good")] })

const source = (name: string, module: unknown) => ({ name, load: () => Promise.resolve(module) })

const refusalOf = (name: string, module: unknown) =>
  Effect.map(load([source("good", { default: good }), source(name, module)]), ({ checks, refused }) => {
    assert.isTrue(checks.has("good"), "the others are loaded")
    assert.strictEqual(refused[0]?.plugin, name)
    return refused[0]!.reason
  })

const pager = Channel.define({
  type: "pager",
  summary: "A pager.",
  config: Schema.Struct({ number: Schema.String }),
  example: { number: "+4915112345678" },
  make: () => Effect.succeed({ deliver: () => Effect.succeed({ detail: "sent" }) })
})

describe("the plugin host", () => {
  it.effect("loads what plugins offer, by kind", () =>
    Effect.gen(function* () {
      const { checks, refused } = yield* load([source("good", { default: good })])
      assert.deepStrictEqual([...checks.keys()], ["good"])
      assert.deepStrictEqual(refused, [])
    })
  )

  it.effect.each([
    ["has no default export", {}, "no default export"],
    ["was built for another contract", { default: { ...good, contract: 2 } }, "contract 2, this is contract 1"],
    ["tells no contract", { default: { name: "x" } }, "contract none"],
    ["has no name", { default: { contract: 1 } }, "no name"],
    ["is malformed", { default: { name: "x", contract: 1, checks: 5 } }, "have to be lists"],
    ["offers a type that is taken", { default: good }, "the type good is taken"],
    [
      "offers a type with an odd name",
      { default: { ...good, checks: [{ ...check("good"), type: "No Good" }] } },
      "lower case"
    ],
    [
      "offers a check without a schema",
      { default: { ...good, checks: [{ ...check("other"), config: {} }] } },
      "no config schema"
    ],
    [
      "has an example that breaks its own rules",
      { default: { ...good, checks: [{ ...check("other"), example: { host: "" } }] } },
      "breaks its own rules"
    ],
    ["offers nothing where a check should be", { default: { ...good, checks: [null] } }, "not made with define"],
    [
      "throws when it is read",
      {
        default: {
          ...good,
          get checks() {
            throw new Error("not\n today")
          }
        }
      },
      "it throws when it is read: not today"
    ],
    [
      "throws when a part of it is looked at",
      {
        default: {
          ...good,
          checks: [
            {
              get type() {
                throw new Error("not today")
              }
            }
          ]
        }
      },
      "it throws when it is looked at: not today"
    ],
    [
      "throws while its example is prepared",
      { default: { ...good, checks: [{ ...check("other"), prepare: () => assert.fail("no host") }] } },
      "the example of other cannot be used: no host"
    ],
    [
      "prepares nothing",
      { default: { ...good, checks: [{ ...check("other"), prepare: () => ({}) }] } },
      "other is incomplete"
    ],
    ["has no timeout", { default: { ...good, checks: [{ ...check("other"), defaults: {} }] } }, "other is incomplete"],
    [
      "has a config that cannot become JSON Schema",
      { default: { ...good, checks: [{ ...check("other"), config: Schema.Struct({ at: lazy }) }] } },
      "cannot be described as JSON Schema"
    ],
    [
      "has a config with a field that every monitor has",
      { default: { ...good, checks: [{ ...check("other"), config: Schema.Struct({ interval: Schema.Int }) }] } },
      "a field interval, which every monitor has"
    ],
    [
      "offers half a channel",
      {
        default: {
          ...good,
          checks: [],
          channels: [{ type: "pager", summary: "A pager.", config: Schema.Struct({}), secrets: [] }]
        }
      },
      "pager is incomplete"
    ],
    [
      "names a recipient that is no field",
      { default: { ...good, checks: [], channels: [{ ...pager, recipient: { field: "to", kind: "phone" } }] } },
      "the recipient of pager is no field"
    ],
    [
      "names a recipient of a kind that nobody knows",
      { default: { ...good, checks: [], channels: [{ ...pager, recipient: { field: "number", kind: "pigeon" } }] } },
      "with the kind email or phone"
    ],
    ["offers half an auth", { default: { ...good, checks: [], auths: [{ name: "x" }] } }, "the auth x is incomplete"],
    ["offers half a check", { default: { ...good, checks: [{ ...check("other"), prepare: undefined }] } }, "incomplete"]
  ] as const)("refuses a plugin that %s, and goes on", ([, module, words]) =>
    Effect.map(refusalOf("bad", module), (reason) => assert.include(reason, words))
  )

  it.effect("refuses a plugin that throws when it is imported", () =>
    Effect.gen(function* () {
      const { checks, refused } = yield* load([
        { name: "bad", load: () => Promise.reject(new Error("no such luck")) },
        source("good", { default: good })
      ])
      assert.isTrue(checks.has("good"))
      assert.include(refused[0]?.reason ?? "", "no such luck")
    })
  )

  it.effect("refuses a plugin that throws before it can even be asked for", () =>
    Effect.gen(function* () {
      const { refused } = yield* load([{ name: "bad", load: () => assert.fail("at once") }])
      assert.include(refused[0]?.reason ?? "", "at once")
    })
  )

  it.effect("does not wait forever for a plugin that never finishes loading", () =>
    Effect.gen(function* () {
      const loading = yield* Effect.forkChild(
        load([{ name: "bad", load: () => new Promise(() => undefined) }, source("good", { default: good })])
      )
      yield* TestClock.adjust("10 seconds")
      const { checks, refused } = yield* Fiber.join(loading)
      assert.isTrue(checks.has("good"))
      assert.include(refused[0]?.reason ?? "", "did not finish loading")
    })
  )

  it.effect("keeps what a plugin offers besides the part that is refused", () =>
    Effect.gen(function* () {
      const { checks, refused } = yield* load([
        source("mixed", {
          default: { ...good, checks: [check("one"), { ...check("two"), summary: 5 }, check("three")] }
        })
      ])
      assert.deepStrictEqual([...checks.keys()], ["one", "three"])
      assert.deepStrictEqual(refused, [{ plugin: "mixed", reason: "two has no summary" }])
    })
  )
})

describe("a plugin named in the settings", () => {
  /** A directory of plugins, as somebody's project would have it. */
  const project = Effect.acquireRelease(
    Effect.sync(() => {
      const directory = mkdtempSync(path.join(tmpdir(), "kanmon-plugins-"))
      const write = (file: string, text: string): void => {
        mkdirSync(path.dirname(path.join(directory, file)), { recursive: true })
        writeFileSync(path.join(directory, file), text)
      }
      write("own.mjs", `export default { name: "own", contract: 1 }`)
      write("throws.mjs", `throw new Error("not today")`)
      write("broken.mjs", `export default {`)
      write("node_modules/a-package/package.json", `{ "type": "module", "exports": "./plugin.js" }`)
      write("node_modules/a-package/plugin.js", `export default { name: "a-package", contract: 1 }`)
      const built = { type: "module", exports: { source: "./src/index.ts", default: "./dist/index.js" } }
      write("node_modules/built/package.json", JSON.stringify(built))
      write("node_modules/built/src/index.ts", `export default { name: "source", contract: 1 } as const`)
      write("node_modules/built/dist/index.js", `export default { name: "built", contract: 1 }`)
      write("folder/package.json", `{ "type": "module", "main": "plugin.js" }`)
      write("folder/plugin.js", `export default { name: "folder", contract: 1 }`)
      return directory
    }),
    (directory) => Effect.sync(() => rmSync(directory, { recursive: true }))
  )
  const loadFrom = (directory: string, ...specifiers: ReadonlyArray<string>) =>
    load(specifiers.map((specifier) => sourceOf(specifier, directory)))

  it.effect("is found as a path, a folder, or a package, from where Kanmon was started", () =>
    Effect.gen(function* () {
      const directory = yield* project
      const { refused } = yield* loadFrom(
        directory,
        "./own.mjs",
        path.join(directory, "own.mjs"),
        "./folder",
        "a-package"
      )
      assert.deepStrictEqual(refused, [])
    })
  )

  it.effect("is taken as it was built when its path leads into node_modules", () =>
    Effect.gen(function* () {
      const { plugins, refused } = yield* loadFrom(yield* project, "./node_modules/built")
      assert.deepStrictEqual(refused, [])
      assert.deepStrictEqual(
        plugins.map(({ name }) => name),
        ["built"]
      )
    })
  )

  it.effect("is refused with one line when it cannot be loaded", () =>
    Effect.gen(function* () {
      const directory = yield* project
      const names = ["./throws.mjs", "./broken.mjs", "./missing.mjs", "no-such-package"]
      const { refused } = yield* loadFrom(directory, ...names)
      assert.deepStrictEqual(
        refused.map(({ plugin }) => plugin),
        names
      )
      assert.strictEqual(refused[0]?.reason, "it cannot be imported: not today")
      for (const { reason } of refused) assert.notInclude(reason, "\n")
    })
  )
})
