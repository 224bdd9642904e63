/**
 * Responses cost time in proportion to their size, in every position of a response and in every shape: measured as the
 * CPU time of this thread, relative to an ordinary response of the same size.
 */
import { assert, describe, it } from "@effect/vitest"
import { mapTexts } from "@kanmon/domain/Reason"
import { Effect, Schema } from "effect"
import * as Assertions from "../src/Assertions.ts"
import * as BodyRules from "../src/BodyRules.ts"
import * as BodyText from "../src/BodyText.ts"
import * as Capture from "../src/Capture.ts"
import * as Digest from "../src/Digest.ts"
import type { Response } from "../src/Exchange.ts"
import * as HeaderText from "../src/HeaderText.ts"
import { HttpConfig } from "../src/HttpConfig.ts"
import * as Redirect from "../src/Redirect.ts"
import * as ResponseParser from "../src/ResponseParser.ts"

/** The largest that passes: with a name, a line break and the other lines it is just below the limit of all headers. */
const largest = ResponseParser.headerLimit - 2000

const fill = (part: string, size = largest): string => part.repeat(Math.ceil(size / part.length)).slice(0, size)

const shapes: Readonly<Record<string, string>> = {
  blanks: fill(" "),
  tabs: fill("\t"),
  "blanks and a control character": `${fill(" ", largest - 1)}\x01`,
  "blanks in the middle": `a${fill(" ", largest - 2)}b`,
  "blanks and tabs by turns": fill(" \t"),
  "carriage returns": fill("\r"),
  semicolons: fill(";"),
  "semicolons and blanks": fill("; "),
  "parameters without a value": fill(";charset="),
  "parameters with blanks": `text/html;${fill(" ", largest / 2)}charset${fill(" ", largest / 2 - 30)}=`,
  commas: fill(","),
  "commas and blanks": fill(" , "),
  "equals signs": fill("="),
  "unclosed quotes": fill('a="'),
  backslashes: fill('a="\\\\'),
  "digits without an end": fill("1"),
  "digits and a letter": `${fill("1", largest - 1)}x`,
  "points and digits": fill("1."),
  "opening brackets": fill("<("),
  "tags without an end": fill("<meta "),
  tokens: fill("a "),
  "digest challenges": fill('Digest nonce="a", '),
  "bytes that are not ASCII": fill("\xc3\xbc"),
  "bytes that are not UTF-8": fill("\xfc"),
  "percent signs": fill("%"),
  slashes: fill("/"),
  dots: fill("../"),
  "a long host": `http://${fill("\xc3\xbc", largest - 10)}`,
  "at signs": `http://${fill("a@", largest - 10)}`,
  "percent-encoding": fill("%c3%bc"),
  "the secret, nearly": fill("secret-secret-secre_")
}

/** Where a shape is put, with the rest of the response. */
const positions: Readonly<Record<string, (shape: string) => string>> = {
  ...Object.fromEntries(
    [
      "x",
      "content-type",
      "content-encoding",
      "location",
      "www-authenticate",
      "set-cookie",
      "retry-after",
      "etag",
      "transfer-encoding",
      "content-length"
    ].map((name) => [name, (shape: string) => `HTTP/1.1 302 Found\r\n${name}: ${shape}\r\n\r\nhello`])
  ),
  "the reason": (shape) => `HTTP/1.1 200 ${shape}\r\n\r\nhello`,
  "before the status": (shape) => `HTTP/1.1 ${shape} 200 OK\r\n\r\nhello`,
  "the first line": (shape) => `${shape}\r\n\r\n`,
  "a name": (shape) => `HTTP/1.1 200 OK\r\n${shape}: x\r\n\r\nhello`,
  "a line without a colon": (shape) => `HTTP/1.1 200 OK\r\n${shape}\r\n\r\nhello`,
  "before a colon": (shape) => `HTTP/1.1 200 OK\r\nx${shape}: x\r\n\r\nhello`,
  "a folded line": (shape) => `HTTP/1.1 200 OK\r\nx: y\r\n ${shape}\r\n\r\nhello`,
  "many lines": (shape) =>
    `HTTP/1.1 200 OK\r\n${(shape.match(/[^]{1,62}/g) ?? [])
      .slice(0, 900)
      .map((part) => `x: ${part}\r\n`)
      .join("")}\r\nhello`,
  "many folded lines": (shape) =>
    `HTTP/1.1 200 OK\r\nx: y\r\n${(shape.match(/[^]{1,62}/g) ?? [])
      .slice(0, 900)
      .map((part) => ` ${part}\r\n`)
      .join("")}\r\nhello`,
  "an interim response": (shape) => `HTTP/1.1 103 Hints\r\nlink: ${shape}\r\n\r\nHTTP/1.1 200 OK\r\n\r\nhello`,
  "a trailer": (shape) => `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\nx: ${shape}\r\n\r\n`,
  "the size of a chunk": (shape) => `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${shape}\r\n`,
  "the extension of a chunk": (shape) => `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5;${shape}\r\nhello\r\n`,
  "the end of a chunk": (shape) => `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello${shape}\r\n`,
  "many small chunks": (shape) =>
    `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${Array.from(shape.slice(0, 10_000))
      .map((one) => `1\r\n${one}\r\n`)
      .join("")}0\r\n\r\n`,
  "a page": (shape) => `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n${shape}`,
  "a declaration": (shape) => `HTTP/1.1 200 OK\r\n\r\n<meta charset=${shape}`
}

