import { assert, describe, it } from "@effect/vitest"
import { BoundedEvaluator } from "@kanmon/core/BoundedEvaluator"
import { CheckRunner } from "@kanmon/core/CheckRunner"
import * as NodeDialer from "@kanmon/core/NodeDialer"
import * as NodeResolver from "@kanmon/core/NodeResolver"
import { existsSync } from "node:fs"
import { Effect, Layer, Result } from "effect"
import * as fc from "fast-check"
import plugin from "../src/index.ts"
import { exceeded, measure } from "../src/Measurement.ts"

const check = plugin.checks[0]!
const hasPing = ["/bin/ping", "/usr/bin/ping", "/sbin/ping"].some((file) => existsSync(file))

const attempt = (settings: object, allowPrivate = true, timeoutMillis = 10_000) => {
  const network = NodeDialer.layer({ allowPrivate }).pipe(Layer.provideMerge(NodeResolver.layer({ allowPrivate })))
  const runner = CheckRunner.layer({ region: "test-lab", concurrency: 2, hostConcurrency: 2 }).pipe(
    Layer.provide([BoundedEvaluator.layer, network])
  )
  return Effect.flatMap(CheckRunner, ({ run }) =>
    run(Result.getOrThrow(check.prepare(settings)), timeoutMillis, timeoutMillis)
  ).pipe(Effect.provide(runner))
}

describe.skipIf(!hasPing)("a ping", () => {
  it.live.each(["127.0.0.1", "localhost"])("reaches %s", (host) =>
    Effect.gen(function* () {
      const found = yield* attempt({ host, count: 2 })
      assert.strictEqual(found.status, "up", JSON.stringify(found.failure))
      assert.isAbove(found.responseTime!, 0)
      assert.deepInclude(found.facts, { packetsSent: 2, packetsReceived: 2, packetLoss: 0 })
      assert.isNumber(found.facts["jitter"])
    })
  )

  it.live("is degraded above its thresholds", () =>
    Effect.gen(function* () {
      const found = yield* attempt({ host: "127.0.0.1", count: 1, maxLatency: 0.1, packetSize: 1472 })
      assert.include(["up", "degraded"], found.status)
    })
  )

  it.live("ends with its timeout, when replies are missing", () =>
    Effect.gen(function* () {
      // One request a second: the second is not even sent by then.
      const found = yield* attempt({ host: "127.0.0.1", count: 20 }, true, 700)
      assert.include(["down", "unknown"], found.status)
    })
  )
})

describe("an icmp check", () => {
  it.live("obeys the network policy", () =>
    Effect.gen(function* () {
      for (const host of ["127.0.0.1", "169.254.169.254", "::1"]) {
        const { failure, status } = yield* attempt({ host }, false)
        assert.deepStrictEqual([status, failure?.code], ["down", "address_refused"])
      }
    })
  )

  it.each([
    [{ count: 0 }, ["count"]],
    [{ count: 21 }, ["count"]],
    [{ count: 1, maxJitter: 5 }, ["count"]],
    [{ host: "-f 127.0.0.1" }, ["host"]],
    [{ host: "$(reboot)" }, ["host"]],
    [{ packetSize: 65_000 }, ["packetSize"]],
    [{ maxPacketLoss: 100 }, ["maxPacketLoss"]]
  ])("names a field that is not valid: %j", (config, paths) => {
    const result = check.normalize({ host: "a.example", ...config })
    assert.deepStrictEqual(Result.isFailure(result) ? result.failure.errors.map(({ path }) => path) : [], paths)
  })

  it("measures loss, average and jitter", () => {
    assert.deepStrictEqual(measure({ sent: 4, received: 3, times: [10, 14, 12] }), {
      packetLoss: 25,
      average: 12,
      jitter: 3
    })
    assert.deepStrictEqual(measure({ sent: 3, received: 0, times: [] }), {
      packetLoss: 100,
      average: null,
      jitter: null
    })
    const time = fc.double({ min: 0, max: 10_000, noNaN: true })
    fc.assert(
      fc.property(fc.array(time, { minLength: 1, maxLength: 20 }), fc.nat(20), (times, lost) => {
        const found = measure({ sent: times.length + lost, received: times.length, times })
        assert.isAtLeast(found.average!, Math.min(...times) - 0.001)
        assert.isAtMost(found.average!, Math.max(...times) + 0.001)
        assert.isTrue(found.packetLoss >= 0 && found.packetLoss < 100)
        if (found.jitter !== null) assert.isAtMost(found.jitter, Math.max(...times) - Math.min(...times) + 0.001)
        assert.strictEqual(exceeded(found, { maxPacketLoss: 99.999 }), undefined)
        assert.strictEqual(exceeded(found, {})?.code, lost > 0 ? "packet_loss" : undefined)
      })
    )
  })
})
