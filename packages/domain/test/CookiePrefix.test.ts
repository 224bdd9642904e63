import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { cookiePath, cookiePrefix } from "../src/CookiePrefix.ts"

describe("cookiePrefix", () => {
  it.each([
    ["https://kanmon.example.com", "__Host-kanmon"],
    ["https://kanmon.example.com:443/", "__Host-kanmon"],
    ["https://kanmon.example.com:8443", "__Host-kanmon-8443"],
    ["https://example.com/status/eu", "__Host-kanmon--status_2feu"],
    ["http://localhost:3000", "kanmon-3000"],
    ["http://[::1]:3000/mon", "kanmon-3000-mon"]
  ])("turns %s into %s", (address, prefix) => {
    assert.strictEqual(cookiePrefix(address), prefix)
  })

  it.each([
    ["https://example.com/kanmon", "/"],
    ["http://example.com/kanmon", "/kanmon"],
    ["http://example.com", "/"]
  ])("gives the cookies of %s the path %s, which is `/` for names with `__Host-`", (address, path) => {
    assert.strictEqual(cookiePath(address), path)
  })

  it("differs between any two installations on one host, and is a token of RFC 6265", () => {
    const place = fc.record({
      protocol: fc.constantFrom("http:", "https:"),
      port: fc.oneof(fc.constant(""), fc.integer({ min: 1, max: 65_535 }).map(String)),
      path: fc.array(fc.stringMatching(/^[\w.~%-]{1,6}$/), { maxLength: 3 }).map((parts) => parts.join("/"))
    })
    const addressOf = ({ path, port, protocol }: { path: string; port: string; protocol: string }) =>
      new URL(`${protocol}//host.example${port === "" ? "" : `:${port}`}/${path}`).href.replace(/\/$/, "")
    fc.assert(
      fc.property(place, place, (one, other) => {
        const [a, b] = [addressOf(one), addressOf(other)]
        assert.match(cookiePrefix(a), /^(__Host-)?kanmon[\w-]*$/)
        // Plain http and https of one host are told apart by the prefix.
        if (a !== b) assert.notStrictEqual(cookiePrefix(a), cookiePrefix(b))
      })
    )
  })
})
