/** Numbers that a double does not hold: ids of other services. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import * as BodyRules from "../src/BodyRules.ts"
import * as ExactNumber from "../src/ExactNumber.ts"
import { check } from "./Attempt.ts"

const id = "9007199254740993"
const near = "9007199254740992"

const broken = (body: string, rules: BodyRules.BodyRules) => BodyRules.broken(rules, body)?.code ?? "ok"

describe("a number beyond 2^53", () => {
  it.each([
    [`{"id":${id}}`, id, "ok"],
    [`{"id":${near}}`, id, "json_mismatch"],
    [`{"id":"${id}"}`, id, "ok"],
    [`{"id":${id}.0}`, id, "ok"],
    [`{"id":0.1}`, 0.1, "ok"],
    [`{"id":1e2}`, 100, "ok"],
    [`{"id":1e400}`, "1e400", "ok"],
    [`{"id":{"deep":[${id}]}}`, { deep: [id] }, "ok"],
    [`{"id":{"deep":[${near}]}}`, { deep: [id] }, "json_mismatch"],
    [`{"id":5}`, "5", "json_mismatch"]
  ])("is compared by its text: %s with %j", (body, jsonEquals, expected) => {
    assert.strictEqual(broken(body, { jsonPath: "$.id", jsonEquals }), expected)
    const rule = { jsonPath: "$.id", operator: "equals", value: jsonEquals } as const
    assert.strictEqual(broken(body, { jsonAssertions: [rule] }), expected)
  })

  it("is told in full, and compared with bounds and patterns", () => {
    const body = `{"ids":[${id},1]}`
    const failure = BodyRules.broken({ jsonPath: "$.ids[0]", jsonEquals: near }, body)
    assert.include(failure?.message, id)
    for (const [operator, value] of [
      ["greaterThan", 5],
      ["matches", "993$"],
      ["contains", "40993"]
    ] as const)
      assert.strictEqual(broken(body, { jsonAssertions: [{ jsonPath: "$.ids[0]", operator, value }] }), "ok", operator)
    const inList = { jsonPath: "$.ids", operator: "contains" } as const
    assert.strictEqual(broken(body, { jsonAssertions: [{ ...inList, value: id }] }), "ok")
    assert.strictEqual(broken(body, { jsonAssertions: [{ ...inList, value: near }] }), "json_mismatch")
  })

  it("has to be expected as a text, because a request rounds it", () => {
    const paths = (config: object) => {
      const found = check.normalize({ url: "https://a.example/", ...config })
      return Result.isFailure(found) ? found.failure.errors.map(({ path }) => path) : []
    }
    const rule = { jsonPath: "$.id", operator: "equals" }
    assert.deepStrictEqual(paths({ jsonPath: "$.id", jsonEquals: Number(id) }), ["jsonEquals"])
    assert.deepStrictEqual(paths({ jsonPath: "$.id", jsonEquals: id }), [])
    assert.deepStrictEqual(paths({ jsonAssertions: [{ ...rule, value: { a: [Number(id)] } }] }), [
      "jsonAssertions[0].value"
    ])
    assert.deepStrictEqual(paths({ jsonAssertions: [{ ...rule, operator: "greaterThan", value: 1e300 }] }), [])
  })
})

/** The whole number that the shortest text of a double stands for, as programs print it. */
const shortest = (value: number): bigint => {
  const [digits = "", exponent = "0"] = String(value).split("e")
  const [integer = "", fraction = ""] = digits.split(".")
  return BigInt(integer + fraction) * 10n ** BigInt(Number(exponent) - fraction.length)
}

describe("the text of a number", () => {
  it("is the same for every notation, and differs for every number", () => {
    const digits = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n })
    fc.assert(
      fc.property(digits, digits, fc.nat(5), (one, other, zeros) => {
        const written = ExactNumber.canonical(String(one))
        assert.strictEqual(ExactNumber.canonical(`${one}.${"0".repeat(zeros + 1)}`), written)
        assert.strictEqual(ExactNumber.canonical(`${one}${"0".repeat(zeros)}e-${zeros}`), written)
        assert.strictEqual(written === ExactNumber.canonical(String(other)), one === other)
        assert.strictEqual(ExactNumber.isHeld(String(one), Number(one)), shortest(Number(one)) === one)
      })
    )
  })

  it("is only kept where a double does not hold it", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value)
        const parsed = ExactNumber.parse(text)
        if (parsed !== undefined) assert.isTrue(ExactNumber.equal(parsed, JSON.parse(text)))
      })
    )
  })
})
