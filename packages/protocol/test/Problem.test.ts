/** Errors and lists on the wire. */
import { assert, describe, it } from "@effect/vitest"
import { freePlanId } from "@kanmon/domain/Plan"
import { Result, Schema } from "effect"
import { pageQuery, Search } from "../src/Lists.ts"
import { codes, problemCodes } from "@kanmon/domain/ProblemCode"
import { invalid, notFound, Problem, ProblemDetails, toDetails } from "../src/Problem.ts"

describe("a problem", () => {
  it.each(problemCodes)("%s becomes problem details", (code) => {
    const details = toDetails(new Problem({ code, detail: "Why" }), "req-1")
    assert.deepStrictEqual(Schema.decodeUnknownSync(ProblemDetails)(details), details)
    assert.strictEqual(details.type, `urn:kanmon:problem:${code}`)
    assert.deepInclude(details, { code, detail: "Why", requestId: "req-1", status: codes[code].status })
    assert.isFalse("errors" in details)
  })

  it("has a status of its own for each code, but for full and disabled accounts, proofs, enforced single sign-on, what cannot be bought here, and the codes of OAuth", () => {
    // A bare 503 is an outage, a bare 403 a wrong credential: the first code of a status stands for it.
    const names = Object.keys(codes)
    assert.isBelow(names.indexOf("unavailable"), names.indexOf("billing_not_configured"))
    assert.isBelow(names.indexOf("forbidden"), names.indexOf("account_limit_reached"))
    const {
      access_denied,
      account_disabled,
      account_limit_reached,
      authorization_pending,
      billing_not_configured,
      expired_token,
      invalid_grant,
      organization_disabled,
      proof_required,
      slow_down,
      sso_required,
      ...others
    } = codes
    for (const { status } of [account_disabled, organization_disabled])
      assert.strictEqual(status, codes.forbidden.status)
    // RFC 6749 §5.2 and RFC 8628 §3.5
    for (const { status } of [access_denied, authorization_pending, expired_token, invalid_grant, slow_down])
      assert.strictEqual(status, codes.malformed_request.status)
    assert.isBelow(names.indexOf("malformed_request"), names.indexOf("authorization_pending"))
    assert.strictEqual(billing_not_configured.status, codes.unavailable.status)
    assert.strictEqual(account_limit_reached.status, codes.forbidden.status)
    for (const { status } of [proof_required, sso_required]) assert.strictEqual(status, codes.forbidden.status)
    const statuses = Object.values(others).map(({ status }) => status)
    assert.lengthOf(new Set(statuses), statuses.length)
    for (const status of statuses) assert.isTrue(status >= 400 && status < 600)
  })

  it("tells what a plan allows", () => {
    const planLimit = { limit: 50, current: 50, planId: freePlanId }
    const details = toDetails(new Problem({ code: "plan_limit_reached", detail: "Why", planLimit }), "x")
    assert.deepInclude(details, { status: 402, ...planLimit })
    assert.deepStrictEqual(Schema.decodeUnknownSync(ProblemDetails)(details), details)
  })

  it("tells what an account may have", () => {
    const accountLimit = { limit: 3, current: 3 }
    const details = toDetails(new Problem({ code: "account_limit_reached", detail: "Why", accountLimit }), "x")
    assert.deepInclude(details, { status: 403, ...accountLimit })
    assert.deepStrictEqual(Schema.decodeUnknownSync(ProblemDetails)(details), details)
  })

  it("names the fields, but not more than an answer should", () => {
    const errors = Array.from({ length: 500 }, (_, index) => ({ path: `f${index}`, message: "Required" }))
    const problem = invalid(errors)
    assert.deepStrictEqual([problem.status, problem.errors?.length], [422, 100])
    assert.deepStrictEqual(toDetails(problem, "x").errors, errors.slice(0, 100))
  })

  it("says what was not found", () => assert.include(notFound("monitor").detail, "monitor"))
})

describe("a page's query", () => {
  const limit = (text: string) => Schema.decodeUnknownResult(Schema.Struct(pageQuery))({ limit: text })

  it.each([
    ["1", 1],
    ["1000", 1000]
  ])("takes the limit %s", (text, number) => assert.strictEqual(Result.getOrThrow(limit(text)).limit, number))

  it.each(["0", "-1", "1001", "1.5", "ten", "", "NaN", "Infinity"])("refuses the limit %j", (text) =>
    assert.isTrue(Result.isFailure(limit(text)))
  )

  it("may be empty", () =>
    assert.deepStrictEqual(Result.getOrThrow(Schema.decodeUnknownResult(Schema.Struct(pageQuery))({})), {}))

  it.each([
    ["shop", true],
    ["", true],
    ["門🏯", true],
    ["x".repeat(200), true],
    ["x".repeat(201), false],
    ["a\u0000b", false]
  ])("searches for %j: %s", (text, good) =>
    assert.strictEqual(Result.isSuccess(Schema.decodeUnknownResult(Search)(text)), good)
  )
})
