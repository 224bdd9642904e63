import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { isEmailAddress, mailboxOf, normalizeEmail } from "../src/EmailAddress.ts"

describe("an e-mail address", () => {
  it.each(["ops@example.com", "o'neil+pager@mail.example.co.uk", "a@b.de"])("accepts %s", (text) => {
    assert.isTrue(isEmailAddress(text))
  })

  it.each([
    "",
    "ops",
    "@example.com",
    "ops@localhost",
    "ops@example.com ",
    "a b@example.com",
    "ops@example.com\r\nBcc: all@example.org",
    "Ops <ops@example.com>",
    "ö@example.com",
    "ops@exämple.com",
    `${"x".repeat(65)}@example.com`,
    `x@${"y".repeat(60)}.${"y".repeat(60)}.${"y".repeat(60)}.${"y".repeat(60)}.${"y".repeat(60)}.com`
  ])("rejects %j", (text) => {
    assert.isFalse(isEmailAddress(text))
  })

  it("treats the case of ASCII letters and blanks around as equal", () => {
    for (const written of ["boss@example.org", " BOSS@Example.ORG ", "\tboss@example.org\r\n"])
      assert.strictEqual(normalizeEmail(written), "boss@example.org")
  })

  it.each([
    "ｂｏｓｓ@example.org",
    "boss@ｅxample.org",
    "boss@example。org",
    "boss@example.org\u00A0",
    "\uFEFFboss@example.org",
    "bo\u00ADss@example.org",
    "boß@example.org",
    "\u212Aate@example.org"
  ])("keeps %j apart from the addresses of others", (text) => {
    assert.isFalse(isEmailAddress(normalizeEmail(text)))
  })

  it("becomes an address of ASCII only if it consists of ASCII and blanks", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (local, domain) => {
        const text = `${local}@${domain}.example`
        const normal = normalizeEmail(text)
        if (isEmailAddress(normal)) assert.match(text, /^[\t\n\r\x20-\x7E]+$/)
        assert.strictEqual(normalizeEmail(normal), normal)
      })
    )
  })

  it("maps an address with and without a tag to the same mailbox", () => {
    assert.strictEqual(mailboxOf("Ops+one+two@Example.org"), "ops@example.org")
    assert.strictEqual(mailboxOf("ops@example.org"), "ops@example.org")
  })
})
