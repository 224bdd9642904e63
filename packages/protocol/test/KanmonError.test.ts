/** Errors of clients. */
import { assert, describe, it } from "@effect/vitest"
import { freePlanId } from "@kanmon/domain/Plan"
import * as KanmonError from "../src/KanmonError.ts"
import { codes, problemCodes } from "@kanmon/domain/ProblemCode"
import { Problem, toDetails } from "../src/Problem.ts"

const told = (problem: Problem, more: object = {}) =>
  KanmonError.ofAnswer({
    status: problem.status,
    body: JSON.stringify({ ...toDetails(problem, "req-1"), ...more }),
    retryAfter: undefined
  })

describe("the clients' error", () => {
  it.each(problemCodes)("carries the problem %s", (code) => {
    const error = told(new Problem({ code, detail: "Why" }))
    assert.instanceOf(error, Error)
    const { detail, requestId, status } = error
    assert.deepStrictEqual(
      { code: error.code, detail, requestId, status },
      {
        code,
        detail: "Why",
        requestId: "req-1",
        status: codes[code].status
      }
    )
  })

  it("names the fields in its message", () => {
    const errors = [{ path: "interval", message: "Expected whole seconds" }]
    const error = told(new Problem({ code: "validation_failed", detail: "Some fields break their rules", errors }))
    assert.deepStrictEqual(error.errors, errors)
    assert.strictEqual(
      error.message,
      "validation_failed: Some fields break their rules; interval: Expected whole seconds"
    )
  })

  it("tells what a plan allows", () => {
    const planLimit = { limit: 50, current: 50, planId: freePlanId }
    const error = told(new Problem({ code: "plan_limit_reached", detail: "Why", planLimit }))
    assert.deepStrictEqual(error.planLimit, planLimit)
  })

  it("keeps a code that is newer than the client, and passes over fields that are", () => {
    const error = told(new Problem({ code: "conflict", detail: "Why" }), { code: "teapot", colour: { of: "pot" } })
    assert.strictEqual(error.code, "teapot")
  })

  it.each([
    ["<html>Bad gateway</html>", 502, "unreadable"],
    ["", 500, "unreadable"],
    ["{}", 404, "unreadable"],
    ["slow down", 429, "rate_limited"]
  ])("says of the answer %j (%d) that it is %s", (body, status, code) => {
    const error = KanmonError.ofAnswer({ status, body, retryAfter: "12" })
    assert.deepInclude({ ...error }, { code, status, retryAfter: 12 })
    assert.notInclude(error.message, "html")
  })

  it("passes over a Retry-After that is no number of seconds", () => {
    const retryAfter = "Fri, 20 Nov 2026 08:30:00 GMT"
    assert.isUndefined(KanmonError.ofAnswer({ status: 429, body: "", retryAfter }).retryAfter)
  })
})
