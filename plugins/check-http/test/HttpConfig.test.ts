import { assert, describe, it } from "@effect/vitest"
import * as Inversion from "@kanmon/core/Inversion"
import * as Targets from "@kanmon/testkit/Targets"
import { Effect, Result } from "effect"
import { attempt, check } from "./Attempt.ts"

const url = "https://shop.example/"
const refusals = (config: object): ReadonlyArray<string> => {
  const result = check.normalize({ url, ...config })
  return Result.isFailure(result) ? result.failure.errors.map(({ path }) => path) : []
}

describe("the fields of an http monitor", () => {
  it.each([
    [{ bodyNotContains: "Fatal error" }, []],
    [{ bodyNotContains: "" }, ["bodyNotContains"]],
    [{ method: "HEAD", bodyNotContains: "x" }, ["method"]],
    [{ invert: true }, []],
    [{ invert: "yes" }, ["invert"]],
    [{ invert: true, degradedThreshold: 500 }, ["degradedThreshold"]],
    [{ invert: false, degradedThreshold: 500 }, []]
  ])("are accepted, or the invalid one is named: %j %j", (config, paths) =>
    assert.deepStrictEqual(refusals(config), paths)
  )
})

describe("bodyNotContains", () => {
  it.live("fails the check only when the text is present", () =>
    Effect.gen(function* () {
      const { port } = yield* Targets.http(Targets.answer({ body: "all well but for a Fatal error" }))
      const { failure, status } = yield* attempt(port, { bodyNotContains: "Fatal error" })
      assert.deepStrictEqual([status, failure?.code], ["down", "body_mismatch"])
      assert.include(failure!.message, '"Fatal error"')
      assert.strictEqual((yield* attempt(port, { bodyNotContains: "fatal Error" })).status, "up")
      assert.strictEqual((yield* attempt(port, { bodyContains: "well", bodyNotContains: "ill" })).status, "up")
    }).pipe(Effect.scoped)
  )
})

describe("invert", () => {
  it.live("makes a target that answers down, and one that does not, or not as expected, up", () =>
    Effect.gen(function* () {
      const inverted = (port: number, more: object = {}) => {
        const config = { url: `http://127.0.0.1:${port}/`, invert: true, ...more }
        return Effect.map(attempt(port, config), (found) => Inversion.apply(check, config, { checkedAt: 0, ...found }))
      }
      const { port } = yield* Targets.http(Targets.answer({ status: 200 }))
      const answered = yield* inverted(port)
      assert.deepStrictEqual([answered.status, answered.failure?.code], ["down", "unexpected_success"])
      assert.include(answered.failure!.message, "answered 200")
      assert.isNumber(answered.responseTime)
      const elsewise = yield* inverted(port, { expectedStatus: 404 })
      assert.deepInclude(elsewise, { status: "up", failure: null })
      assert.strictEqual((yield* inverted(yield* Targets.refusing)).status, "up")
      assert.strictEqual((yield* inverted((yield* Targets.http(Targets.hang)).port)).status, "up")
      const garbled = yield* Targets.http(Targets.answer({ headers: { "content-encoding": "gzip" }, body: "no gzip" }))
      assert.strictEqual((yield* inverted(garbled.port, { bodyContains: "x" })).failure?.code, "body_undecodable")
    }).pipe(Effect.scoped)
  )
})
