import { assert, describe, it } from "@effect/vitest"
import * as ContentCoding from "@kanmon/platform/http/ContentCoding"
import * as EntityTags from "@kanmon/platform/http/EntityTags"
import * as fc from "fast-check"

describe("ContentCoding", () => {
  it.each([
    ["gzip, deflate, br, zstd", "br"],
    ["gzip", "gzip"],
    ["GZIP ; q=0.5", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["*", "br"],
    ["*;q=0", undefined],
    ["br;q=0, *", "gzip"],
    ["gzip;q=0, *;q=0.1", "br"],
    ["identity", undefined],
    ["", undefined],
    [undefined, undefined],
    [`gzip${" ".repeat(253)}`, undefined]
  ] as const)("answers %j with %s", (header, coding) => {
    assert.strictEqual(ContentCoding.negotiate(header), coding)
  })

  it("chooses among what there is", () => {
    assert.strictEqual(ContentCoding.negotiate("br, gzip", ["gzip"]), "gzip")
    assert.isUndefined(ContentCoding.negotiate("br", ["gzip"]))
  })

  it("reads every header without a failure", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (header) => {
        assert.include([undefined, "br", "gzip"], ContentCoding.negotiate(header))
      })
    )
  })
})

describe("EntityTags", () => {
  it.each([
    [`"a"`, true],
    [`W/"a"`, true],
    [`"b" , W/"a",`, true],
    ["*", true],
    [`"b"`, false],
    ["", false],
    [undefined, false],
    [`${" ".repeat(2_048)}"a"`, false]
  ] as const)("compares %j", (header, known) => {
    assert.strictEqual(EntityTags.matches(header, `"a"`), known)
    assert.strictEqual(EntityTags.matches(header, `W/"a"`), known)
  })
})
