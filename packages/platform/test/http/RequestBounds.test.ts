import { assert, describe, it } from "@effect/vitest"
import * as RequestBounds from "@kanmon/platform/http/RequestBounds"
import * as fc from "fast-check"

const statusOf = (url: string, headers: Record<string, string | ReadonlyArray<string>> = {}) =>
  RequestBounds.refusal({ url, headers })?.status

describe("RequestBounds", () => {
  it("admits what browsers, proxies and jobs send", () => {
    assert.isUndefined(
      statusOf(`/api/v1/monitors?q=${"a".repeat(1_000)}&limit=10`, {
        accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
        "accept-encoding": "gzip, deflate, br, zstd",
        cookie: `kanmon.session_token=${"x".repeat(100)}; other=${"y".repeat(4_000)}`,
        authorization: `Bearer ${"z".repeat(4_000)}`,
        "x-amzn-oidc-data": "j".repeat(6_000),
        "set-cookie": ["a", "b"]
      })
    )
  })

  it("refuses a path, a query and their parameters above the limit with 414", () => {
    assert.isUndefined(statusOf(`/${"a".repeat(2_047)}`))
    assert.strictEqual(statusOf(`/${"a".repeat(2_048)}`), 414)
    assert.isUndefined(statusOf(`/?${"a".repeat(12_288)}`))
    assert.strictEqual(statusOf(`/?${"a".repeat(12_289)}`), 414)
    assert.isUndefined(statusOf(`/?${"&".repeat(199)}`))
    assert.strictEqual(statusOf(`/?${"&".repeat(200)}`), 414)
  })

  it("names the header that is too long, with its limit", () => {
    const problem = RequestBounds.refusal({ url: "/", headers: { "accept-encoding": "a".repeat(257) } })
    assert.strictEqual(problem?.status, 431)
    assert.strictEqual(problem?.detail, "accept-encoding: expected at most 256 characters; this value has 257")
  })

  it("counts every value of a header that Node keeps apart", () => {
    assert.strictEqual(statusOf("/", { "set-cookie": Array.from({ length: 9 }, () => "a".repeat(1_000)) }), 431)
  })

  it("has a limit for every header, also for those that share a name with a property of objects", () => {
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom("__proto__", "constructor", "tostring"), fc.string()), (name) => {
        const headers: Record<string, string> = Object.create(null)
        headers[name] = "a".repeat(14_337)
        assert.strictEqual(statusOf("/", headers), 431)
      })
    )
  })

  it("refuses many headers and long names", () => {
    const many = Object.fromEntries(Array.from({ length: 129 }, (_, index) => [`x-${index}`, ""]))
    assert.strictEqual(statusOf("/", many), 431)
    assert.strictEqual(statusOf("/", { ["x".repeat(257)]: "" }), 431)
  })

  it("shortens a target to what the log takes, without its query", () => {
    assert.strictEqual(RequestBounds.shortened("/a?secret"), "/a")
    assert.lengthOf(RequestBounds.shortened(`/${"a".repeat(10_000)}?x`), 2_048)
  })
})
