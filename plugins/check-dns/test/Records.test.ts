import { assert, describe, it } from "@effect/vitest"
import { expectationProblem, matches, shown } from "../src/Records.ts"

describe("an expected value", () => {
  it.each([
    ["A", "192.0.2.1", "192.0.2.1", true],
    ["A", "192.0.2.1", " 192.0.2.1 ", true],
    ["A", "192.0.2.1", "192.0.2.10", false],
    ["A", "192.0.2.10", "192.0.2.1", false],
    ["AAAA", "2001:db8::1", "2001:0DB8:0:0:0:0:0:1", true],
    ["AAAA", "2001:db8:0:0::1", "2001:db8::1", true],
    ["AAAA", "2001:db8::1", "2001:db8::2", false],
    ["AAAA", "2001:db8::1", "192.0.2.1", false],
    ["CNAME", "Shop.Example.com", "shop.example.com.", true],
    ["CNAME", "shop.example.com.", "SHOP.example.com", true],
    ["CNAME", "shop.example.com", "example.com", false],
    ["MX", "10 mail.example.com", "10 mail.example.com", true],
    ["MX", "10 mail.example.com", "10  MAIL.example.com.", true],
    ["MX", "10 Mail.example.com.", "mail.example.com", true],
    ["MX", "10 mail.example.com", "20 mail.example.com", false],
    ["MX", "10 mail.example.com", "example.com", false],
    ["MX", "10 mail.example.com", "10", false],
    ["TXT", "v=spf1 -all", "v=spf1 -all", true],
    ["TXT", "v=spf1 -all", "V=SPF1 -all", false],
    ["TXT", "v=spf1 include:a.example -all", "v=spf1", false],
    ["TXT", "a dot.", "a dot", false]
  ] as const)("%s %j against %j: %s", (type, record, expected, same) =>
    assert.strictEqual(matches(type, record, expected), same)
  )

  it.each([
    ["A", "2001:db8::1"],
    ["A", "shop.example.com"],
    ["A", "192.0.2.256"],
    ["AAAA", "192.0.2.1"]
  ] as const)("for a record %s cannot be %s", (type, expected) => assert.isNotNull(expectationProblem(type, expected)))

  it.each([
    ["A", "192.0.2.1"],
    ["AAAA", "2001:DB8::1"],
    ["CNAME", "192.0.2.1"],
    ["TXT", ""]
  ] as const)("for a record %s can be %j", (type, expected) => assert.isNull(expectationProblem(type, expected)))
})

describe("a record in a message", () => {
  it("is truncated, and has no control characters", () => {
    assert.strictEqual(shown("a\u0000\r\n\u001b[31mb"), "a\uFFFD\uFFFD\uFFFD\uFFFD[31mb")
    assert.lengthOf(shown("x".repeat(65_536)), 301)
  })
})
