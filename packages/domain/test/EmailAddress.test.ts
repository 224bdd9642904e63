import { assert, describe, it } from "@effect/vitest"
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

  it("treats case, spaces and Unicode form as equal", () => {
    for (const written of ["boss@example.org", " BOSS@Example.ORG ", "ｂｏｓｓ@example.org"])
      assert.strictEqual(normalizeEmail(written), "boss@example.org")
  })

  it("maps an address with and without a tag to the same mailbox", () => {
    assert.strictEqual(mailboxOf("Ops+one+two@Example.org"), "ops@example.org")
    assert.strictEqual(mailboxOf("ops@example.org"), "ops@example.org")
  })
})
