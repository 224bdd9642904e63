import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as ResponseParser from "../src/ResponseParser.ts"

interface Read {
  readonly heads: ReadonlyArray<ResponseParser.Head>
  readonly body: string
  readonly ended: boolean
  readonly refused: ResponseParser.Objection | undefined
  readonly complete: boolean
}

/** What is read of these pieces before the server closes the connection. */
const read = (pieces: ReadonlyArray<Buffer>, hasBody = true): Read => {
  const heads: Array<ResponseParser.Head> = []
  const chunks: Array<Buffer> = []
  let ended = false
  let refused: ResponseParser.Objection | undefined
  const parser = ResponseParser.make(hasBody, {
    head: (head) => void heads.push(head),
    data: (chunk) => void chunks.push(chunk),
    end: () => void (ended = true),
    refuse: (objection) => void (refused = objection)
  })
  for (const piece of pieces) parser.push(piece)
  const complete = parser.close()
  return { heads, body: Buffer.concat(chunks).toString("latin1"), ended, refused, complete }
}

const bytes = (text: string): Buffer => Buffer.from(text, "latin1")
const of = (...lines: ReadonlyArray<string>): ReadonlyArray<Buffer> => [bytes(lines.join("\r\n"))]
const body = (...lines: ReadonlyArray<string>): string | undefined => {
  const found = read(of(...lines))
  return found.ended ? found.body : undefined
}

describe("a response", () => {
  it("ends where its headers say", () => {
    assert.strictEqual(body("HTTP/1.1 200 OK", "content-length: 5", "", "hello and more"), "hello")
    assert.strictEqual(body("HTTP/1.1 200 OK", "Content-Length:5 \t", "", "hello"), "hello")
    assert.strictEqual(body("HTTP/1.1 200 OK", "content-length: 0", "", "x"), "")
    assert.strictEqual(body("HTTP/1.0 200", "", "until the end"), "until the end")
    assert.strictEqual(body("HTTP/1.1 204 No Content", "content-length: 5", "", "hello"), "")
    assert.strictEqual(
      body(
        "HTTP/1.1 200 OK",
        "transfer-encoding: chunked",
        "",
        "5;a=b",
        "hello",
        "A",
        "0123456789",
        "0",
        "t: 1",
        "",
        "x"
      ),
      "hello0123456789"
    )
    assert.strictEqual(body("HTTP/1.1 200 OK", "transfer-encoding: gzip", "", "5"), "5")
    assert.isTrue(read(of("HTTP/1.1 200 OK", "content-length: 5", "", ""), false).ended)
  })

  it("is incomplete when the connection closes before its end", () => {
    for (const lines of [
      [""],
      ["HTTP/1."],
      ["HTTP/1.1 200 OK", "a: b"],
      ["HTTP/1.1 200 OK", "content-length: 5", "", "hell"],
      ["HTTP/1.1 200 OK", "transfer-encoding: chunked", "", "5", "hell"],
      ["HTTP/1.1 200 OK", "transfer-encoding: chunked", "", "5", "hello", "0", ""],
      ["HTTP/1.1 100 Continue", "", ""]
    ]) {
      const { complete, ended, refused } = read(of(...lines))
      assert.deepStrictEqual([complete, ended, refused], [false, false, undefined], lines.join("|"))
    }
  })

  it("keeps the values of a header that is sent several times, and names in lower case", () => {
    const { heads } = read(
      of("HTTP/1.1 200 Sch\xc3\xb6n", "Set-Cookie: a", "SET-COOKIE:b", "__proto__: c", "x:", "", "")
    )
    assert.strictEqual(heads[0]!.statusText, "Sch\u00f6n")
    assert.deepStrictEqual(Object.entries(heads[0]!.headers), [
      ["set-cookie", ["a", "b"]],
      ["__proto__", ["c"]],
      ["x", [""]]
    ])
  })

  it("comes after interim responses and empty lines", () => {
    const { heads } = read(
      of("", "HTTP/1.1 100 Continue", "", "HTTP/1.1 103 Hints", "link: a", "", "HTTP/1.1 404 No", "", "")
    )
    assert.deepStrictEqual(
      heads.map(({ headers, status }) => [status, headers]),
      [[404, {}]]
    )
  })

  it.each([
    ["not_http", ["SSH-2.0-OpenSSH_9", ""]],
    ["not_http", ["HTTP/1.1 20 OK", ""]],
    ["not_http", ["HTTP/1.1 099 X", ""]],
    ["not_http", ["HTTP/1.1 200 OK\nx: y", ""]],
    ["not_http", ["HTTP/1.1 200 OK", "x : y", ""]],
    ["not_http", ["HTTP/1.1 200 OK", "x: y", " folded", ""]],
    ["not_http", ["HTTP/1.1 200 OK", "x: \u0001", ""]],
    ["not_http", ["HTTP/1.1 200 OK", "content-length: 5", "content-length: 5", "", ""]],
    ["not_http", ["HTTP/1.1 200 OK", "content-length: 5", "transfer-encoding: chunked", "", ""]],
    ["not_http", ["HTTP/1.1 200 OK", "content-length: -1", "", ""]],
    ["not_http", ["HTTP/1.1 200 OK", "transfer-encoding: chunked", "", "five", ""]],
    ["not_http", ["HTTP/1.1 200 OK", "transfer-encoding: chunked", "", "5", "hello!", ""]],
    ["switched", ["HTTP/1.1 101 Switching Protocols", "", ""]],
    ["headers_too_large", ["HTTP/1.1 200 OK", `x: ${"y".repeat(66_000)}`]],
    ["headers_too_large", ["HTTP/1.1 200 OK", ...Array.from({ length: 700 }, () => `x: ${"y".repeat(100)}`)]],
    ["interim_too_large", [`HTTP/1.1 103 Hints`, `x: ${"y".repeat(66_000)}`]],
    ["interim_too_large", ["HTTP/1.1 100 Continue\r\n\r\n".repeat(3000)]]
  ] as const)("is refused as %s", (objection, lines) =>
    assert.strictEqual(read(of(...lines)).refused, objection, lines.join("|").slice(0, 200))
  )

  it("is read the same, wherever the connection cuts it", () => {
    const line = fc.constantFrom(
      "HTTP/1.1 200 OK",
      "HTTP/1.1 100 Continue",
      "content-length: 3",
      "transfer-encoding: chunked",
      "x: y",
      "",
      "3",
      "abc",
      "0",
      "what?"
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.array(fc.nat(200), { maxLength: 8 }), (lines, cuts) => {
        const whole = bytes(["HTTP/1.1 200 OK", ...lines].join("\r\n"))
        const at = [...new Set([0, ...cuts.filter((cut) => cut < whole.length), whole.length])].toSorted(
          (a, b) => a - b
        )
        const pieces = at.slice(1).map((end, index) => whole.subarray(at[index], end))
        assert.deepStrictEqual(read(pieces), read([whole]))
      })
    )
  })
})
