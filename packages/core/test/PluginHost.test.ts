import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as Check from "../src/Check.ts"
import * as Plugin from "../src/Plugin.ts"
import { load } from "../src/PluginHost.ts"

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

const good = Plugin.define({ name: "good", contract: 1, checks: [check("good")] })

const source = (name: string, module: unknown) => ({ name, load: () => Promise.resolve(module) })

const refusalOf = (name: string, module: unknown) =>
  Effect.map(load([source("good", { default: good }), source(name, module)]), ({ checks, refused }) => {
    assert.isTrue(checks.has("good"), "the others are loaded")
    assert.strictEqual(refused[0]?.plugin, name)
    return refused[0]!.reason
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
})
