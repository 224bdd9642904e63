import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Schema } from "effect"
import * as Persisted from "../../src/database/Persisted.ts"
import * as Rows from "../../src/database/Rows.ts"

describe("Rows", () => {
  const Monitor = Schema.Struct({ id: Schema.String, checked: Schema.NullOr(Rows.Time), count: Rows.Count })

  it.effect("decodes the driver's dates and counts", () =>
    Effect.gen(function* () {
      const rows = yield* Rows.all(Monitor)(
        Effect.succeed([
          { id: "a", checked: new Date(5), count: 7n },
          { id: "b", checked: null, count: "8" }
        ])
      )
      assert.deepStrictEqual(rows, [
        { id: "a", checked: 5, count: 7 },
        { id: "b", checked: null, count: 8 }
      ])
    })
  )

  it.effect("dies on a row of another shape", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(Rows.first(Monitor)(Effect.succeed([{ id: 1 }])))
      assert.isTrue(Exit.hasDies(exit))
    })
  )
})

describe("Persisted", () => {
  const state = Persisted.make(Schema.Struct({ status: Schema.String, since: Schema.Number }), [
    { up: ({ state, ...rest }) => ({ ...rest, status: state ?? "pending" }) },
    { up: (older) => ({ since: 0, ...older }) }
  ])

  it("upgrades what older releases stored", () => {
    assert.deepStrictEqual(state.decode({ state: "up" }), { status: "up", since: 0 })
    assert.deepStrictEqual(state.decode({ version: 2, status: "up" }), { status: "up", since: 0 })
  })

  it("reads back what it stores", () => {
    const value = { status: "down", since: 3 }
    assert.deepStrictEqual(state.decode(state.encode(value)), value)
    assert.deepStrictEqual(state.encode(value), { version: 3, ...value })
  })

  it("dies on an unknown shape", () => {
    assert.throws(() => state.decode({ version: 3, status: 1 }))
  })
})
