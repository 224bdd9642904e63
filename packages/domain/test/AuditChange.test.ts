import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { bounded, differing, maxSide } from "../src/AuditChange.ts"

const value = fc.jsonValue({ maxDepth: 3 })
const fields = fc.dictionary(fc.string({ maxLength: 20 }), value, { maxKeys: 12 }) as fc.Arbitrary<any>

describe("a change", () => {
  it("without differences has no fields", () => {
    fc.assert(
      fc.property(fields, (record) => {
        const copy = JSON.parse(JSON.stringify(record))
        assert.deepStrictEqual(differing({ before: record, after: copy }), { before: {}, after: {} })
      })
    )
  })

  it("leads from the one record to the other", () => {
    fc.assert(
      fc.property(fields, fields, (one, other) => {
        const { after, before } = differing({ before: one, after: other })
        const kept = Object.entries(one).filter(([name]) => !Object.hasOwn(before!, name))
        assert.deepEqual(
          Object.fromEntries([...kept, ...Object.entries(after!)]),
          Object.fromEntries(Object.entries(other))
        )
      })
    )
  })

  it("keeps the whole record when it was created or deleted", () => {
    const record = { name: "Shop" }
    assert.deepStrictEqual(differing({ before: null, after: record }), { before: null, after: record })
    assert.deepStrictEqual(differing({ before: record, after: null }), { before: record, after: null })
  })
})

describe("a side of a change", () => {
  it("stays as it is when it is small", () => {
    const record = { name: "Shop", regions: ["eu-west"], links: [{ title: "Runbook", url: "https://a.example" }] }
    assert.deepStrictEqual(bounded(record), record)
  })

  it("is bounded for any record", () => {
    const big = fc.dictionary(
      fc.string({ maxLength: 200 }),
      fc.oneof(value, fc.string({ maxLength: 20_000 }), fc.array(fc.string({ maxLength: 500 }), { maxLength: 300 })),
      { maxKeys: 40 }
    ) as fc.Arbitrary<any>
    fc.assert(
      fc.property(big, (record) => assert.isAtMost(JSON.stringify(bounded(record)).length, maxSide)),
      { numRuns: 50 }
    )
  })

  it("names what was left out", () => {
    const record = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`field${index}`, "x".repeat(999)]))
    assert.include(String(bounded(record)["…"]), "field39")
  })
})
