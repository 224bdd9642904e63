import { assert, describe, it } from "@effect/vitest"
import { objection } from "../../src/http/Origin.ts"

const base = "http://127.0.0.1:3000"
const from = (origin: string | undefined, method = "POST") =>
  objection({ method, headers: origin === undefined ? {} : { origin } }, `${base}/kanmon`)

describe("the origin of a request with a session", () => {
  it("is the one of KANMON_BASE_URL, and the refusal names that setting", () => {
    const refused = from("http://localhost:3000")!
    assert.strictEqual(refused.code, "forbidden")
    for (const part of ["http://localhost:3000", base, "KANMON_BASE_URL"]) assert.include(refused.detail, part)
  })

  it("is accepted from there, from programs, and for reads", () => {
    assert.isUndefined(from(base))
    assert.isUndefined(from(undefined))
    assert.isUndefined(from("http://localhost:3000", "GET"))
  })
})
