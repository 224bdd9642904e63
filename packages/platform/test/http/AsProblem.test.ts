/** Types are half of this test: `npm run check:types` fails if a code is lost. */
import { assert, describe, it } from "@effect/vitest"
import { InvalidFields } from "@kanmon/domain/FieldErrors"
import { notFound, Problem } from "@kanmon/protocol/Problem"
import { Data, Effect } from "effect"
import { asProblem } from "../../src/http/AsProblem.ts"

class Missing extends Data.TaggedError("Missing")<{ readonly what: string }> {}
class Unlisted extends Data.TaggedError("Unlisted")<{}> {}

const answered = asProblem({ Missing: ({ what }: Missing) => notFound(what) })

/** Takes what only fails with a conflict. */
const conflicting = (effect: Effect.Effect<never, Problem<"conflict">>) => effect

describe("the errors of a feature as problems", () => {
  it.effect("have the codes that the table gives them, and only those", () =>
    Effect.gen(function* () {
      const effect: Effect.Effect<never, Problem<"not_found">> = answered(Effect.fail(new Missing({ what: "page" })))
      const { code, detail } = yield* Effect.flip(effect)
      assert.deepStrictEqual({ code, detail }, { code: "not_found", detail: "There is no such page here" })
      // @ts-expect-error: it fails with another code
      conflicting(effect)
    })
  )

  it.effect("name the invalid fields", () =>
    Effect.gen(function* () {
      const errors = [{ path: "name", message: "Required" }]
      const effect: Effect.Effect<never, Problem<"validation_failed">> = answered(
        Effect.fail(new InvalidFields({ errors }))
      )
      const problem = yield* Effect.flip(effect)
      assert.strictEqual(problem.code, "validation_failed")
      assert.deepStrictEqual(problem.errors, errors)
    })
  )

  it.effect("leave problems and unlisted errors as they are", () =>
    Effect.gen(function* () {
      const problem = new Problem({ code: "rate_limited", detail: "Wait" })
      const kept: Effect.Effect<never, Problem<"rate_limited">> = answered(Effect.fail(problem))
      assert.strictEqual(yield* Effect.flip(kept), problem)
      const unlisted: Effect.Effect<never, Unlisted> = answered(Effect.fail(new Unlisted()))
      assert.strictEqual((yield* Effect.flip(unlisted))._tag, "Unlisted")
    })
  )
})
