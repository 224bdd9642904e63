import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { matcher } from "../src/Subject.ts"
import * as SubjectIndex from "../src/SubjectIndex.ts"

const token = fc.constantFrom("a", "b", "c")
const subject = fc.array(token, { minLength: 1, maxLength: 4 }).map((tokens) => tokens.join("."))
const pattern = fc
  .tuple(fc.array(fc.oneof(token, fc.constant("*")), { minLength: 1, maxLength: 4 }), fc.boolean())
  .map(([tokens, isOpen]) => [...tokens, ...(isOpen ? [">"] : [])].join("."))
const patterns = fc.option(fc.array(fc.oneof(pattern, fc.constant(">")), { maxLength: 3 }), { nil: undefined })

describe("an index of subject patterns", () => {
  it("finds what the patterns match, each once, and nothing that was removed", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(patterns, fc.boolean()), { maxLength: 6 }), subject, (all, wanted) => {
        const index = SubjectIndex.make<number>()
        all.forEach(([own], entry) => index.add(own, entry))
        all.forEach(([own, stays], entry) => stays || index.remove(own, entry))
        const expected = all.flatMap(([own, stays], entry) => (stays && matcher(own)(wanted) ? [entry] : []))
        assert.deepStrictEqual([...index.find(wanted)].sort(), expected)
      })
    )
  })
})
