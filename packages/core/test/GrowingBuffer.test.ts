import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as GrowingBuffer from "../src/GrowingBuffer.ts"

describe("a growing buffer", () => {
  it("has what was appended, up to its limit", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 600 }), { maxLength: 20 }), fc.nat(3000), (pieces, limit) => {
        const buffer = GrowingBuffer.make(limit)
        for (const piece of pieces) buffer.append(piece)
        assert.deepStrictEqual(buffer.bytes(), Buffer.concat(pieces).subarray(0, limit))
        assert.strictEqual(buffer.size(), buffer.bytes().length)
      })
    )
  })

  it("asks for memory before it takes it, and drops what does not fit", () => {
    let granted = 0
    const buffer = GrowingBuffer.make(1 << 20, (bytes) => {
      if (granted + bytes > 1 << 19) return false
      granted += bytes
      return true
    })
    const byte = Buffer.from("x")
    for (let count = 0; count < 1 << 20; count++) buffer.append(byte)
    assert.deepStrictEqual([granted, buffer.size()], [1 << 19, 1 << 19])
  })

  it("does not change a view that was taken before", () => {
    const buffer = GrowingBuffer.make(2000)
    buffer.append(Buffer.from("first"))
    const view = buffer.bytes()
    buffer.append(Buffer.alloc(1900, "y"))
    assert.strictEqual(view.toString(), "first")
  })
})
