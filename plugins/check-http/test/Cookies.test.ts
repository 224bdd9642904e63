/** Cookies are kept between the redirects of one check: sent where they belong, and nowhere else. */
import { assert, describe, it } from "@effect/vitest"
import * as Targets from "@kanmon/testkit/Targets"
import { Effect } from "effect"
import * as fc from "fast-check"
import * as Cookies from "../src/Cookies.ts"
import { attempt } from "./Attempt.ts"

const from = (address: string, ...fields: ReadonlyArray<string>) =>
  Cookies.received(Cookies.none, new URL(address), fields, Date.parse("2026-01-01"))

const header = (jar: Cookies.Jar, address: string) => Cookies.sent(jar, new URL(address), {})["cookie"]

describe("a cookie", () => {
  it.each([
    // Set by, as, asked at, sent.
    ["https://a.example/x", "s=1", "https://a.example/y", "s=1"],
    ["https://a.example/x", "s=1", "https://b.a.example/", undefined],
    ["https://a.example/x", "s=1; Domain=a.example; Path=/", "https://b.a.example/", "s=1"],
    ["http://example/", "s=1; Domain=example", "http://b.example/", undefined],
    ["https://sub.a.example/", "s=1; Domain=a.example", "https://b.a.example/", "s=1"],
    ["https://sub.a.example/", "s=1; Domain=.A.Example", "https://a.example/", "s=1"],
    ["https://a.example/", "s=1; Domain=b.example", "https://b.example/", undefined],
    ["https://a.example/", "s=1; Domain=example", "https://b.example/", undefined],
    ["https://nota.example/", "s=1; Domain=a.example", "https://a.example/", undefined],
    ["http://192.0.2.1/", "s=1; Domain=0.2.1", "http://192.0.2.1/", undefined],
    ["http://[2001:db8::1]/", "s=1", "http://[2001:db8::1]/", "s=1"],
    ["https://a.example/one/two", "s=1", "https://a.example/one/three", "s=1"],
    ["https://a.example/one/two", "s=1", "https://a.example/oneself", undefined],
    ["https://a.example/one/two", "s=1; Path=/", "https://a.example/", "s=1"],
    ["https://a.example/", "s=1; Path=/in", "https://a.example/inside", undefined],
    ["https://a.example/", "s=1; Path=/in", "https://a.example/in/side", "s=1"],
    ["https://a.example/", "s=1; Secure", "http://a.example/", undefined],
    ["http://a.example/", "s=1; Secure", "https://a.example/", undefined],
    ["https://a.example/", "s=1; Max-Age=0", "https://a.example/", undefined],
    ["https://a.example/", "s=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "https://a.example/", undefined],
    ["https://a.example/", "s=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=60", "https://a.example/", "s=1"],
    ["https://a.example/", "__Host-s=1; Secure; Path=/", "https://a.example/", "__Host-s=1"],
    ["https://a.example/", "__Host-s=1; Path=/", "https://a.example/", undefined],
    ["https://a.example/", "no pair", "https://a.example/", undefined],
    ["https://a.example/", "s=a=b", "https://a.example/", "s=a=b"],
    ["https://a.example:8443/", "s=1", "https://a.example/", "s=1"]
  ])("from %s as %s is at %s: %s", (setBy, field, asked, sent) =>
    assert.strictEqual(header(from(setBy, field), asked), sent)
  )

  it("replaces its like, and an expired one removes it", () => {
    const url = new URL("https://a.example/")
    const jar = from(url.href, "s=1", "t=1", "s=2", "t=; Max-Age=0")
    assert.strictEqual(header(jar, url.href), "s=2")
    const plain = new URL("http://a.example/")
    const kept = Cookies.received(from(url.href, "s=1; Secure"), plain, ["s=2"], 0)
    assert.strictEqual(header(kept, url.href), "s=1")
  })

  it("joins those that the monitor sends itself, and replaces them by name", () => {
    const jar = from("https://a.example/", "s=2", "u=3")
    const sent = Cookies.sent(jar, new URL("https://a.example/"), { cookie: "s=1; own=yes", accept: "*/*" })
    assert.deepStrictEqual(sent, { cookie: "own=yes; s=2; u=3", accept: "*/*" })
  })

  const hosts = ["a.example", "b.a.example", "c.b.a.example", "b.example", "xa.example", "example"]
  const label = fc.constantFrom("s", "t", "__Host-s", "")
  const field = fc
    .tuple(
      label,
      fc.string({ maxLength: 8 }),
      fc.subarray(["Secure", "Path=/a", "Max-Age=0", "Domain=a.example", "Domain=example", "Domain=b.a.example"])
    )
    .map(([name, value, rest]) => [`${name}=${value}`, ...rest].join("; "))

  it("is never sent to a host that is neither the one that set it nor shares its domain", () => {
    const address = fc.tuple(
      fc.constantFrom("http", "https"),
      fc.constantFrom(...hosts),
      fc.constantFrom("/", "/a", "/a/b")
    )
    fc.assert(
      fc.property(address, fc.array(field, { maxLength: 5 }), address, ([p1, h1, d1], fields, [p2, h2, d2]) => {
        const jar = from(`${p1}://${h1}${d1}`, ...fields)
        const asked = new URL(`${p2}://${h2}${d2}`)
        for (const cookie of Cookies.sentTo(jar, asked)) {
          if (cookie.hostOnly) assert.strictEqual(h1, h2)
          for (const host of [h1, h2]) assert.isTrue(`.${host}`.endsWith(`.${cookie.domain}`))
          assert.isTrue(!cookie.secure || (p1 === "https" && p2 === "https"))
        }
      })
    )
  })

  it("is bounded in number and size, and cannot break a header", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary", maxLength: 40 }), { maxLength: 200 }), (fields) => {
        const jar = from("https://a.example/", ...fields, ...fields.map((value, index) => `n${index}=${value}`))
        assert.isAtMost(jar.length, 50)
        assert.notMatch(header(jar, "https://a.example/") ?? "", /[\r\n\0]/)
      })
    )
    const many = Array.from({ length: 500 }, (_, index) => `n${index}=${"x".repeat(4000)}`)
    assert.isAtMost(header(from("https://a.example/", ...many), "https://a.example/")!.length, 16_384)
    assert.isEmpty(from("https://a.example/", `s=${"x".repeat(5000)}`))
  })
})

