/** Captures are bounded text for any response of a target. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as fc from "fast-check"
import { bodyBytes, bounded, Capture, firstBytes, printable } from "../src/Capture.ts"
import { refusedText } from "../src/Admission.ts"

const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: 6000 }),
  fc.string({
    unit: fc.constantFrom("\u0000", "\u001b[2J", "\r", "\n", "\ud800", "é", "💥", "<", "\u202e"),
    maxLength: 9000
  })
)
const isCapture = Schema.is(Capture)

describe("a capture", () => {
  it("is within its limits and storable for any input", () => {
    fc.assert(
      fc.property(hostile, fc.array(fc.tuple(hostile, hostile), { maxLength: 80 }), (text, pairs) => {
        const capture = bounded({
          finalUrl: text,
          statusLine: text,
          headers: pairs.map(([name, value]) => ({ name, value })),
          body: text,
          bodyTruncated: false,
          remoteAddress: text
        })
        assert.isTrue(isCapture(capture))
        assert.isAtMost(Buffer.byteLength(capture.body!), bodyBytes)
        assert.isUndefined(refusedText(JSON.stringify(capture)))
        // oxlint-disable-next-line no-control-regex -- none of these may be left
        assert.notMatch(JSON.stringify(capture), /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
        assert.deepStrictEqual(bounded(capture), capture)
      }),
      { numRuns: 300 }
    )
  })

  it("shows control characters as symbols, and keeps lines", () => {
    assert.strictEqual(printable("\u001b[31mred\u0007\r\n\tnext\u0000\u202e"), "␛[31mred␇\n\tnext␀\uFFFD")
  })

  it("says when the body is longer", () => {
    const of = (body: string, bodyTruncated = false) =>
      bounded({ finalUrl: "", statusLine: null, headers: [], body, bodyTruncated, remoteAddress: null })
    assert.isFalse(of("a".repeat(bodyBytes)).bodyTruncated)
    assert.isTrue(of("a".repeat(bodyBytes + 1)).bodyTruncated)
    assert.isTrue(of("a", true).bodyTruncated)
    assert.strictEqual(firstBytes("aé💥", 6), "aé")
  })
})
