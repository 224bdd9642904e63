/** Answers of the product are held against the OpenAPI document; here, what such a check notices. */
import { assert, describe, it } from "@effect/vitest"
import { objections } from "../support/BundledContract.ts"

const problem = { "content-type": "application/problem+json", "x-request-id": "1" }
const json = { "content-type": "application/json", "x-request-id": "1" }

const complaint = (
  method: string,
  path: string,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: unknown
) => objections({ method, path, status, headers: new Headers(headers), text: JSON.stringify(body) }).join("; ")

const notFound = {
  type: "urn:kanmon:problem:not_found",
  title: "Not found",
  status: 404,
  detail: "There is no such monitor here",
  code: "not_found",
  requestId: "1"
}

describe("the check of an answer against the contract", () => {
  it("accepts what is described", () => {
    assert.strictEqual(complaint("GET", "/api/v1/monitors/mon_1", 404, problem, notFound), "")
    assert.strictEqual(complaint("GET", "/api/v1/health/live?x", 200, json, { status: "ok" }), "")
  })

  it("notices a status that the operation does not name", () => {
    assert.match(complaint("GET", "/api/v1/monitors/mon_1", 409, problem, notFound), /getMonitor 409 is not described/)
  })

  it("notices an undescribed header", () => {
    assert.match(complaint("GET", "/api/v1/health/live", 200, { ...json, etag: "1" }, { status: "ok" }), /header etag/)
  })

  it("notices another media type", () => {
    assert.match(complaint("GET", "/api/v1/health/live", 200, problem, { status: "ok" }), /problem\+json" is not/)
  })

  it("notices a missing, a wrong and an undescribed field", () => {
    assert.match(complaint("GET", "/api/v1/health/live", 200, json, {}), /status/)
    assert.match(complaint("GET", "/api/v1/health/live", 200, json, { status: "fine" }), /status/)
    assert.match(complaint("GET", "/api/v1/monitors/mon_1", 404, problem, { ...notFound, why: "" }), /additional/)
  })

  it("notices success at an address that is not described", () => {
    assert.match(complaint("GET", "/api/v1/secret", 200, json, {}), /not described/)
    assert.strictEqual(complaint("GET", "/api/v1/secret", 404, problem, notFound), "")
  })
})
