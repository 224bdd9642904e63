import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { formObjection, objection } from "../../src/http/BodyBounds.ts"

describe("the bounds of a body", () => {
  it("take every document of usual size, with any texts", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => assert.isUndefined(objection(JSON.stringify(value)))))
    const text = `${',"[{\\'.repeat(100_000)}`
    assert.isUndefined(objection(JSON.stringify({ description: text, other: [text, ""] })))
  })

  it("refuse what takes long to decode", () => {
    assert.include(objection(JSON.stringify(Array.from({ length: 10_001 }, () => 0))), "values")
    assert.include(objection(JSON.stringify({ [String.raw`a\"`]: Array.from({ length: 10_001 }, () => []) })), "values")
    const names = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, [{}, "b,{"]]))
    assert.isUndefined(objection(JSON.stringify([names(1_000), names(1_000)])))
    assert.include(objection(JSON.stringify({ body: [names(1), names(1_001)] })), "names")
    assert.include(objection("[".repeat(500_000)), "levels")
    assert.include(objection('{"a":'.repeat(200_000)), "levels")
  })

  it("refuse forms with more fields than any endpoint reads", () => {
    assert.isUndefined(formObjection(""))
    assert.isUndefined(formObjection("a=1&".repeat(999)))
    assert.include(formObjection("a=1&".repeat(1_000)), "fields")
    assert.isUndefined(formObjection(`SAMLResponse=${"x".repeat(1_000_000)}`))
  })

  it("read what is no JSON to its end", () => {
    for (const text of ['"'.repeat(1001), `"${"\\".repeat(999_999)}`, `"${"\\\\".repeat(400_000)}"`])
      assert.isUndefined(objection(text))
  })
})
