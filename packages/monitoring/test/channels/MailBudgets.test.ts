/**
 * Budgets of the installation's own mail. Mail that strangers cause never uses the budget that owners of accounts
 * depend on.
 */
import { recipientOf } from "@kanmon/core/Recipient"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { claimsOf, type Letter } from "../../src/channels/MailBudgets.ts"

const to = (address: string) => recipientOf({ recipient: { field: "address", kind: "email" } }, { address })!
const keysOf = (letter: Letter) => claimsOf(letter, (text) => text).map(({ key }) => key)

const owners = fc.constantFrom("grace@example.org", "grace+kanmon@example.org")
const variants = fc.stringMatching(/^[a-z0-9]{1,8}$/).map((tag) => `grace+${tag}@example.org`)
const purposes = fc.constantFrom<Letter["purpose"]>("asked", "notice", "recovery")

describe("budgets of mail", () => {
  it("are not spent by requested mails, nor by mails to another address, if they belong to an owner", () => {
    fc.assert(
      fc.property(
        owners,
        fc.constantFrom<Letter["purpose"]>("notice", "recovery"),
        variants,
        purposes,
        fc.boolean(),
        (address, purpose, variant, other, isVerified) => {
          fc.pre(variant !== address)
          const own = keysOf({ purpose, recipient: to(address), isVerified: true, network: "203.0.113.1" })
          const theirs = { purpose: other, recipient: to(variant), isVerified, network: "203.0.113.1" }
          const asked: Letter = { ...theirs, purpose: "asked", recipient: to(address), isVerified: true }
          for (const key of [...keysOf(theirs), ...keysOf(asked)]) assert.notInclude(own, key)
        }
      )
    )
  })

  it("are separate for an address and its variants, also before it is verified", () => {
    fc.assert(
      fc.property(variants, fc.constantFrom<Letter["purpose"]>("asked", "recovery"), (variant, purpose) => {
        const own = keysOf({ purpose, recipient: to("grace@example.org"), isVerified: false, network: undefined })
        const theirs = keysOf({ purpose: "asked", recipient: to(variant), isVerified: false, network: "203.0.113.1" })
        // Where anybody can ask, that of the whole installation is shared.
        const shared = own.filter((key) => theirs.includes(key))
        assert.deepStrictEqual(shared, purpose === "asked" ? ["own:email"] : [])
      })
    )
  })

  it("are one for all unverified variants of a mailbox, for any kind of mail", () => {
    const counted = (address: string, purpose: Letter["purpose"]) =>
      keysOf({ purpose, recipient: to(address), isVerified: false, network: undefined })
    const one = counted("grace+a@example.org", "asked")
    assert.deepStrictEqual(counted("Grace+b@example.org", "notice"), one)
    assert.deepStrictEqual(counted("grace+c@example.org", "recovery"), one)
  })
})
