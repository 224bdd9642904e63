import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as fc from "fast-check"
import * as JsonTexts from "../../src/accounts/JsonTexts.ts"

const record = fc.dictionary(fc.string(), fc.jsonValue())
const lists = fc.dictionary(fc.string(), fc.array(record))
const texts = (all: ReadonlyArray<unknown>) => all.map((one) => JSON.stringify(one))

describe("JsonTexts", () => {
  it.effect("writes the document that its parts make", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(record, lists, fc.array(record), async (account, owned, sessions) => {
          const text = await Effect.runPromise(
            JsonTexts.written({
              account: JSON.stringify(account),
              sessions: texts(sessions),
              owned: Object.fromEntries(Object.entries(owned).map(([kind, all]) => [kind, texts(all)]))
            })
          )
          const expected = JSON.parse(JSON.stringify({ account, sessions, owned }))
          assert.deepStrictEqual(JSON.parse(text), expected)
        })
      )
    )
  )

  it.effect("lets others have a turn while it writes a large one", () =>
    Effect.gen(function* () {
      const one = JSON.stringify({ name: "x".repeat(1000) })
      let turns = 0
      const others = yield* Effect.forkChild(
        Effect.forever(
          Effect.andThen(
            Effect.yieldNow,
            Effect.sync(() => turns++)
          )
        ),
        { startImmediately: true }
      )
      const text = yield* JsonTexts.written({ owned: { monitors: Array.from({ length: 5_000 }, () => one) } })
      yield* Fiber.interrupt(others)
      assert.isAbove(turns, text.length / 131_072)
    })
  )
})
