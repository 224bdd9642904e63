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

describe("PluginHost", () => {
  it.effect("loads what plugins provide, by kind", () =>
    Effect.gen(function* () {
      const { checks, refused } = yield* load([source("good", { default: good })])
      assert.deepStrictEqual([...checks.keys()], ["good"])
      assert.deepStrictEqual(refused, [])
    })
  )

  it.effect.each([
    ["has no default export", {}, "no default export"],
    ["was built for another contract", { default: { ...good, contract: 2 } }, "contract 2; this is contract 1"],
    ["declares no contract", { default: { name: "x" } }, "contract none"],
    ["has no name", { default: { contract: 1 } }, "no name"],
    ["is malformed", { default: { name: "x", contract: 1, checks: 5 } }, "must be lists"],
    ["provides a type that is taken", { default: good }, "the type good is already taken"],
    [
      "provides a type with an invalid name",
      { default: { ...good, checks: [{ ...check("good"), type: "No Good" }] } },
      "lower case"
    ],
    [
      "provides a check without a schema",
      { default: { ...good, checks: [{ ...check("other"), config: {} }] } },
      "no config schema"
    ],
    [
      "has an invalid example",
      { default: { ...good, checks: [{ ...check("other"), example: { host: "" } }] } },
      "the example of"
    ],
    ["provides undefined in place of a check", { default: { ...good, checks: [null] } }, "not created with define"],
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
      "throws when a part of it is inspected",
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
      "it throws when it is inspected: not today"
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
      "has a config without a JSON Schema",
      { default: { ...good, checks: [{ ...check("other"), config: Schema.Struct({ at: lazy }) }] } },
      "has no JSON Schema"
    ],
    [
      "has a config with a field that every monitor has",
      { default: { ...good, checks: [{ ...check("other"), config: Schema.Struct({ interval: Schema.Int }) }] } },
      "a field interval, which every monitor already has"
    ],
    [
      "provides half a channel",
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
      "names a recipient that is not a field",
      { default: { ...good, checks: [], channels: [{ ...pager, recipient: { field: "to", kind: "phone" } }] } },
      "the recipient of pager must be a field"
    ],
    [
      "names a recipient of an unknown kind",
      { default: { ...good, checks: [], channels: [{ ...pager, recipient: { field: "number", kind: "pigeon" } }] } },
      "with the kind email or phone"
    ],
    ["provides half an auth", { default: { ...good, checks: [], auths: [{ name: "x" }] } }, "the auth x is incomplete"],
    [
      "provides half a check",
      { default: { ...good, checks: [{ ...check("other"), prepare: undefined }] } },
      "incomplete"
    ]
  ] as const)("refuses a plugin that %s, and continues", ([, module, words]) =>
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

  it.effect("refuses a plugin that throws while it is being located", () =>
    Effect.gen(function* () {
      const { refused } = yield* load([{ name: "bad", load: () => assert.fail("at once") }])
      assert.include(refused[0]?.reason ?? "", "at once")
    })
  )

  it.effect("refuses a plugin that never finishes loading", () =>
    Effect.gen(function* () {
      const loading = yield* Effect.forkChild(
        load([
          { name: "bad", outside: true, load: () => new Promise(() => undefined) },
          source("good", { default: good })
        ])
      )
      yield* TestClock.adjust("10 seconds")
      const { checks, refused } = yield* Fiber.join(loading)
      assert.isTrue(checks.has("good"))
      assert.include(refused[0]?.reason ?? "", "did not finish loading")
    })
  )

  it.effect("waits for the plugins that come with Kanmon, however busy the machine is", () =>
    Effect.gen(function* () {
      const slow = Promise.withResolvers<{ readonly default: unknown }>()
      const loading = yield* Effect.forkChild(load([{ name: "good", load: () => slow.promise }]))
      yield* TestClock.adjust("10 minutes")
      slow.resolve({ default: good })
      const { checks, refused } = yield* Fiber.join(loading)
      assert.deepStrictEqual([[...checks.keys()], refused], [["good"], []])
    })
  )

  it.effect("keeps the parts of a plugin that are not refused", () =>
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

describe("a plugin in the settings", () => {
  /** A directory of plugins, as in a user's project. */
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

  it.effect("is found as a path, a folder, or a package, relative to the working directory", () =>
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

  it.effect("is used as built when its path leads into node_modules", () =>
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
