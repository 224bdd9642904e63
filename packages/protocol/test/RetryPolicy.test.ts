/** Tests of the client's retry policy. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as KanmonError from "../src/KanmonError.ts"
import { retryDelay } from "../src/internal/RetryPolicy.ts"

const refusal = (status: number, retryAfter?: number) =>
  KanmonError.ofAnswer({ status, body: "", retryAfter: retryAfter?.toString() })

const get = { method: "GET", hasIdempotencyKey: false }
const post = { method: "POST", hasIdempotencyKey: false }
const keyed = { method: "POST", hasIdempotencyKey: true }

describe("a client that is told to wait", () => {
  it("waits as long as a 429 says, ignoring its own schedule", () => {
    for (const sent of [get, post, keyed]) {
      assert.strictEqual(retryDelay(sent, refusal(429, 7)), 7)
      assert.strictEqual(retryDelay(sent, refusal(429)), 1)
    }
  })

  it("repeats nothing that may have been done, unless a key keeps it from happening twice", () => {
    for (const status of [409, 503]) {
      assert.isUndefined(retryDelay(post, refusal(status, 5)))
      assert.strictEqual(retryDelay(keyed, refusal(status, 5)), 5)
      assert.strictEqual(retryDelay(get, refusal(status, 5)), 5)
    }
  })

  it("takes a refusal without Retry-After as final", () => {
    for (const status of [400, 401, 404, 409, 422, 500, 503]) assert.isUndefined(retryDelay(keyed, refusal(status)))
  })

  it("is never kept for more than a minute, and never less than it was told", () => {
    fc.assert(
      fc.property(fc.integer({ min: 400, max: 599 }), fc.nat(100_000), fc.boolean(), (status, seconds, isGet) => {
        const wait = retryDelay(isGet ? get : keyed, refusal(status, seconds))
        if (wait === undefined) return
        assert.isAtMost(wait, 60)
        assert.isAtLeast(wait, seconds)
      })
    )
  })
})
