import { assert, describe, it } from "@effect/vitest"
import { didYouMean } from "../src/Suggestion.ts"

const known = ["serve", "config", "organization", "Check"]

describe("a suggestion", () => {
  it.each([
    ["sevre", "; did you mean serve?"],
    ["conf", "; did you mean config?"],
    ["ORGAN", "; did you mean organization?"],
    ["chek", "; did you mean Check?"],
    // Two letters begin too much, and other words are no slips.
    ["co", ""],
    ["export", ""],
    ["", ""]
  ])("for %j is %j", (name, said) => {
    assert.strictEqual(didYouMean(name, known), said)
  })

  it("is the nearest of several", () => {
    assert.strictEqual(didYouMean("stats", ["status-pages", "status", "state"]), "; did you mean status?")
  })
})
