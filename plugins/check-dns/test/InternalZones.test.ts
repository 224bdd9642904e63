/** The resolver of a dns check may know more than the monitor's owner should see. */
import { BoundedEvaluator } from "@kanmon/core/BoundedEvaluator"
import * as CheckNetwork from "@kanmon/core/CheckNetwork"
import { type CheckResult, CheckRunner } from "@kanmon/core/CheckRunner"
import { dns, type Reply } from "@kanmon/testkit/DnsTarget"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import plugin from "../src/index.ts"

const check = plugin.checks[0]!

const zone = (name: string, type: string): Reply => {
  switch (`${type} ${name}`) {
    case "A intranet.example":
      return [
        { type: "A", name, data: "8.8.4.4" },
        { type: "A", name, data: "10.20.30.40" }
      ]
    case "AAAA intranet.example":
      return [{ type: "AAAA", name, data: "fd00::20:30:40" }]
    case "A shop.example":
      return [{ type: "A", name, data: "8.8.8.8" }]
    case "CNAME shop.example":
      return [{ type: "CNAME", name, data: "db-7.internal" }]
  }
  return []
}

const run = (server: string, allowPrivate: boolean, config: object): Effect.Effect<CheckResult> =>
  Effect.flatMap(CheckRunner, (runner) => runner.run(Result.getOrThrow(check.prepare(config)), 10_000, 10_000)).pipe(
    Effect.provide(
      CheckRunner.layer({ region: "test-lab", concurrency: 1, hostConcurrency: 1 }).pipe(
        Layer.provide([BoundedEvaluator.layer, CheckNetwork.layer({ allowPrivate, server })])
      )
    )
  )

describe("a dns check", () => {
  it.live("hides answers in special ranges, including whether they match", () =>
    Effect.gen(function* () {
      const { server } = yield* dns(zone)
      for (const [recordType, address] of [
        ["A", "10.20.30.40"],
        ["AAAA", "fd00::20:30:40"]
      ] as const) {
        const asked = { hostname: "intranet.example", recordType }
        const found = yield* Effect.forEach([address, recordType === "A" ? "8.8.4.4" : "fd00::1", undefined], (value) =>
          run(server, false, { ...asked, ...(value === undefined ? {} : { expectedValue: value }) })
        )
        for (const result of found) {
          assert.deepStrictEqual([result.status, result.failure?.code], ["down", "address_refused"])
          assert.notInclude(JSON.stringify(result), address)
          assert.deepStrictEqual(result, found[0])
        }
        assert.include(found[0]!.failure!.message, "KANMON_ALLOW_PRIVATE_TARGETS")
        assert.strictEqual((yield* run(server, true, { ...asked, expectedValue: address })).status, "up")
      }
      const alias = yield* run(server, false, { hostname: "shop.example", recordType: "CNAME" })
      assert.notInclude(JSON.stringify(alias), "db-7")
      const open = yield* run(server, false, { hostname: "shop.example", expectedValue: "8.8.8.8" })
      assert.deepStrictEqual([open.status, open.facts], ["up", { records: ["8.8.8.8"] }])
    }).pipe(Effect.scoped)
  )

  it.live.each(["10.0.0.53", "[::ffff:10.0.0.1]", "[::ffff:127.0.0.1]:5353", "169.254.169.253:53", "[fd00::53]:53"])(
    "uses no name server that is not allowed: %s",
    (resolver) =>
      Effect.gen(function* () {
        const { server } = yield* dns(zone)
        const { failure } = yield* run(server, false, { hostname: "shop.example", resolver })
        assert.strictEqual(failure?.code, "address_refused")
        assert.include(failure!.message, "KANMON_ALLOW_PRIVATE_TARGETS")
      }).pipe(Effect.scoped)
  )
})
