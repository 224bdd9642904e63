import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { reason } from "@kanmon/domain/Reason"
import { english } from "@kanmon/domain/ReasonsEnglish"
import { sentence } from "@kanmon/domain/ReasonText"
import * as ResponseParser from "../src/ResponseParser.ts"

const wordsOf = (objection: ResponseParser.Objection): string | undefined =>
  objection.kind === "switched"
    ? ""
    : objection.kind === "too_large"
      ? reason("header_too_large", { host: "it", ...objection.amount }).message
      : sentence(english, objection.detail)

interface Read {
  readonly heads: ReadonlyArray<ResponseParser.Head>
  readonly body: string
  readonly ended: boolean
  readonly refused: ResponseParser.Objection["kind"] | undefined
  readonly complete: boolean
}

interface Objected extends Read {
  readonly detail: string | undefined
  readonly partial: ResponseParser.Head | undefined
}

/** The events for these pieces until the server closes the connection. */
const readAll = (pieces: ReadonlyArray<Buffer>, hasBody = true): Objected => {
  const heads: Array<ResponseParser.Head> = []
  const chunks: Array<Buffer> = []
  let ended = false
  let refused: ResponseParser.Objection | undefined
  const parser = ResponseParser.make(hasBody, {
    head: (head) => void heads.push(head),
    data: (chunk, from, until) => void chunks.push(Buffer.from(chunk.subarray(from, until))),
    end: () => void (ended = true),
    refuse: (objection) => void (refused = objection)
  })
  for (const piece of pieces) parser.push(piece)
  const complete = parser.close()
  return {
    heads,
    body: Buffer.concat(chunks).toString("latin1"),
    ended,
    refused: refused?.kind,
    detail: refused === undefined ? undefined : wordsOf(refused),
    complete,
    partial: parser.partial()
  }
}

