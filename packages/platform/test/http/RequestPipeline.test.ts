/** The pipeline keeps what every endpoint of the contract declares of how it is served. */
import { assert, describe, it } from "@effect/vitest"
import { methodsOf, servingOf } from "@kanmon/protocol/Routes"
import { type Serving, usual } from "@kanmon/protocol/Serving"
import { Duration, Effect, Fiber } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { TestClock } from "effect/testing"
import * as RequestPipeline from "../../src/http/RequestPipeline.ts"
import { requests } from "../../../../tests/support/ContractEndpoints.ts"

const settings = { baseUrl: "https://kanmon.example", trustedProxy: false, requestTimeout: "30 seconds" } as const

const scim = { status: 418, mediaType: "application/scim+json", body: {} }

/** The answer to a request for which nothing but the pipeline is there. */
const answered = (method: string, path: string, answer: Effect.Effect<HttpServerResponse.HttpServerResponse>) =>
  RequestPipeline.make({
    settings,
    forms: { scim: () => scim },
    locate: (request) => ({ request, answer, serving: servingOf(method, path), methodsOf, isForeign: false })
  }).pipe(
    Effect.provideService(
      HttpServerRequest.HttpServerRequest,
      HttpServerRequest.fromWeb(new Request(`http://kanmon.example${path}`, { method }))
    ),
    Effect.provide(SecureRandom.layerWebCrypto)
  )

const timeoutOf = ({ timeout }: Serving): Duration.Duration => Duration.fromInputUnsafe(timeout ?? "30 seconds")

describe("the pipeline", () => {
  it.effect("ends every request of the contract after the time that its endpoint declares, and not before", () =>
    Effect.gen(function* () {
      for (const [method, path] of requests) {
        const serving = servingOf(method, path)
        const fiber = yield* Effect.forkChild(answered(method, path, Effect.never))
        yield* TestClock.adjust(Duration.subtract(timeoutOf(serving), Duration.millis(1)))
        assert.isUndefined(fiber.pollUnsafe(), path)
        yield* TestClock.adjust("1 milli")
        const { headers, status } = yield* Fiber.join(fiber)
        assert.strictEqual(status, serving.problems === "scim" ? 418 : 503, `${method} ${path}`)
        assert.include(headers["content-type"], serving.problems === "scim" ? "scim" : "problem")
      }
    })
  )

  it.effect("gives every answer an id and the headers that keep browsers from using it otherwise", () =>
    Effect.gen(function* () {
      for (const [method, path] of requests) {
        const { headers } = yield* answered(method, path, Effect.succeed(HttpServerResponse.empty()))
        assert.match(headers["x-request-id"] ?? "", /^[\w.:-]{1,128}$/)
        assert.strictEqual(headers["x-content-type-options"], "nosniff")
        assert.strictEqual(headers["x-frame-options"], "DENY")
        assert.strictEqual(headers["cache-control"], "no-store")
        assert.strictEqual(headers["strict-transport-security"], "max-age=31536000")
      }
    })
  )

  it("serves what the contract does not have as usual, and as its folder where everything there is served alike", () => {
    assert.deepStrictEqual(servingOf("GET", "/api/v1/nothing"), usual)
    assert.deepStrictEqual(servingOf("GET", "/api/v1/imports/a/b"), { ...usual, timeout: "10 minutes" })
    assert.strictEqual(servingOf("PUT", "/api/v1/scim/v2/Nothing").problems, "scim")
    assert.isTrue(servingOf("OPTIONS", "/api/v1/heartbeat/token").readsAnyBody)
    assert.isFalse(servingOf("GET", "/api/v1/heartbeats").readsAnyBody)
    assert.strictEqual(servingOf("POST", "/.well-known/acme-challenge/x").reach, "installation")
    assert.strictEqual(servingOf("GET", "/.well-known/acme-challenge/x").reach, "anyHost")
    assert.strictEqual(servingOf("HEAD", "/api/v1/health").reach, "anyPath")
  })
})