describe("a portal that looks for its cookie", () => {
  const portal = Targets.http((request, response) => {
    if (request.headers.cookie?.includes("seen=1") === true) response.end("welcome")
    else
      response.writeHead(302, { location: "/", "set-cookie": ["seen=1; HttpOnly", "other=2; Path=/elsewhere"] }).end()
  })

  it.live("lets each check through from an empty jar", () =>
    Effect.gen(function* () {
      const target = yield* portal
      for (let round = 1; round <= 2; round++) {
        const found = yield* attempt(target.port, { bodyContains: "welcome" })
        assert.deepInclude(found, { status: "up", failure: null })
        assert.deepInclude(found.facts, { redirects: 1 })
      }
      assert.deepStrictEqual(
        target.requests.map(({ headers }) => headers.cookie),
        [undefined, "seen=1", undefined, "seen=1"]
      )
    }).pipe(Effect.scoped)
  )

  it.live("keeps its cookie from other hosts", () =>
    Effect.gen(function* () {
      const other = yield* Targets.http(Targets.answer({ body: "welcome" }))
      const target = yield* Targets.http((_request, response) => {
        response.writeHead(302, { location: `http://localhost:${other.port}/`, "set-cookie": "seen=1" }).end()
      })
      assert.strictEqual((yield* attempt(target.port)).status, "up")
      assert.isUndefined(other.requests[0]!.headers.cookie)
    }).pipe(Effect.scoped)
  )

  it.live("gets what the monitor sends itself, too", () =>
    Effect.gen(function* () {
      const target = yield* portal
      const found = yield* attempt(target.port, { headers: { Cookie: "own=yes" } })
      assert.strictEqual(found.status, "up")
      assert.deepStrictEqual(target.requests.at(-1)!.headers.cookie, "own=yes; seen=1")
    }).pipe(Effect.scoped)
  )
})
