import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { codeFrom, mostIdle, mostWrong, repeatAt, repeatMillis, type Text, textStep } from "../src/PageReply.ts"

const texts: fc.Arbitrary<Text> = fc.record({
  isKnown: fc.boolean(),
  isCommand: fc.boolean(),
  message: fc.option(fc.constantFrom("dlv_1", "dlv_2"), { nil: undefined }),
  wrong: fc.nat(12),
  idle: fc.nat(12)
})

describe("a text", () => {
  it("acts only for a known number with the code of a message, and never after too many wrong codes", () =>
    fc.assert(
      fc.property(texts, (text) => {
        const step = textStep(text)
        const mayAct = text.isKnown && text.isCommand && text.message !== undefined && text.wrong < mostWrong
        assert.strictEqual(step._tag === "Act", mayAct)
        if (step._tag === "Act") assert.strictEqual(step.message, text.message)
      })
    ))

  it("of a stranger, or of an ignored number, gets no answer, whatever it says", () =>
    fc.assert(
      fc.property(texts, (text) => {
        if (text.isKnown && text.wrong < mostWrong) return
        assert.deepStrictEqual(textStep(text), { _tag: "Ignore" })
      })
    ))

  it("gets at most five answers that change nothing in a row", () =>
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 60 }), (all) => {
        let [idle, wrong] = [0, 0]
        for (const text of all) {
          const step = textStep({ ...text, idle, wrong })
          if (step._tag === "Act") idle = 0
          if (step._tag === "Explain" || (step._tag === "Wrong" && step.isSaid)) idle++
          if (step._tag === "Wrong") wrong++
          assert.isAtMost(idle, mostIdle)
          assert.isAtMost(wrong, mostWrong)
        }
      })
    ))
})

describe("a code", () => {
  it("has eight digits, and each of them from all digits", () => {
    const seen = Array.from({ length: 8 }, () => new Set<string>())
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 6, maxLength: 32 }), (bytes) => {
        const code = codeFrom(bytes)
        assert.match(code, /^\d{8}$/)
        for (const [place, digit] of [...code].entries()) seen[place]!.add(digit)
      }),
      { numRuns: 2000 }
    )
    for (const digits of seen) assert.strictEqual(digits.size, 10)
  })
})

describe("a repetition", () => {
  it("is never earlier than two minutes after the call, nor than now", () =>
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (sentAt, now) => {
        const at = repeatAt(sentAt, now)
        assert.isAtLeast(at, now)
        assert.isAtLeast(at, sentAt + repeatMillis)
        assert.isTrue(at === now || at === sentAt + repeatMillis)
      })
    ))
})