/** The same without what depends on where the connection cuts the response. */
const read = (pieces: ReadonlyArray<Buffer>, hasBody = true): Read => {
  const { body, complete, ended, heads, refused } = readAll(pieces, hasBody)
  return { heads, body, ended, refused, complete }
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
    assert.strictEqual(heads[0]!.statusText, "Sch\xc3\xb6n")
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

  it.each<readonly [ReadonlyArray<string>, string]>([
    [["HTTP/1.1 200 OK", "content-length: 5", "Content-Length: 5", "", "hello and"], "hello"],
    [["HTTP/1.1 200 OK", "content-length: 5, 05", "", "hello and"], "hello"],
    [["HTTP/1.1 200 OK", "content-length: 2", "transfer-encoding: chunked", "", "5", "hello", "0", "", "x"], "hello"],
    [["HTTP/1.1 200 OK", "transfer-encoding: chunked", "content-length: no", "", "5", "hello", "0", "", ""], "hello"],
    [["HTTP/1.1 200 OK", "transfer-encoding: identity", "content-length: 5", "", "hello and"], "hello"],
    [["HTTP/1.1 200 OK", "transfer-encoding: Identity", "", "until the end"], "until the end"],
    [
      ["HTTP/1.1 200 OK", "transfer-encoding: chunked", "", "5 \t", "hello", "00 ;x", "t: 1", " folded", "", ""],
      "hello"
    ],
    [["HTTP/1.1 200 OK", "transfer-encoding: chunked", "", '5 ; a="\x01;"', "hello", "0", "", ""], "hello"],
    [["HTTP/1.1 200 OK\nx: y\ncontent-length: 5\n\nhello"], "hello"],
    [["HTTP/1.1 200 OK\ntransfer-encoding: chunked\n\n5\nhello\n0\nt: 1\n\n"], "hello"],
    [[" \tHTTP/1.1\t 200 \t OK ", " not a header", "content-length: 5", "", "hello"], "hello"],
    [["HTTP/1.7 200 OK", "content-length : 5", "", "hello"], "hello"]
  ])("is read where a recipient may be lenient: %j", (lines, expected) =>
    assert.strictEqual(body(...lines), expected, JSON.stringify(readAll(of(...lines))))
  )

  it("has folded headers, odd names and control characters in its values", () => {
    const { heads } = read(
      of("HTTP/1.1 200 OK", "a: 1", "  2", "\t", "\t3 ", "b:", " c", "d\xe4(: \x01\x7f", "e: f\rg: h", "i\t: j", "", "")
    )
    assert.deepStrictEqual(heads[0]!.headers, {
      a: ["1 2 3"],
      b: ["c"],
      "d\xe4(": ["\x01\x7f"],
      e: ["f g: h"],
      i: ["j"]
    })
  })

  it.each<readonly [ResponseParser.Objection["kind"], ReadonlyArray<string>, string]>([
    ["not_http", ["SSH-2.0-OpenSSH_9", ""], 'its first line is "SSH-2.0-OpenSSH_9"'],
    ["not_http", ["ICY 200 OK"], 'its first line begins with "ICY 200 OK"'],
    ["not_http", ["http/1.1 200 OK", ""], "http/1.1 200"],
    ["not_http", ["HTTP/1.1 20 OK", ""], "HTTP/1.1 20 OK"],
    ["not_http", ["HTTP/1.1 099 X", ""], "099"],
    ["not_http", ["HTTP/1.1 2000 X", ""], "2000"],
    ["not_http", ["HTTP/3.0 200 X", ""], "HTTP/3.0"],
    ["malformed", ["HTTP/1.1 200 OK", "a: b", "just words", ""], 'header line 2, "just words", has no colon'],
    ["malformed", ["HTTP/1.1 200 OK", ": b", ""], "no name"],
    ["malformed", ["HTTP/1.1 200 OK", "a\x01: b", ""], "control character in its name"],
    ["malformed", ["HTTP/1.1 200 OK", "set-cookie: se\0cret", ""], 'header line 1, "set-cookie: …", contains a NUL'],
    ["malformed", ["HTTP/1.1 200 OK", "content-length: 5", "content-length: 6", "", ""], 'Content-Length is "5, 6"'],
    ["malformed", ["HTTP/1.1 200 OK", "content-length: -1", "", ""], 'Content-Length is "-1"'],
    ["malformed", ["HTTP/1.1 200 OK", "content-length:", "", ""], 'Content-Length is ""'],
    ["malformed", ["HTTP/1.1 200 OK", "transfer-encoding: chunked", "", "five", ""], 'a chunk has the size "five"'],
    ["malformed", ["HTTP/1.1 200 OK", "transfer-encoding: chunked", "", "0x5", ""], '"0x5"'],
    ["malformed", ["HTTP/1.1 200 OK", "transfer-encoding: chunked", "", "00000000000000005", ""], '"0000'],
    ["malformed", ["HTTP/1.1 200 OK", "transfer-encoding: chunked", "", "5", "hello!", ""], "longer than its size"],
    ["malformed", ["HTTP/1.1 200 OK", "transfer-encoding: chunked", "", "0", "no trailer", ""], "trailer line 1"],
    ["switched", ["HTTP/1.1 101 Switching Protocols", "", ""], ""],
    ["too_large", ["HTTP/1.1 200 OK", `x: ${"y".repeat(66_000)}`], "64 KiB"],
    [
      "too_large",
      ["HTTP/1.1 200 OK", ...Array.from({ length: 700 }, () => `x: ${"y".repeat(100)}`)],
      "64 KiB of headers"
    ],
    [
      "too_large",
      ["HTTP/1.1 200 OK", ...Array.from({ length: 30 }, () => `x:${" ".repeat(3000)}`)],
      "64 KiB of headers"
    ],
    ["too_large", ["HTTP/1.1 200 OK", ...Array.from({ length: 1002 }, () => " ")], "1000 lines of headers"],
    [
      "too_large",
      ["HTTP/1.1 200 OK", "transfer-encoding: chunked", "", "0", ...Array.from({ length: 1002 }, () => "a: b")],
      "1000 lines of trailers"
    ],
    [
      "too_large",
      [
        "HTTP/1.1 200 OK",
        "transfer-encoding: chunked",
        "",
        ...Array.from({ length: 200 }, () => [`1;${"x".repeat(100)}`, "x"]).flat()
      ],
      "16 KiB of chunk extensions"
    ],
    ["too_large", [`HTTP/1.1 103 Hints`, `x: ${"y".repeat(66_000)}`], "64 KiB of interim responses"],
    ["too_large", ["HTTP/1.1 100 Continue\r\n\r\n".repeat(101)], "100 interim responses"]
  ])("is refused as %s because of %.60j", (kind, lines, detail) => {
    const found = readAll(of(...lines))
    assert.strictEqual(found.refused, kind, lines.join("|").slice(0, 200))
    assert.include(found.detail!, detail)
    assert.isBelow(found.detail!.length, 300)
  })

  it("is kept as far as it came when it is refused", () => {
    const { partial } = readAll(of("HTTP/1.1 502 Bad", "a: b", "c: d", "what?", ""))
    assert.deepStrictEqual(partial, { status: 502, statusText: "Bad", headers: { a: ["b"], c: ["d"] } })
  })

  it("is read the same, wherever the connection cuts it", () => {
    const line = fc.constantFrom(
      "HTTP/1.1 200 OK",
      "HTTP/1.1 100 Continue",
      "content-length: 3",
      "content-length: 3\nx : y",
      " folded",
      "3 ;x",
      "\r",
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
