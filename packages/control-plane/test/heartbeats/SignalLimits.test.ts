/** Rate limits of heartbeat signals. */
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { ApiSettings } from "../../src/platform/http/ApiSettings.ts"
import { unlimited } from "@kanmon/domain/OrganizationQuotas"
import { SignalLimits } from "../../src/heartbeats/SignalLimits.ts"

const limits = SignalLimits.layer.pipe(
  Layer.provide(
    Layer.succeed(
      ApiSettings,
      ApiSettings.of({
        baseUrl: "http://kanmon.example",
        version: "0.0.0-test",
        trustedProxy: false,
        limits: { reads: 1, writes: 1, signIns: 1, signals: 3 },
        quotas: unlimited,
        knownRegions: Effect.succeed([])
      })
    )
  )
)

const send = (token: string, network: string, known: boolean) =>
  Effect.gen(function* () {
    const { admit, note } = yield* SignalLimits
    const passed = yield* Effect.result(admit(token, network))
    if (passed._tag === "Failure") return passed.failure.retryAfter
    yield* note(token, network, known)
    return "passed"
  })

it.effect("admits a number of signals per token and minute, from any network", () =>
  Effect.gen(function* () {
    for (const network of ["a", "b", "c"]) assert.strictEqual(yield* send("job", network, true), "passed")
    yield* TestClock.adjust("20 seconds")
    assert.strictEqual(yield* send("job", "d", true), 40)
    assert.strictEqual(yield* send("another", "a", true), "passed")
    yield* TestClock.adjust("40 seconds")
    assert.strictEqual(yield* send("job", "d", true), "passed")
  }).pipe(Effect.provide(limits))
)

it.effect("refuses a network that tries unknown tokens, and still admits known ones from there", () =>
  Effect.gen(function* () {
    assert.strictEqual(yield* send("job", "office", true), "passed")
    for (const token of ["guess 1", "guess 2", "guess 3"])
      assert.strictEqual(yield* send(token, "office", false), "passed")
    assert.strictEqual(yield* send("guess 4", "office", false), 60)
    assert.strictEqual(yield* send("new job", "office", true), 60)
    assert.strictEqual(yield* send("job", "office", true), "passed")
    assert.strictEqual(yield* send("guess 4", "elsewhere", false), "passed")
    yield* TestClock.adjust("1 minute")
    assert.strictEqual(yield* send("new job", "office", true), "passed")
  }).pipe(Effect.provide(limits))
)
