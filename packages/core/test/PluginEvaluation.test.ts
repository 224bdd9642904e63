/** A third-party plugin: plain JavaScript in node_modules, without Kanmon's packages beside it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { BoundedEvaluator } from "../src/BoundedEvaluator.ts"
import { CheckRunner } from "../src/CheckRunner.ts"
import { Dialer } from "../src/Dialer.ts"
import { load } from "../src/PluginHost.ts"
import { sourceOf } from "../src/PluginSource.ts"
import { Resolver } from "../src/Resolver.ts"

const rules = `
import { isPortNumber } from "./helper.js"
import { Hostname } from "@kanmon/core/Hostname"
export const url = import.meta.url
export const matches = ({ pattern }, text) => Hostname !== undefined && isPortNumber(1) && new RegExp(pattern).test(text)
`

const plugin = `
import { definePlugin, definePromiseCheck } from "@kanmon/core/PromisePlugin"
import { Schema } from "effect"
import * as rules from "./rules.js"

const check = definePromiseCheck({
  type: "rules",
  summary: "Holds a text against a pattern.",
  config: Schema.Struct({ pattern: Schema.String }),
  example: { pattern: "a" },
  defaults: { timeout: 10 },
  host: () => "a.example",
  target: () => "a.example",
  run: async (config, { evaluate }) => {
    const found = await evaluate({ module: rules.url, function: rules.matches, settings: config, input: "a".repeat(40) + "!" })
    return { responseTime: 1, facts: { found } }
  }
})

export default definePlugin({ name: "check-rules", contract: 1, checks: [check] })
`

const project = Effect.acquireRelease(
  Effect.sync(() => {
    const directory = mkdtempSync(path.join(tmpdir(), "kanmon-plugin-"))
    const folder = path.join(directory, "node_modules/check-rules")
    mkdirSync(path.join(folder, "dist"), { recursive: true })
    const write = (file: string, text: string) => writeFileSync(path.join(folder, file), text)
    write("package.json", JSON.stringify({ name: "check-rules", type: "module", exports: "./dist/index.js" }))
    write("dist/index.js", plugin)
    write("dist/rules.js", rules)
    write("dist/helper.js", "export const isPortNumber = Number.isInteger")
    return directory
  }),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true }))
)

const runner = CheckRunner.layer({ region: "eu-west", concurrency: 10, hostConcurrency: 5 }).pipe(
  Layer.provide([
    BoundedEvaluator.layer,
    Layer.succeed(Dialer, {} as Dialer["Service"]),
    Layer.succeed(Resolver, {} as Resolver["Service"])
  ])
)

describe("a plugin from node_modules", () => {
  it.effect(
    "evaluates its own modules, which see Kanmon's, within limits",
    () =>
      Effect.gen(function* () {
        const { checks, refused } = yield* load([sourceOf("check-rules", yield* project)])
        assert.deepStrictEqual(refused, [])
        const run = (pattern: string) =>
          Effect.flatMap(CheckRunner, (service) =>
            service.run(Result.getOrThrow(checks.get("rules")!.prepare({ pattern })), 10_000, 10_000)
          )
        assert.deepInclude(yield* run("^a+!$"), { status: "up", facts: { found: true } })
        assert.deepInclude(yield* run("b"), { status: "up", facts: { found: false } })
        const { failure, status } = yield* run("^(a+)+$")
        assert.deepStrictEqual([status, failure!.code], ["down", "evaluation_too_expensive"])
      }).pipe(Effect.scoped, Effect.provide(runner)),
    120_000
  )
})
