import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { includes, StatusCodes } from "../src/StatusCodes.ts"

const decode = Schema.decodeUnknownResult(StatusCodes)
const code = fc.integer({ min: 100, max: 599 })

describe("expected status codes", () => {
  it("are a code, a range with both ends, or a list of them", () =>
    fc.assert(
      fc.property(code, code, code, (one, other, status) => {
        const [first, last] = [Math.min(one, other), Math.max(one, other)]
        const range = Result.getOrThrow(decode(`${first}-${last}`))
        assert.strictEqual(includes(range, status), first <= status && status <= last)
        assert.strictEqual(includes(Result.getOrThrow(decode(one)), status), one === status)
        assert.strictEqual(includes(Result.getOrThrow(decode(String(one))), status), one === status)
        const list = Result.getOrThrow(decode([one, `${first}-${last}`]))
        assert.strictEqual(includes(list, status), first <= status && status <= last)
      })
    ))

  it("reject a range that ends before it starts", () =>
    fc.assert(
      fc.property(code, code, (one, other) => {
        fc.pre(one !== other)
        assert.isTrue(Result.isFailure(decode(`${Math.max(one, other)}-${Math.min(one, other)}`)))
      })
    ))

  it.each([
    99,
    600,
    200.5,
    "",
    "2xx",
    "200-",
    "-299",
    "200 - 299",
    "200,201",
    "0200",
    "600",
    "100-600",
    [],
    [[200]],
    null
  ])("refuse %j", (odd) => assert.isTrue(Result.isFailure(decode(odd))))

  it("reject any other text without throwing", () =>
    fc.assert(
      fc.property(fc.string(), (text) => {
        if (!/^[1-5]\d\d(-[1-5]\d\d)?$/.test(text)) assert.isTrue(Result.isFailure(decode(text)))
      })
    ))
})
