import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { objectionTo } from "../../src/channels/PhoneNumbers.ts"

describe("a phone number", () => {
  it.effect.each([
    "+1 900 555 0123",
    "+49 900 1234567",
    "+44 909 879 0123",
    "+33 899 123456",
    "+39 899 123456",
    "+81 990 123456",
    "+31 906 123456",
    "+43 900 123456",
    "+34 806 123456",
    "+358 600 123456",
    "+49 180 5123456",
    "+44 70 1234 5678",
    "+1 500 500 0006",
    // An exchange of premium services, in any area.
    "+1 212 976 0123",
    "+1 415 976 5550 1",
    // Networks ignore digits too many, and price by the first ones.
    "+1 900 555 0123 45",
    "+44 909 123 45678",
    "+49 900 123456",
    "+61 1900 12345",
    "+881 612345678",
    "+979 123456789"
  ])("is refused when it costs more than others: %s", (number) =>
    Effect.gen(function* () {
      assert.isString(yield* objectionTo(number, []))
      const country = `+${/^\+(1|\d\d)/.exec(number)![1]!}`
      if (!/^\+(881|979|358)/.test(number)) assert.isString(yield* objectionTo(number, [country]))
    })
  )

  it.effect.each([
    "+49 151 23456789",
    "+49 30 901820",
    "+44 7911 123456",
    "+44 20 7946 0000",
    "+1 202 456 1111",
    "+1 212 555 0976",
    "+1 209 766 1234",
    "+1 415 555 2671",
    "+33 6 12 34 56 78",
    "+81 90 1234 5678",
    "+86 138 0013 8000",
    "+91 98765 43210",
    "+61 412 345 678",
    "+55 11 96123 4567"
  ])("is accepted when it is somebody's: %s", (number) =>
    Effect.gen(function* () {
      assert.isUndefined(yield* objectionTo(number, []))
    })
  )

  it.effect("of a costly kind is accepted if the operator lists its prefix", () =>
    Effect.gen(function* () {
      assert.isUndefined(yield* objectionTo("+49 900 1234567", ["+43", "+49900"]))
      assert.isString(yield* objectionTo("+49 900 1234567", ["+49"]))
      assert.isString(yield* objectionTo("+44 909 879 0123", ["+49900"]))
      assert.isString(yield* objectionTo("+1 212 976 0123", ["+1212", "+121297"]))
      assert.isUndefined(yield* objectionTo("+1 212 976 0123", ["+1212976"]))
    })
  )

  it.effect("is read for any input", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(fc.oneof(fc.string(), fc.stringMatching(/^\+\d{1,20}$/)), async (text) => {
          const said = await Effect.runPromise(objectionTo(text, []))
          assert.isTrue(said === undefined || said.length > 0)
        })
      )
    )
  )
})
