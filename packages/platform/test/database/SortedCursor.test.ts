import { assert, describe, it } from "@effect/vitest"
import { MonitorSort } from "@kanmon/domain/MonitorSort"
import { Effect, Result } from "effect"
import * as fc from "fast-check"
import * as Cursor from "../../src/database/Cursor.ts"
import * as Paging from "../../src/http/Paging.ts"

const sort = fc.constantFrom(...MonitorSort.literals)
const value = fc.oneof(
  fc.constant(null),
  fc.string({ unit: "grapheme" }),
  fc.double({ noNaN: true, noDefaultInfinity: true })
)
const id = fc.stringMatching(/^mon_[0-9a-z]{1,26}$/)

const codeOf = (query: { readonly cursor: string; readonly sort?: string }) => {
  const result = Effect.runSync(Effect.result(Paging.readSorted(query)))
  return Result.isFailure(result) ? result.failure.code : result.success
}

describe("a cursor of a sorted list", () => {
  it("stands for the position that it was made of", () =>
    fc.assert(
      fc.property(sort, value, id, (sorted, at, last) => {
        const position = { sort: sorted, value: Object.is(at, -0) ? 0 : at, id: last }
        const cursor = Cursor.encodeSorted(position)
        assert.deepStrictEqual(Cursor.decodeSorted(cursor), position)
        assert.isUndefined(Cursor.decode(cursor))
        assert.deepInclude(codeOf({ cursor, sort: sorted }), { after: position })
      })
    ))

  it("is refused in a list of another sort, and of none", () =>
    fc.assert(
      fc.property(sort, sort, value, id, (one, other, at, last) => {
        const cursor = Cursor.encodeSorted({ sort: one, value: at, id: last })
        assert.strictEqual(codeOf({ cursor }), "validation_failed")
        if (one !== other) assert.strictEqual(codeOf({ cursor, sort: other }), "validation_failed")
        assert.strictEqual(codeOf({ cursor: Cursor.encode(last), sort: other }), "validation_failed")
      })
    ))

  it("is malformed when it is none", () =>
    fc.assert(
      fc.property(fc.string({ maxLength: 50 }), fc.option(sort, { nil: undefined }), (text, sorted) => {
        if (Cursor.decode(text) !== undefined || Cursor.decodeSorted(text) !== undefined) return
        assert.strictEqual(
          codeOf({ cursor: text, ...(sorted === undefined ? {} : { sort: sorted }) }),
          "malformed_request"
        )
      })
    ))
})
