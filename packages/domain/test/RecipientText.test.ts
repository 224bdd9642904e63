import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { shortRecipient, withShortRecipients } from "../src/RecipientText.ts"

describe("recipients in texts", () => {
  it("are short, and can be told apart", () => {
    assert.strictEqual(shortRecipient("ops@example.org"), "o…@example.org")
    assert.strictEqual(shortRecipient("+4915112345678"), "…78")
    assert.strictEqual(
      withShortRecipients("550 5.1.1 <OPS@example.org>: no ops@example.org", ["ops@example.org", ""]),
      "550 5.1.1 <o…@example.org>: no o…@example.org"
    )
    assert.strictEqual(withShortRecipients("İ: ops@example.org", ["ops@example.org"]), "İ: o…@example.org")
  })

  it("are never shown in full, in any surroundings", () => {
    const address = fc.tuple(fc.stringMatching(/^[a-z]{2,9}$/), fc.constantFrom("example.org", "b.test"))
    fc.assert(
      fc.property(
        fc.array(address, { maxLength: 5 }),
        fc.array(fc.string(), { minLength: 6, maxLength: 6 }),
        (all, between) => {
          const recipients = all.map((parts) => parts.join("@"))
          const text = between.map((part, index) => `${part}${recipients[index]?.toUpperCase() ?? ""}`).join("")
          const shown = withShortRecipients(text, recipients).toLowerCase()
          for (const one of recipients) assert.notInclude(shown, one)
        }
      )
    )
  })
})
