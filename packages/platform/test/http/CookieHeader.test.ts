import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { plain } from "../../src/http/CookieHeader.ts"

const ours = "__Host-kanmon.session_token"

/** The characters that Node accepts in a header: bytes, but no control character except the tab. */
const byte = fc.integer({ min: 9, max: 255 }).filter((code) => code === 9 || (code > 31 && code !== 127))
const text = fc.array(byte, { maxLength: 20 }).map((codes) => String.fromCodePoint(...codes))

describe("the header Cookie", () => {
  it("stays as it is when every name is one of RFC 6265", () => {
    for (const header of [`${ours}=a.b%2Fc%3D`, `a=1; ${ours}=x; theme="dark mode"; empty=`, `a=b=c;${ours}=Ä`])
      assert.strictEqual(plain(header), header)
  })

  it("loses cookies without a name, and those with a name that parsers and browsers read differently", () => {
    for (const blank of ["\u00A0", " \u00A0", "\u00A0\t", "\u0085", "\uFEFF", "\u2000", "\u3000"])
      assert.strictEqual(plain(`a=1;${blank}${ours}=planted; b=2`), "a=1; b=2")
    for (const pair of [`${ours}\u00A0=planted`, "=planted", ours, "", ` = `]) assert.strictEqual(plain(pair), "")
  })

  it("has no name that trimming makes longer or shorter than browsers read it", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { maxLength: 6 }), (pairs) => {
        const header = pairs.map(([before, after]) => `${before}${ours}${after}`).join("; ")
        for (const pair of plain(header)
          .split(";")
          .filter((one) => one !== "")) {
          const name = pair.slice(0, pair.indexOf("="))
          assert.strictEqual(name.trim(), name.replaceAll(/^[ \t]+|[ \t]+$/g, ""))
        }
      })
    )
  })
})
