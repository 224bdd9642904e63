import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { Result, type Schema } from "effect"
import { mask, masked, secretValues, unmasked, withoutPaths, type WriteOnly } from "../src/Masking.ts"

const kept = (sent: Schema.JsonObject, stored: Schema.JsonObject, kind: WriteOnly) =>
  Result.getOrThrow(unmasked(sent, stored, kind))

const refusedPaths = (sent: Schema.JsonObject, stored: Schema.JsonObject, kind: WriteOnly) =>
  Result.match(unmasked(sent, stored, kind), {
    onSuccess: () => [],
    onFailure: ({ errors }) => errors.map(({ path }) => path)
  })

const matrix = { secrets: ["token"], destination: ["server"] }
const stored = { server: "https://chat.example/a", room: "!a", token: "0123456789abcdef" }
const shown = masked(stored, matrix)

describe("write-only fields", () => {
  it("shows four dots, and the last four characters of long secrets only", () => {
    assert.strictEqual(mask("0123456789abcdef"), "••••cdef")
    assert.strictEqual(mask("hunter2"), "••••")
  })

  it("keeps the stored value when its mask is sent back", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.dictionary(fc.string(), fc.string()), (any, headers) => {
        const before = { any: any as Schema.Json, headers, open: "x" }
        const kind = { secrets: ["any", "headers"] }
        assert.deepStrictEqual(kept(masked(before, kind), before, kind), before)
      })
    )
  })

  it("shows no text of a secret field, at any depth", () => {
    const deep = { list: ["first-secret-value", { inner: "second-secret-value" }], pin: 123_456_789_012 }
    const text = JSON.stringify(masked({ deep }, { secrets: ["deep"] }))
    for (const secret of ["first-secret-value", "second-secret-value", "123456789012"]) assert.notInclude(text, secret)
  })

  it("accepts a new secret", () => {
    assert.deepStrictEqual(kept({ ...shown, token: "fedcba9876543210" }, stored, matrix).token, "fedcba9876543210")
  })

  it("refuses a mask without a stored value", () => {
    assert.deepStrictEqual(refusedPaths({ token: "••••cdef" }, {}, matrix), ["token"])
    assert.deepStrictEqual(refusedPaths({ token: "••••beef" }, stored, matrix), ["token"])
  })
})

describe("a changed destination", () => {
  it.each([
    "http://chat.example/a",
    "https://evil.example/a",
    "https://chat.example:8443/a",
    "https://chat.example@evil.example/a",
    "https://chat.example.evil.example/a",
    "chat.example"
  ])("requires its secrets again: %s", (server) => {
    assert.deepStrictEqual(refusedPaths({ ...shown, server }, stored, matrix), ["token"])
    assert.deepStrictEqual(kept({ ...shown, server, token: "a-new-secret" }, stored, matrix).token, "a-new-secret")
  })

  it.each(["https://chat.example/b", "https://CHAT.example:443/a?x=1"])(
    "keeps its secrets while the origin is the same: %s",
    (server) => {
      assert.strictEqual(kept({ ...shown, server, room: "!b" }, stored, matrix).token, stored.token)
    }
  )

  it("is any field that is not secret when none is declared", () => {
    const silent = { secrets: ["token"] }
    assert.deepStrictEqual(refusedPaths({ ...shown, room: "!b" }, stored, silent), ["token"])
    assert.deepStrictEqual(refusedPaths({ token: shown["token"]! }, stored, silent), ["token"])
    assert.deepStrictEqual(refusedPaths(shown, stored, silent), [])
  })

  it("is a URL in any field, including undeclared and secret ones", () => {
    const kind = { secrets: ["token", "hook"], destination: [] }
    const before = { token: "0123456789abcdef", hook: "https://one.example/secret-path", proxy: "http://proxy.example" }
    const back = masked(before, kind)
    assert.deepStrictEqual(refusedPaths({ ...back, hook: "https://two.example/x" }, before, kind), ["token"])
    assert.deepStrictEqual(refusedPaths({ ...back, proxy: "http://evil.example" }, before, kind), ["token", "hook"])
  })

  it("never combines an old secret with a new origin", () => {
    const address = fc.constantFrom("https://a.example", "https://b.example/x", "http://a.example", "a.example")
    fc.assert(
      fc.property(address, address, fc.boolean(), fc.boolean(), (from, to, masks, declared) => {
        const before = { url: from, token: "0123456789abcdef" }
        const kind = { secrets: ["token"], ...(declared ? { destination: [] } : {}) }
        const sent = { url: to, token: masks ? mask(before.token) : "another-new-secret" }
        const after = unmasked(sent, before, kind)
        if (Result.isFailure(after) || after.success["token"] !== before.token) return
        assert.strictEqual(URL.canParse(to) && new URL(to).origin, URL.canParse(from) && new URL(from).origin)
      })
    )
  })
})

