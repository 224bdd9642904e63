/** Patterns, queries and bodies are untrusted: time, memory and size stay limited. */
import { assert, describe, it } from "@effect/vitest"
import { BoundedEvaluator } from "@kanmon/core/BoundedEvaluator"
import { Effect } from "effect"
import * as fc from "fast-check"
import { RE2JS } from "re2js"
import * as BodyRules from "../src/BodyRules.ts"
import * as JsonQuery from "../src/JsonQuery.ts"
import * as Pattern from "../src/Pattern.ts"
import * as TextSearch from "@kanmon/core/TextSearch"

/** On texts of this size, what does not take linear time takes hours. */
const mebibyte = 1_048_576

const nested = (depth: number): unknown =>
  Array.from({ length: depth }).reduce<unknown>((inner) => ({ a: inner, b: inner }), 1)

describe("a pattern", () => {
  it.each(["(a+)+$", "(a|aa)+$", "(a*)*b", "(.*a){12}$"])("takes linear time on a hostile body: %s", (source) => {
    const pattern = Pattern.compile(source)
    Pattern.found(pattern, `${"a".repeat(mebibyte - 1)}!`)
  })

  it.each([
    "a{1000}",
    "(a{30}){30}",
    "(?:ab|c)".repeat(100),
    // Compiling any of these would block the process for up to seconds.
    "\\b{1000}".repeat(200),
    "(?:a?){0,1000}".repeat(140),
    `(?:${"abcdefghij".repeat(60)}){999}`,
    "a{999999999}",
    `(?i)${"[a-\\x{10ffff}]".repeat(120)}`,
    `(?i)[${"Ā-\u{1e943}".repeat(400)}]`,
    "[^\\pL]".repeat(280)
  ])("is rejected without compiling when it is large: %.20s", (source) =>
    assert.throws(() => Pattern.compile(source), /too large|more than/)
  )

  it.each([
    "\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}",
    "(?i)status: (ok|up)",
    "[À-ÖØ-öø-ÿ]+",
    "[^\\x00-\\x7F]",
    "\\Qa(b\\E?",
    "[]a]"
  ])("is accepted when it has a usual size: %s", (source) => void Pattern.compile(source))

  it("is never much larger than its estimate", () => {
    const part = fc.constantFrom(
      ..."a b . ^ $ \\d \\pL \\b [a-z] [[:alpha:]] [^]a] ( (?: (?P<n> ) | * + ? {2} {0,30} {33} {1000} {,2} (?i) \\Qab\\E \\x{41} é } \\ [ ]".split(
        " "
      )
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const source = parts.join("")
        const estimate = Pattern.estimate(source)
        fc.pre(estimate < 3000)
        let size = 0
        try {
          size = RE2JS.compile(source).programSize()
        } catch {
          // Not a pattern.
        }
        assert.isAtMost(size, 2 * estimate + 10)
      }),
      { numRuns: 2000 }
    )
  })

  it.each(["(?=a)", "(a)\\1", "(?<!a)b", "("])("is rejected when RE2 does not support it: %s", (source) =>
    assert.throws(() => Pattern.compile(source))
  )

  it("matches anywhere, or the whole text", () => {
    const pattern = Pattern.compile("o[kK]")
    assert.isTrue(Pattern.found(pattern, "all oK here"))
    assert.isFalse(Pattern.whole(pattern, "all oK here"))
    assert.isTrue(Pattern.whole(pattern, "ok"))
  })
})

describe("a text search", () => {
  it("finds what String.includes finds", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "é"), maxLength: 300 })
    fc.assert(
      fc.property(text, text, fc.nat(300), fc.nat(300), (whole, other, from, length) => {
        for (const part of [other, whole.slice(from, from + length), `${whole.slice(from, from + length)}b`])
          assert.strictEqual(TextSearch.includes(whole, part), whole.includes(part))
      })
    )
  })

  it.each([
    ["ab".repeat(mebibyte / 2), `${"ab".repeat(16_000)}bb${"ab".repeat(16_000)}`],
    ["a".repeat(mebibyte), `${"a".repeat(32_767)}b${"a".repeat(32_767)}`],
    ["a".repeat(mebibyte), `${"a".repeat(31)}b`]
  ])("takes linear time on similar texts", (text, part) => assert.isFalse(TextSearch.includes(text, part)))
})

describe("a JSON query", () => {
  const find = (path: string, document: unknown) => JsonQuery.values(JsonQuery.compile(path), document)

  it("selects values", () => {
    assert.deepStrictEqual(
      find("$.checks[?@.ok == true].name", { checks: [{ ok: true, name: "db" }, { ok: false }] }),
      ["db"]
    )
    assert.deepStrictEqual(find("$[?search(@.name, 'd.')].name", [{ name: "db" }, { name: "bus" }]), ["db"])
  })

  it("runs the document's own patterns without backtracking", () => {
    const text = `${"a".repeat(mebibyte)}!`
    assert.deepStrictEqual(find("$[?match(@.text, @.pattern)]", [{ text, pattern: "(a+)+" }]), [])
  })

  it.each(["", "$.", "$[", "checks", "$[?@.a ==]", `$[?${"(".repeat(900)}@.a${")".repeat(900)}]`])(
    "is rejected when it is invalid or nested too deeply: %.20j",
    (path) => assert.throws(() => JsonQuery.compile(path))
  )
})

describe("rules for a body", () => {
  const evaluate = (settings: BodyRules.BodyRules, document: unknown) =>
    Effect.flatMap(BoundedEvaluator, (evaluator) =>
      evaluator.evaluate({
        module: BodyRules.url,
        function: BodyRules.broken,
        settings,
        input: typeof document === "string" ? document : JSON.stringify(document)
      })
    )

  it.effect("are applied to it", () =>
    Effect.gen(function* () {
      const well = { status: "ok", parts: [{ name: "db", up: true }] }
      assert.isNull(
        yield* evaluate({ bodyMatches: '"status":\\s*"ok"', jsonPath: "$.parts[0].up", jsonEquals: true }, well)
      )
      assert.deepInclude(yield* evaluate({ bodyMatches: "nowhere" }, well), {
        code: "body_mismatch",
        message: 'The body does not match "nowhere"'
      })
      assert.deepInclude(yield* evaluate({ jsonPath: "$.status", jsonEquals: "up" }, well), {
        code: "json_mismatch",
        message: '$.status is ""ok""; expected ""up""'
      })
      assert.deepInclude(yield* evaluate({ jsonPath: "$.status" }, "<html>"), {
        code: "json_mismatch",
        message: "The body is not JSON"
      })
    }).pipe(Effect.provide(BoundedEvaluator.layer))
  )

  /** Two values that are equal up to the last of their 20,000 members, and a list that requires comparing them. */
  const like = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key${index}`, index]))
  const alike = { x: like, y: like, l: Array.from({ length: 40_000 }, () => 0) }

  it.effect.each([
    ["$.l[?$.x==$.y]", alike],
    ["$..*..*..*..*", nested(14)]
  ] as const)(
    "are aborted when they are too expensive: %s",
    ([jsonPath, document]) =>
      Effect.gen(function* () {
        assert.strictEqual((yield* Effect.flip(evaluate({ jsonPath }, document))).reason, "too_expensive")
      }).pipe(Effect.provide(BoundedEvaluator.layer)),
    120_000
  )
})
