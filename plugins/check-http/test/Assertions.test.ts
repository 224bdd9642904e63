import { assert, describe, it } from "@effect/vitest"
import * as Targets from "@kanmon/testkit/Targets"
import { Effect, Result } from "effect"
import * as fc from "fast-check"
import { type Assertion, type Operator, operators, violation } from "../src/Assertions.ts"
import { attempt, check } from "./Attempt.ts"

const holds = (operator: Operator, value: unknown, ...found: ReadonlyArray<unknown>): boolean =>
  violation({ operator, value }, found) === undefined

describe("an assertion", () => {
  it.each([
    ["equals", 5, 5, true],
    ["equals", 5, "5", false],
    ["equals", { a: [1] }, { a: [1] }, true],
    ["notEquals", "down", "up", true],
    ["notEquals", "up", "up", false],
    ["contains", "ok", "all ok", true],
    ["contains", 2, [1, 2], true],
    ["contains", "key", { key: null }, true],
    ["contains", "toString", {}, false],
    ["notContains", "error", "all ok", true],
    ["matches", "^v\\d+$", "v12", true],
    ["matches", "^v\\d+$", "12", false],
    ["matches", "^1", 12, true],
    ["greaterThan", 5, 6, true],
    ["greaterThan", 5, 5, false],
    ["greaterThanOrEqual", 5, "5", true],
    ["lessThan", 5, "many", false],
    ["lessThan", 5, null, false],
    ["lessThanOrEqual", 0.5, "1e-3", true],
    ["exists", undefined, null, true],
    ["notExists", undefined, 1, false]
  ] as const)("%s %j: %j is %s", (operator, value, found, expected) =>
    assert.strictEqual(holds(operator, value, found), expected)
  )

  it("needs one of several values; a negated one needs all", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1 }), fc.nat(5), (found, value) => {
        assert.strictEqual(holds("equals", value, ...found), found.includes(value))
        assert.strictEqual(holds("notEquals", value, ...found), !found.includes(value))
        assert.strictEqual(
          holds("greaterThan", value, ...found),
          found.some((one) => one > value)
        )
        assert.strictEqual(
          holds("lessThanOrEqual", value, ...found),
          found.some((one) => one <= value)
        )
        assert.strictEqual(holds("contains", value, found), found.includes(value))
        assert.strictEqual(holds("notContains", value, found), !found.includes(value))
      })
    )
  })

  it("fails without any value, unless there must be none", () => {
    for (const operator of operators) assert.strictEqual(holds(operator, "1"), operator === "notExists")
  })

  it("evaluates any JSON that it accepts", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...operators),
        fc.option(fc.jsonValue(), { nil: undefined }),
        fc.jsonValue(),
        (operator, value, found) => {
          const assertion: Assertion = value === undefined ? { operator } : { operator, value }
          // Its regular expression is judged with the monitor, in the evaluator.
          const isAccepted = pathsOf({ jsonAssertions: [{ jsonPath: "$", ...assertion }] }).length === 0
          if (isAccepted) assert.notStrictEqual(violation(assertion, [found]), "missing")
        }
      ),
      {
        examples: [
          ["matches", "(", {}],
          ["matches", "(a|b)+", "ab"]
        ]
      }
    )
  })
})

const pathsOf = (config: object): ReadonlyArray<string> => {
  const result = check.normalize({ url: "https://shop.example/", ...config })
  return Result.isFailure(result) ? result.failure.errors.map(({ path }) => path) : []
}

describe("the assertions of an http monitor", () => {
  it.each([
    [{ jsonAssertions: [{ jsonPath: "$.a", operator: "exists" }] }, []],
    [{ jsonAssertions: [{ jsonPath: "$[", operator: "exists" }] }, ["jsonAssertions[0].jsonPath"]],
    [{ jsonAssertions: [{ jsonPath: "$.a", operator: "equals" }] }, ["jsonAssertions[0].value"]],
    [{ jsonAssertions: [{ jsonPath: "$.a", operator: "exists", value: 1 }] }, ["jsonAssertions[0].value"]],
    [{ jsonAssertions: [{ jsonPath: "$.a", operator: "lessThan", value: "1" }] }, ["jsonAssertions[0].value"]],
    [{ headerAssertions: [{ header: "x", operator: "matches", value: "(" }] }, ["headerAssertions[0].value"]],
    [{ headerAssertions: [{ header: "x y", operator: "exists" }] }, ["headerAssertions[0].header"]],
    [{ jsonAssertions: Array.from({ length: 21 }, () => ({ jsonPath: "$", operator: "exists" })) }, ["jsonAssertions"]],
    [{ method: "HEAD", jsonAssertions: [{ jsonPath: "$.a", operator: "exists" }] }, ["method"]],
    [{ method: "HEAD", headerAssertions: [{ header: "x", operator: "exists" }] }, []]
  ])("are accepted, or the invalid field is named: %j %j", (config, paths) =>
    assert.deepStrictEqual(pathsOf(config), paths)
  )

  it.live("compare the JSON of the body", () =>
    Effect.gen(function* () {
      const body = JSON.stringify({ status: "ok", queue: 12, nodes: [{ up: true }, { up: false }] })
      const { port } = yield* Targets.http(Targets.answer({ body }))
      const failed = (...jsonAssertions: ReadonlyArray<object>) =>
        Effect.map(attempt(port, { jsonAssertions }), ({ failure }) => failure)
      const good = [
        { jsonPath: "$.status", operator: "equals", value: "ok" },
        { jsonPath: "$.queue", operator: "lessThan", value: 100 },
        { jsonPath: "$.error", operator: "notExists" }
      ]
      assert.isNull(yield* failed(...good))
      assert.deepInclude(yield* failed(...good, { jsonPath: "$.nodes[*].up", operator: "notEquals", value: false }), {
        code: "json_mismatch",
        message: '$.nodes[*].up is "false"; expected anything but "false"'
      })
      assert.deepInclude(yield* failed({ jsonPath: "$.queue", operator: "greaterThan", value: 20 }), {
        code: "json_mismatch",
        message: "$.queue is 12; expected more than 20"
      })
      assert.include((yield* failed({ jsonPath: "$.gone", operator: "exists" }))!.message, "selects nothing")
    }).pipe(Effect.scoped)
  )

  it.live("compare the headers of the response", () =>
    Effect.gen(function* () {
      const headers = {
        "X-Cache": "HIT",
        "set-cookie": ["a=1", "b=2"],
        age: "17",
        "strict-transport-security": "max-age=5"
      }
      const { port } = yield* Targets.http(Targets.answer({ headers, body: "" }))
      const failed = (...headerAssertions: ReadonlyArray<object>) =>
        Effect.map(attempt(port, { headerAssertions }), ({ failure }) => failure)
      const good = [
        { header: "x-cache", operator: "equals", value: "HIT" },
        { header: "Set-Cookie", operator: "equals", value: "b=2" },
        { header: "Age", operator: "lessThan", value: 60 },
        { header: "age", operator: "equals", value: 17 },
        { header: "x-powered-by", operator: "notExists" },
        { header: "strict-transport-security", operator: "matches", value: "max-age=\\d+" }
      ]
      assert.isNull(yield* failed(...good))
      assert.deepInclude(yield* failed({ header: "X-Cache", operator: "notContains", value: "HIT" }), {
        code: "header_mismatch",
        message: 'The header X-Cache is "HIT"; expected no value that contains "HIT"'
      })
      assert.deepInclude(yield* failed({ header: "ETag", operator: "matches", value: "." }), {
        code: "header_mismatch",
        message: "The header ETag is missing"
      })
    }).pipe(Effect.scoped)
  )
})