describe("a password in a URL", () => {
  const hook = { url: "https://ada:pass:w@rd@hooks.example/x" }
  const kind = { secrets: [], destination: ["url"] }

  it("is masked in any field, and so is a user name without a password", () => {
    assert.deepStrictEqual(masked(hook, kind), { url: "https://ada:••••@hooks.example/x" })
    assert.deepStrictEqual(masked({ url: "https://token@x.example" }, kind), { url: "https://••••@x.example" })
    assert.deepStrictEqual(masked({ url: "https://x.example/a@b" }, kind), { url: "https://x.example/a@b" })
  })

  it("is kept when its mask is sent back, but not for another server", () => {
    assert.deepStrictEqual(kept(masked(hook, kind), hook, kind), hook)
    assert.deepStrictEqual(refusedPaths({ url: "https://ada:••••@evil.example/x" }, hook, kind), ["url"])
  })

  it("is redacted in plain and in encoded form", () => {
    assert.deepStrictEqual(secretValues({ url: "https://ada:open-sesame@x.example" }, kind), [
      "open-sesame",
      Buffer.from("ada:open-sesame").toString("base64")
    ])
  })
})

describe("addresses in records that stay", () => {
  it.each([
    ["https://hooks.slack.com/services/T0/B0/secret", "https://hooks.slack.com/••••"],
    ["https://shop.example?token=secret", "https://shop.example/••••"],
    ["https://shop.example/#secret", "https://shop.example/••••"],
    ["HTTPS://shop.example:8443/secret", "HTTPS://shop.example:8443/••••"],
    ["https:\\\\shop.example\\secret", "https:\\\\shop.example/••••"],
    ["wss://[2001:db8::1]:9/secret", "wss://[2001:db8::1]:9/••••"],
    ["https://shop.example/", "https://shop.example/"],
    ["https://shop.example", "https://shop.example"],
    ["tcp://db.example:5432/secret\nhttps://x/", "tcp://db.example:5432/••••"],
    ["shop.example/path", "shop.example/path"],
    ["Just a text: https://shop.example/path", "Just a text: https://shop.example/path"]
  ])("keep their host alone: %s", (address, shown) => {
    assert.deepStrictEqual(withoutPaths({ url: address, list: [{ deep: address }] }), {
      url: shown,
      list: [{ deep: shown }]
    })
  })

  it("hide every path and query", () => {
    const secret = fc.stringMatching(/^[0-9A-Za-z]{12,20}$/)
    const place = fc.constantFrom(
      (text: string) => `/${text}`,
      (text: string) => `/a/${text}/b`,
      (text: string) => `/?key=${text}`,
      (text: string) => `?${text}`
    )
    fc.assert(
      fc.property(fc.webAuthority(), secret, place, (host, text, at) => {
        const { url } = withoutPaths({ url: `https://${host}${at(text)}` })
        assert.strictEqual(url, `https://${host}/••••`)
      })
    )
  })
})