const config = Schema.decodeUnknownSync(HttpConfig)({
  url: "http://shop.example/",
  headers: { "x-key": "secret-secret-secret", cookie: fill("part=12345678; ", 8000) }
})
const url = new URL(config.url)
const hop = { url, method: "GET", headers: config.headers ?? {}, body: undefined }
const operators = ["contains", "greaterThan", "equals", "notEquals"] as const

/** Reads a response in pieces of a size as a check does, with everything that a check makes of it. */
const judge = (bytes: Buffer, pieceSize: number): void => {
  let received: Response | undefined
  let length = 0
  const respond = ({ headers, status, statusText }: ResponseParser.Head): Response =>
    ({
      status,
      statusText: HeaderText.textOf(statusText),
      location: HeaderText.locationOf(headers),
      headers: HeaderText.decoded(headers),
      rawHeaders: headers,
      contentEncoding: headers["content-encoding"]?.join() ?? "",
      contentType: headers["content-type"]?.join() ?? "",
      body: Buffer.alloc(0),
      cut: true,
      connection: { address: "192.0.2.1" }
    }) as unknown as Response
  const parser = ResponseParser.make(true, {
    head: (head) => (received = respond(head)),
    data: (_chunk, from, until) => void (length += until - from),
    end: () => undefined,
    refuse: (objection) =>
      "detail" in objection && void mapTexts(objection.detail, (text) => Capture.hidden(config, hop, text))
  })
  for (let at = 0; at < bytes.length; at += pieceSize) parser.push(bytes.subarray(at, at + pieceSize))
  parser.close()
  const partial = parser.partial()
  received ??= partial === undefined ? undefined : respond(partial)
  if (received === undefined) return
  const response = { ...received, body: bytes.subarray(bytes.length - Math.min(length, bytes.length)) }
  if (response.location !== undefined) Redirect.next(hop, response.status, response.location, {})
  Digest.challengeOf(response.rawHeaders["www-authenticate"] ?? [])
  // Compressed bodies leave this thread.
  Effect.runFork(Effect.result(BodyText.read(response)))
  Effect.runFork(Effect.result(Capture.of(config, hop, url, response)))
  const headers = JSON.stringify(response.headers)
  for (const operator of operators)
    BodyRules.brokenHeaders(
      { headerAssertions: [{ header: "x", operator, value: operator === "greaterThan" ? 5 : "abc" }] },
      headers
    )
}

const cpuOf = (work: () => void): number => {
  const before = process.threadCpuUsage()
  work()
  const { system, user } = process.threadCpuUsage(before)
  return user + system
}

/** Microseconds; where that is much, the least of three. */
const cost = (bytes: Buffer, pieceSize: number, much = 0): number => {
  const once = cpuOf(() => judge(bytes, pieceSize))
  return once <= much ? once : Math.min(once, ...[1, 2].map(() => cpuOf(() => judge(bytes, pieceSize))))
}

const ordinary = Buffer.from(
  `HTTP/1.1 200 OK\r\n${"x-header: an ordinary value of some length; with=parameters\r\n".repeat(1000).slice(0, largest)}\r\n\r\nhello`
)

describe("a response of a hostile server", () => {
  /** Quadratic time on 64 KiB takes some thousand times as long as linear time. */
  const most = 100
  const all = Object.keys(shapes)
  const some = ["blanks", "carriage returns", "unclosed quotes", "digits and a letter", "bytes that are not ASCII"]
  it.each([
    [65_536, all],
    [1, some]
  ])("costs time in proportion to its size, in pieces of %i bytes", (pieceSize, chosen) => {
    const usual = Math.max(cost(ordinary, pieceSize), 500)
    const expensive: Array<string> = []
    for (const [where, put] of Object.entries(positions))
      for (const what of chosen) {
        const spent = cost(Buffer.from(put(shapes[what]!), "latin1"), pieceSize, most * usual)
        if (spent > most * usual) expensive.push(`${what} in ${where}: ${Math.round(spent / usual)} times`)
      }
    assert.deepStrictEqual(expensive, [])
  })

  it("costs the same work for numbers of any length", () => {
    const numeric = (value: string): number =>
      cpuOf(() => Assertions.violation({ operator: "greaterThan", value: 5 }, [value]))
    const usual = Math.max(numeric("12345"), 500)
    for (const value of [`${fill("1")}x`, `${fill(" ")}1`, `1${fill(" ")}x`, `${fill("1")}.${fill("1")}x`])
      assert.isBelow(numeric(value), most * usual)
  })
})

describe("a redirect", () => {
  it.each([
    ["", "redirect_empty"],
    ["http://", "redirect_invalid"],
    [`/${"a".repeat(9000)}`, "redirect_invalid"],
    ["mailto:ada@shop.example", "redirect_invalid"]
  ])("to %.20j is no address", (location, code) => {
    const next = Redirect.next(hop, 302, location, {})
    assert.strictEqual("code" in next ? next.code : undefined, code)
  })

  it.each([
    ["/caf\xc3\xa9?q=\xc3\xbc", "http://shop.example/caf%C3%A9?q=%C3%BC"],
    ["/caf\xe9", "http://shop.example/caf%E9"],
    ["/caf%C3%A9", "http://shop.example/caf%C3%A9"],
    ["http://b\xc3\xbccher.example/", "http://xn--bcher-kva.example/"],
    ["/\xf0\x9f\x8d\xa3", "http://shop.example/%F0%9F%8D%A3"]
  ])("reads the bytes of %s once", (bytes, expected) => {
    const location = HeaderText.locationOf({ location: [bytes] })!
    const next = Redirect.next(hop, 302, location, {})
    assert.strictEqual("url" in next ? next.url.href : next.message, expected)
  })
})
