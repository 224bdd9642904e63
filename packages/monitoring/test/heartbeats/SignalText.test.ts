import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { collector, keep, readBytes } from "../../src/heartbeats/SignalText.ts"

const half = 50 * 1024
const token = "t0k3n".repeat(8)

const received = (body: Uint8Array, chunkBytes: number) => {
  const { add, received } = collector()
  for (let at = 0; at < body.length; at += chunkBytes) add(body.subarray(at, at + chunkBytes))
  return received()
}
const kept = (body: Uint8Array, chunkBytes = 65_536) => {
  const { size, text } = received(body, chunkBytes)
  return keep(text, token, size)
}

describe("the text of a signal", () => {
  it("is kept whole up to 100 kB", () => {
    for (const length of [0, 1, 99_000, 2 * half]) {
      const text = "x".repeat(length)
      assert.deepStrictEqual(kept(Buffer.from(text)), { text, truncated: false })
    }
  })

  it("is kept in its first and last 50 kB when it is longer, with what is missing between them", () => {
    for (const length of [2 * half + 1, 101 * 1024, readBytes, readBytes + 1, 5 * 1024 * 1024]) {
      const body = Buffer.alloc(length, "m")
      body.fill("f", 0, half)
      body.fill("l", length - half)
      const { text, truncated } = kept(body)
      assert.isTrue(truncated)
      const missing = length - 2 * half
      assert.strictEqual(text, `${"f".repeat(half)}\n[… ${missing} bytes are left out here …]\n${"l".repeat(half)}`)
    }
  })

  it("is the same for any chunks of its body", () => {
    const body = Buffer.from(Array.from({ length: 400_000 }, (_, line) => `${line}\n`).join(""))
    const expected = kept(body, body.length)
    fc.assert(
      fc.property(fc.integer({ min: 500, max: 200_000 }), (chunkBytes) => {
        assert.deepStrictEqual(kept(body, chunkBytes), expected)
      }),
      { numRuns: 30 }
    )
    const small = body.subarray(0, 300_000)
    assert.deepStrictEqual(kept(small, 1), kept(small))
  })

  it("has whole characters at the cuts", () => {
    for (const shift of [0, 1, 2, 3]) {
      const { text } = kept(Buffer.from(`${"x".repeat(shift)}${"😀".repeat(60_000)}`))
      assert.notInclude(text, "\uFFFD")
      assert.isTrue(text.isWellFormed())
    }
  })

  it("shows no token, and no part of one at a cut", () => {
    assert.strictEqual(
      keep(`+ curl https://kanmon.example/${token}/start`, token).text,
      "+ curl https://kanmon.example/••••/start"
    )
    for (const length of [200_000, readBytes + 200_000])
      for (const begin of [
        0,
        half - 60,
        half - 41,
        half - 39,
        half - 1,
        length - half - 60,
        length - half - 20,
        length - 40
      ]) {
        const body = Buffer.alloc(length, "-")
        body.write(token, begin)
        assert.notMatch(kept(body).text, /[t0k3n]{6}/, `${length} ${begin}`)
      }
  })

  it("has no characters that the database refuses", () => {
    assert.strictEqual(keep("a\u0000b", token).text, "ab")
  })
})
