/** Patterns and queries are a stranger's, and so are the bodies: both stay within time and size. */
import { assert, describe, it } from "@effect/vitest"
import * as JsonQuery from "../src/JsonQuery.ts"
import * as Pattern from "../src/Pattern.ts"

const mebibyte = 1_048_576
/** Far more than it takes, and far less than backtracking would. */
const mostMillis = 10_000

const within = <A>(work: () => A): A => {
  const began = performance.now()
  const result = work()
  assert.isBelow(performance.now() - began, mostMillis)
  return result
}

const nested = (depth: number): unknown =>
  Array.from({ length: depth }).reduce<unknown>((inner) => ({ a: inner, b: inner }), 1)

describe("a pattern", () => {
  it.each(["(a+)+$", "(a|aa)+$", "(a*)*b", "(.*a){12}$"])(
    "%s takes linear time on a body made to hurt it",
    (source) => {
      const pattern = Pattern.compile(source)
      within(() => Pattern.found(pattern, `${"a".repeat(mebibyte - 1)}!`))
    }
  )

  it.each(["a{1000}", "(a{30}){30}", "(?:ab|c)".repeat(100)])("that is too large is refused: %.20s", (source) =>
    assert.throws(() => within(() => Pattern.compile(source)))
  )

  it.each(["(?=a)", "(a)\\1", "(?<!a)b", "("])("that RE2 does not know is refused: %s", (source) =>
    assert.throws(() => Pattern.compile(source))
  )

  it("is found anywhere, or is the whole", () => {
    const pattern = Pattern.compile("o[kK]")
    assert.isTrue(Pattern.found(pattern, "all oK here"))
    assert.isFalse(Pattern.whole(pattern, "all oK here"))
    assert.isTrue(Pattern.whole(pattern, "ok"))
  })
})

describe("a JSON query", () => {
  const find = (path: string, document: unknown) => JsonQuery.values(JsonQuery.compile(path), document)

  it("finds what it asks for", () => {
    assert.deepStrictEqual(
      find("$.checks[?@.ok == true].name", { checks: [{ ok: true, name: "db" }, { ok: false }] }),
      ["db"]
    )
    assert.deepStrictEqual(find("$[?search(@.name, 'd.')].name", [{ name: "db" }, { name: "bus" }]), ["db"])
  })

  it.each(["$..*..*..*..*", "$..[?@..*]", "$..[?count(@..*) > 1]"])(
    "%s gives up on a document made to hurt it",
    (path) => assert.throws(() => within(() => find(path, nested(14))), /too many steps/)
  )

  it("starts to count anew for each document", () => {
    const query = JsonQuery.compile("$..*..*..*..*")
    assert.throws(() => JsonQuery.values(query, nested(14)))
    assert.deepStrictEqual(JsonQuery.values(query, { a: 1 }), [])
  })

  it("runs the document's own patterns without backtracking", () => {
    const text = `${"a".repeat(100_000)}!`
    assert.deepStrictEqual(
      within(() => find("$[?match(@.text, @.pattern)]", [{ text, pattern: "(a+)+" }])),
      []
    )
  })

  it.each(["", "$.", "$[", "checks", "$[?@.a ==]"])("that is none is refused: %j", (path) =>
    assert.throws(() => JsonQuery.compile(path))
  )
})
