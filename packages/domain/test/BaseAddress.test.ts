import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import fc from "fast-check"
import * as BaseAddress from "../src/BaseAddress.ts"

const read = (text: string) => BaseAddress.read(text, "/api/v1")

const segment = fc.stringMatching(/^[A-Za-z0-9._~-]{1,8}$/).filter((text) => text !== "." && text !== "..")
const path = fc.array(segment, { maxLength: 3 }).map((segments) => segments.map((each) => `/${each}`).join(""))
const target = fc
  .array(fc.oneof(segment, fc.constantFrom("", "..", "%2e", "%2F", "ü", "kanmon")), { maxLength: 5 })
  .chain((segments) => fc.constantFrom("", "?a=/b", "?").map((query) => `/${segments.join("/")}${query}`))

describe("an address of an installation", () => {
  it.each([
    ["https://example.org", "https://example.org"],
    ["https://example.org/", "https://example.org"],
    ["https://example.org/kanmon", "https://example.org/kanmon"],
    ["https://example.org/kanmon///", "https://example.org/kanmon"],
    ["https://EXAMPLE.org:443/Kanmon", "https://example.org/Kanmon"],
    ["http://[::1]:3000/a.b/c~d", "http://[::1]:3000/a.b/c~d"],
    ["https://bücher.example/x", "https://xn--bcher-kva.example/x"]
  ])("%s is read as %s", (text, address) => {
    assert.deepStrictEqual(read(text), Result.succeed(address))
  })

  it.each([
    ["example.org/kanmon", "begins with http://"],
    ["ftp://example.org", "begins with http://"],
    ["https://", "begins with http://"],
    ["https:///kanmon", "begins with http://"],
    ["https://example.org:port", "begins with http://"],
    ["https://example.org\\kanmon", "begins with http://"],
    ["https://example.org/a b", "begins with http://"],
    ["https://example.org/kanmon?a=b", "query"],
    ["https://example.org/kanmon#a", "fragment"],
    ["https://ada:secret@example.org/", "password"],
    ["https://@example.org/", "password"],
    ["https://example.org//kanmon", "path"],
    ["https://example.org/a//b", "path"],
    ["https://example.org/a/../b", "path"],
    ["https://example.org/.", "path"],
    ["https://example.org/%6Banmon", "path"],
    ["https://example.org/überwachung", "path"],
    ["https://example.org/a;b", "path"],
    ["https://example.org/api/v1", "without /api/v1"],
    ["https://example.org/kanmon/api/v1/", "without /api/v1"],
    [`https://example.org/${"a".repeat(3000)}`, "2048"]
  ])("%s is refused with a sentence", (text, part) => {
    const failure = Result.match(read(text), {
      onFailure: (message) => message,
      onSuccess: (address) => `read: ${address}`
    })
    assert.include(failure, part)
    assert.match(failure, /^Expected /)
  })

  it("is read as itself when it was read before", () => {
    fc.assert(
      fc.property(fc.constantFrom("https://example.org", "http://localhost:3000"), path, (origin, below) => {
        fc.pre(!below.endsWith("/api/v1"))
        assert.deepStrictEqual(read(`${origin}${below}/`), Result.succeed(`${origin}${below}`))
        assert.strictEqual(BaseAddress.pathOf(`${origin}${below}`), below)
      })
    )
  })
})

describe("the target of a request", () => {
  it("loses the path once, and only a whole segment of it", () => {
    fc.assert(
      fc.property(path, target, (base, asked) => {
        assert.strictEqual(BaseAddress.below(base, `${base}${asked}`), asked)
        const found = BaseAddress.below(base, asked)
        if (found === undefined)
          assert.isFalse(asked === base || asked.startsWith(`${base}/`) || asked.startsWith(`${base}?`))
        else
          assert.strictEqual(`${base}${found}`.replace(`${base}/?`, `${base}?`), asked.replace(`${base}/?`, `${base}?`))
      })
    )
  })

  it.each([
    ["/kanmon", "/"],
    ["/kanmon?a=b", "/?a=b"],
    ["/kanmon/", "/"],
    ["/kanmon/kanmon/x", "/kanmon/x"],
    ["/kanmonitor", undefined],
    ["/Kanmon/", undefined],
    ["/", undefined],
    ["*", undefined]
  ])("%s is %s below /kanmon", (asked, found) => {
    assert.strictEqual(BaseAddress.below("/kanmon", asked), found)
  })

  it("stays as it is at the root of a host", () => {
    fc.assert(fc.property(fc.string(), (asked) => assert.strictEqual(BaseAddress.below("", asked), asked)))
  })
})

describe("an address to return to", () => {
  it.each([
    ["/monitors?a=b#c", "/monitors?a=b#c"],
    ["https://example.org/kanmon/monitors", "/monitors"],
    ["https://example.org/kanmon", "/"],
    ["https://example.org/other", undefined],
    ["https://example.org/kanmon//evil.example", undefined],
    ["https://evil.example/kanmon/monitors", undefined],
    ["//evil.example", undefined],
    ["/\\evil.example", undefined],
    ["/\t/evil.example", undefined],
    ["//example.org/kanmon/x", "/x"],
    ["//example.org/other", undefined],
    ["https://ada@example.org/kanmon/", undefined],
    ["javascript:alert(1)", undefined]
  ])("%s leads to %s", (address, found) => {
    assert.strictEqual(BaseAddress.own(address, "https://example.org/kanmon"), found)
  })

  it("never leaves the installation", () => {
    const odd = fc.array(
      fc.constantFrom("/", "\\", "..", ".", "\t", "evil.example", "@", ":", "https:", "a", "?", "#"),
      {
        maxLength: 8
      }
    )
    fc.assert(
      fc.property(odd, path, (parts, base) => {
        const installation = `https://example.org${base}`
        const found = BaseAddress.own(parts.join(""), installation)
        if (found === undefined) return
        const to = new URL(`${installation}${found}`)
        assert.strictEqual(to.origin, "https://example.org")
        assert.isDefined(BaseAddress.below(base, to.pathname))
      })
    )
  })
})
