/** Warnings on the creation of a monitor with checks that would be refused. */
import * as Check from "@kanmon/core/Check"
import { Catalogue } from "@kanmon/core/PluginHost"
import * as Plugin from "@kanmon/core/Plugin"
import { ResolveFailed, Resolver } from "@kanmon/core/Resolver"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Schema } from "effect"
import { TestClock } from "effect/testing"
import { TargetWarnings } from "../../src/monitors/TargetWarnings.ts"
import { bundled } from "../../../../apps/server/src/plugins.gen.ts"

const exploding = Check.define({
  type: "exploding",
  summary: "Throws where it should answer.",
  config: Schema.Struct({}),
  example: {},
  defaults: { timeout: 5 },
  host: () => "10.0.0.1",
  reaches: () => {
    throw new Error("no idea")
  },
  target: () => "x",
  run: () => Effect.die("not here")
})

const plugins = Catalogue.layer([
  ...bundled,
  {
    name: "exploding",
    load: () => Promise.resolve({ default: Plugin.define({ name: "exploding", contract: 1, checks: [exploding] }) })
  }
])

let lookups = 0
const addresses: Record<string, ReadonlyArray<string>> = {
  "nas.example": ["8.8.8.8", "192.168.7.77"],
  "shop.example": ["8.8.8.8", "2606:4700:4700::1111"]
}
const resolver = Layer.succeed(
  Resolver,
  Resolver.of({
    records: () => Effect.die("not here"),
    addresses: (name) =>
      Effect.suspend(() => {
        lookups++
        if (name === "silent.example") return Effect.never
        const found = addresses[name]
        return found === undefined
          ? Effect.fail(new ResolveFailed({ reason: "dns_nxdomain", message: "There is none" }))
          : Effect.succeed(
              found.map((address) => ({ address, family: address.includes(":") ? (6 as const) : (4 as const) }))
            )
      })
  })
)

const warnings = (type: string, config: Schema.JsonObject, allowPrivate = false) =>
  Effect.flatMap(TargetWarnings, (targets) => targets.of({ type, config })).pipe(
    Effect.provide(TargetWarnings.layer({ allowPrivate }).pipe(Layer.provide([plugins, resolver])))
  )

describe("a warning about a target", () => {
  it.effect.each([
    ["http", { url: "http://192.168.1.10/" }, "192.168.1.10"],
    ["http", { url: "http://[fd00::1]:8080/" }, "fd00::1"],
    ["http", { url: "http://nas.example/" }, "nas.example"],
    ["tcp", { host: "127.0.0.1", port: 5432 }, "127.0.0.1"],
    ["tcp", { host: "::1", port: 5432 }, "::1"],
    ["ping", { host: "nas.example" }, "nas.example"],
    ["dns", { hostname: "shop.example", recordType: "MX", resolver: "10.0.0.53:5353" }, "10.0.0.53:5353"],
    ["dns", { hostname: "nas.example", recordType: "A" }, "nas.example"]
  ] as const)("names what is refused, and the setting that allows it: %s %j", ([type, config, subject]) =>
    Effect.gen(function* () {
      const [warning, ...more] = yield* warnings(type, config)
      assert.deepStrictEqual(more, [])
      assert.strictEqual(warning!.code, "address_refused")
      assert.include(warning!.message, subject)
      assert.include(warning!.message, "KANMON_ALLOW_PRIVATE_TARGETS")
      assert.notInclude(warning!.message, "192.168.7.77")
      assert.deepStrictEqual(yield* warnings(type, config, true), [])
    })
  )

  it.effect.each([
    ["http", { url: "https://shop.example/" }],
    ["http", { url: "https://8.8.8.8/" }],
    ["dns", { hostname: "nas.example", recordType: "MX" }],
    ["dns", { hostname: "nas.example", recordType: "A", resolver: "9.9.9.9" }],
    ["heartbeat", {}],
    ["exploding", {}],
    ["unheard-of", {}]
  ] as const)("is absent if nothing is refused or unknown: %s %j", ([type, config]) =>
    Effect.map(warnings(type, config), (found) => assert.deepStrictEqual(found, []))
  )

  it.effect.each([false, true])(
    "names a host that does not exist, whether private targets are allowed: %s",
    (allowed) =>
      Effect.gen(function* () {
        const [warning, ...more] = yield* warnings("ping", { host: "gone.example" }, allowed)
        assert.deepStrictEqual([warning!.code, more], ["host_unresolved", []])
        assert.include(warning!.message, "gone.example")
      })
  )

  it.effect("does not name a setting that would not help", () =>
    Effect.map(warnings("tcp", { host: "0.0.0.0", port: 1 }, true), ([warning]) => {
      assert.include(warning!.message, "0.0.0.0")
      assert.notInclude(warning!.message, "KANMON_")
    })
  )

  it.effect("is not waited for longer than a second", () =>
    Effect.gen(function* () {
      const asked = yield* Effect.forkChild(warnings("ping", { host: "silent.example" }))
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(asked.pollUnsafe()?._tag, "Success")
      assert.deepStrictEqual(yield* Fiber.join(asked), [])
    })
  )

  it.effect("is given up where many names are looked up at once", () =>
    Effect.gen(function* () {
      const targets = yield* TargetWarnings
      lookups = 0
      const of = (host: string) => targets.of({ type: "ping", config: { host } })
      const asked = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 100 }, () => of("silent.example")),
          { concurrency: "unbounded" }
        )
      )
      yield* TestClock.adjust("100 millis")
      assert.deepStrictEqual(yield* of("nas.example"), [])
      assert.isAtMost(lookups, 20)
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(asked)
      assert.lengthOf(yield* of("nas.example"), 1)
    }).pipe(Effect.provide(TargetWarnings.layer({ allowPrivate: false }).pipe(Layer.provide([plugins, resolver]))))
  )
})
