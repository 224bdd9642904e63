/** Differences of long values: what differs is shown, and it stays short. */
import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import { difference } from "../src/Difference.ts"

const many = Array.from({ length: 40 }, (_, index) => `monitor-${index}`)
const text = "word ".repeat(100)

it("shows short values whole", () => {
  assert.strictEqual(difference(["shop-mail"], []), '["shop-mail"] → []')
  assert.strictEqual(difference(undefined, 900), "(none) → 900")
})

it("names what is taken out of a long list, and what is added", () => {
  const other = many.map((one) => (one === "monitor-33" ? "monitor-x" : one))
  assert.strictEqual(difference(many, other), '- "monitor-33", + "monitor-x"')
  assert.strictEqual(difference(many, [...many, "monitor-3"]), '+ "monitor-3"')
  assert.strictEqual(
    difference(many, many.slice(0, 32)),
    '- "monitor-32", - "monitor-33", - "monitor-34", - "monitor-35", - "monitor-36", - 3 more'
  )
})

it("says of a list that only its order differs, also beside other differences", () => {
  const turned = many.toSpliced(30, 2, "monitor-31", "monitor-30")
  assert.strictEqual(
    difference(many, turned),
    'in another order: "monitor-30", "monitor-31" → "monitor-31", "monitor-30"'
  )
  assert.strictEqual(difference(many, turned.slice(1)), '- "monitor-0"; the others in another order')
})

it("shows long texts, and those in lists and objects, around their first difference", () => {
  assert.strictEqual(difference(`${text}old`, `${text}new`), '…word word word word old" → …word word word word new"')
  assert.include(difference([`${text}old`], [`${text}new`]), 'word old", + …')
  const headers = Object.fromEntries(many.map((name) => [name, "x"]))
  const { "monitor-7": _, ...rest } = headers
  assert.strictEqual(
    difference(headers, { ...rest, "monitor-20": "y", more: "z" }),
    '- monitor-7: "x", + more: "z", ~ monitor-20: "x" → "y"'
  )
  assert.include(difference({ a: { b: `${text}old` } }, { a: { b: `${text}new` } }), 'word old" → …')
})

/** Names that are alike for longer than anything that is shown. */
const name = fc.integer({ min: 0, max: 60 }).map((number) => `${"n".repeat(150)}${number}`)

it("shows the difference of any two lists or texts, in less than two thousand characters", () => {
  const value = fc.oneof(fc.array(name, { minLength: 1, maxLength: 60 }), name)
  fc.assert(
    fc.property(value, value, (from, to) => {
      fc.pre(JSON.stringify(from) !== JSON.stringify(to))
      const words = difference(from, to)
      assert.isBelow(words.length, 2000)
      const [was, becomes] = words.split(" → ")
      if (becomes !== undefined) return assert.notStrictEqual(was, becomes)
      const parts = (mark: string) =>
        words.split(", ").flatMap((part) => (part.startsWith(mark) ? [part.slice(mark.length)] : []))
      assert.notDeepEqual(parts("- "), parts("+ "))
    })
  )
})
