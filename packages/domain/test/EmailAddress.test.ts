import { assert, describe, it } from "@effect/vitest"
import { isEmailAddress, mailboxOf, normalizeEmail } from "../src/EmailAddress.ts"

describe("an e-mail address", () => {
  it.each(["ops@example.com", "o'neil+pager@mail.example.co.uk", "a@b.de"])("is what %s is", (text) => {
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
  ])("is not what %j is", (text) => {
    assert.isFalse(isEmailAddress(text))
  })

  it("is the same whatever its case, its spaces and its Unicode form are", () => {
    for (const written of ["boss@example.org", " BOSS@Example.ORG ", "ｂｏｓｓ@example.org"])
      assert.strictEqual(normalizeEmail(written), "boss@example.org")
  })

  it("leads to the same mailbox with and without a tag", () => {
    assert.strictEqual(mailboxOf("Ops+one+two@Example.org"), "ops@example.org")
    assert.strictEqual(mailboxOf("ops@example.org"), "ops@example.org")
  })
})
