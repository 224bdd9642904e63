import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { CustomDomain, DisplayGroup, Slug } from "../src/StatusPage.ts"

const takes = (schema: Schema.ConstraintDecoder<unknown>, input: unknown): boolean =>
  Result.isSuccess(Schema.decodeUnknownResult(schema)(input))

const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/)

describe("Slug", () => {
  it.each(["ab", "a1", "42", "acme", "acme-status", "a--b", "a".repeat(63), "admin-of-acme", "wwww"])(
    "takes %s",
    (slug) => assert.isTrue(takes(Slug, slug))
  )

  it.each([
    ["", "nothing"],
    ["a", "one character"],
    ["a".repeat(64), "64 characters"],
    ["Acme", "upper case"],
    ["-acme", "a hyphen in front"],
    ["acme-", "a hyphen at the end"],
    ["--", "hyphens alone"],
    ["ac me", "a space"],
    ["acme ", "a space at the end"],
    ["acme\n", "a line break at the end"],
    ["ac_me", "an underscore"],
    ["acme.", "a dot at the end"],
    ["acme.status", "two labels"],
    ["../acme", "a parent path"],
    ["acme/x", "a path"],
    ["xn--mnster-3ya", "punycode"],
    ["xn--", "punycode of nothing"],
    ["münster", "another alphabet"],
    ["аcme", "a Cyrillic homograph"],
    ["acme🦉", "an emoji"],
    ["acme\u200b", "a zero-width space"],
    ["acme\u0000", "a null character"],
    ["ａｃｍｅ", "full-width letters"],
    ["١٢", "other digits"],
    [null, "null"],
    [42, "a number"],
    [["acme"], "a list"]
  ])("refuses %j: %s", (...[slug]) => assert.isFalse(takes(Slug, slug)))

  it.each(["admin", "api", "www", "status", "mail", "autodiscover", "wpad", "sign-in", "kanmon", "heartbeat"])(
    "reserves %s",
    (slug) => assert.isFalse(takes(Slug, slug))
  )

  it("says what to do", () => {
    const said = (slug: string) => String(Result.getOrThrow(Result.flip(Schema.decodeUnknownResult(Slug)(slug))))
    assert.include(said("Acme"), "lower-case letters, digits and hyphens")
    assert.include(said("admin"), "reserved; choose another one")
    assert.include(said("xn--acme"), "third and fourth place")
  })

  it("accepts only DNS labels, which browsers show unchanged", () => {
    fc.assert(
      fc.property(fc.oneof(label, fc.string(), fc.webPath()), (slug) => {
        if (!takes(Slug, slug)) return
        assert.strictEqual(new URL(`http://${slug}.example.org/`).hostname, `${slug}.example.org`)
        assert.isAtMost(slug.length, 63)
      })
    )
  })
})

describe("CustomDomain", () => {
  it.each([
    "status.acme.example",
    "acme.example",
    "a.b",
    "1.2.3.example",
    "xn--mnster-3ya.example",
    "status.xn--p1ai",
    `${"a".repeat(63)}.example`
  ])("takes %s", (domain) => assert.isTrue(takes(CustomDomain, domain)))

  it.each([
    ["", "nothing"],
    ["localhost", "one label"],
    ["127.0.0.1", "an address"],
    ["::1", "an IPv6 address"],
    ["[::1]", "a bracketed address"],
    ["1.2.3.4.5", "a number at the end"],
    ["2130706433", "an address as one number"],
    ["acme.example.", "a dot at the end"],
    [".acme.example", "a dot in front"],
    ["acme..example", "an empty label"],
    ["Acme.example", "upper case"],
    ["-acme.example", "a hyphen in front"],
    ["acme-.example", "a hyphen at the end of a label"],
    ["*.acme.example", "a wildcard"],
    ["_acme-challenge.acme.example", "an underscore"],
    [`${"a".repeat(64)}.example`, "a label of 64 characters"],
    [`${"a.".repeat(126)}aa`, "254 characters"],
    ["https://acme.example", "a scheme"],
    ["acme.example:443", "a port"],
    ["acme.example/status", "a path"],
    ["me@acme.example", "user info"],
    ["acme.example\n", "a line break at the end"],
    ["acme example.org", "a space"],
    ["münster.example", "another alphabet, not in its ASCII form"],
    ["🦉.example", "an emoji"],
    ["acme。example", "another dot"],
    [null, "null"],
    [["acme.example"], "a list"]
  ])("refuses %j: %s", (...[domain]) => assert.isFalse(takes(CustomDomain, domain)))

  it("accepts only what is unchanged in a URL", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.domain(),
          fc.ipV4(),
          fc.string(),
          fc.array(label).map((labels) => labels.join("."))
        ),
        (domain) => {
          // A hexadecimal last label is rejected by URL parsers, not here.
          if (!takes(CustomDomain, domain) || /\.0x[0-9a-f]*$/.test(domain)) return
          assert.strictEqual(URL.parse(`https://${domain}/`)?.hostname, domain)
        }
      )
    )
  })
})

describe("DisplayGroup", () => {
  it.each(["Front", "日本 🦉", " Shop ", "x".repeat(100)])("takes %j", (group) =>
    assert.isTrue(takes(DisplayGroup, group))
  )

  it.each(["", "   ", "x".repeat(101), "a\nb", "a\u0000", "a\u0085b", 5, null])("refuses %j", (group) =>
    assert.isFalse(takes(DisplayGroup, group))
  )
})
