import * as zlib from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import * as Targets from "@kanmon/testkit/Targets"
import { Effect, Result } from "effect"
import * as fc from "fast-check"
import * as BodyText from "../src/BodyText.ts"
import { attempt } from "./Attempt.ts"

const mebibyte = 1_048_576
const page = "<h1>Willkommen im Café</h1>".repeat(50)

const codings: ReadonlyArray<readonly [coding: string, encode: (bytes: Buffer) => Buffer<ArrayBuffer>]> = [
  ["gzip", zlib.gzipSync],
  ["x-gzip", zlib.gzipSync],
  ["deflate", zlib.deflateSync],
  ["deflate", zlib.deflateRawSync],
  ["br", zlib.brotliCompressSync],
  ["zstd", zlib.zstdCompressSync],
  ["identity", (bytes) => Buffer.from(bytes)]
]

const read = (received: Partial<BodyText.Received>) =>
  Effect.result(BodyText.read({ body: Buffer.alloc(0), contentEncoding: "", contentType: "", cut: false, ...received }))

const textOf = (received: Partial<BodyText.Received>) => Effect.map(read(received), Result.getOrThrow)

const problemOf = (received: Partial<BodyText.Received>) =>
  Effect.map(read(received), (result) => {
    assert.isTrue(Result.isFailure(result), JSON.stringify(result))
    const failure = Result.isFailure(result) ? result.failure : { code: "", message: "" }
    assert.strictEqual(failure.code, "body_undecodable")
    assert.match(failure.message, /^\P{Cc}{10,300}$/u)
    return failure.message
  })

describe("the text of a body", () => {
  it.live("is the original text for any codings in any order", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.string({ unit: "grapheme", maxLength: 2000 }),
          fc.array(fc.constantFrom(...codings), { maxLength: 4 }),
          fc.constantFrom(", ", ",", " , "),
          async (text, applied, comma) => {
            const body = applied.reduce((bytes, [, encode]) => encode(bytes), Buffer.from(text))
            const contentEncoding = applied.map(([coding]) => coding.toUpperCase()).join(comma)
            const contentType = "text/plain; charset=utf-8"
            // A byte order mark is not part of the text.
            const expected = text.replace(/^\uFEFF/, "")
            assert.strictEqual(await Effect.runPromise(textOf({ body, contentEncoding, contentType })), expected)
          }
        ),
        { numRuns: 100 }
      )
    )
  )

  it.live.each(codings)("has 1 MiB at most, however compressed: %s", ([contentEncoding, encode]) =>
    Effect.gen(function* () {
      const bomb = encode(Buffer.alloc(64 * mebibyte, "x")).subarray(0, mebibyte)
      const text = yield* textOf({ body: bomb, contentEncoding, cut: true })
      assert.strictEqual(text.length, mebibyte)
    })
  )

  it.live("is limited at each of several codings", () =>
    Effect.gen(function* () {
      const body = zlib.gzipSync(zlib.gzipSync(Buffer.alloc(256 * mebibyte, "x")))
      assert.strictEqual((yield* textOf({ body, contentEncoding: "gzip, gzip" })).length, mebibyte)
    })
  )

  it.live.each(codings.filter(([coding]) => coding !== "identity"))(
    "is what was read when reading stopped in the middle: %s",
    ([contentEncoding, encode]) =>
      Effect.gen(function* () {
        // Incompressible, so that the compressed form can be truncated.
        const noise = Array.from({ length: 60_000 }, (_, index) => Math.imul(index, 2_654_435_761) >>> 0).join(" ")
        const whole = encode(Buffer.from(noise))
        const text = yield* textOf({ body: whole.subarray(0, whole.length / 2), contentEncoding, cut: true })
        assert.isAbove(text.length, 1000)
        assert.isTrue(noise.startsWith(text))
      })
  )

  it.live.each(codings.filter(([coding]) => coding !== "identity"))(
    "fails for bytes that are not %s, or for a truncated body",
    ([contentEncoding, encode]) =>
      Effect.gen(function* () {
        assert.include(yield* problemOf({ body: Buffer.from(page), contentEncoding }), contentEncoding)
        const whole = encode(Buffer.from(page))
        yield* problemOf({ body: whole.subarray(0, whole.length - 10), contentEncoding })
      })
  )

  it.live("is empty for an empty body with any coding", () =>
    Effect.gen(function* () {
      for (const [contentEncoding] of codings) assert.strictEqual(yield* textOf({ contentEncoding }), "")
    })
  )

  it.live.each(["compress", "dcb", "gzip, made\tup", "ÿ".repeat(500)])(
    "fails for the unsupported coding %s",
    (contentEncoding) =>
      Effect.map(problemOf({ body: Buffer.from(page), contentEncoding }), (message) =>
        assert.include(message, "gzip, deflate, br and zstd")
      )
  )

  it.live("fails for too many codings", () =>
    Effect.asVoid(problemOf({ body: Buffer.from(page), contentEncoding: "gzip,".repeat(6) }))
  )

  it.live("does not reserve the memory that a zstd frame asks for", () =>
    Effect.gen(function* () {
      // An empty frame with a window of 128 MiB; the limit for the content coding is 8 MiB (RFC 9659).
      const frame = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, (27 - 10) << 3, 0x01, 0x00, 0x00])
      yield* problemOf({ body: frame, contentEncoding: "zstd" })
    })
  )
})

describe("the charset of a body", () => {
  const latin = Buffer.from("Café", "latin1")
  const utf8 = Buffer.from("Café")
  const html = (declaration: string) => Buffer.from(`<html><head>${declaration}</head>Café`, "latin1")

  it.live.each([
    ["the Content-Type's", latin, "text/html; charset=ISO-8859-1"],
    ["the Content-Type's, in quotes and any case", latin, 'Text/HTML ; Charset="iso-8859-1"; foo=bar'],
    ["the Content-Type's, of two bytes a character", Buffer.from("Café", "utf16le"), "text/plain;charset=utf-16le"],
    ["UTF-8 without a declaration", utf8, ""],
    ["UTF-8 for an unknown name", utf8, "text/html; charset=klingon"],
    ["UTF-8 for an empty name", utf8, "text/html; charset="],
    ["its byte order mark's: UTF-8", Buffer.from("\uFEFFCafé"), "text/html; charset=iso-8859-1"],
    ["its byte order mark's: UTF-16", Buffer.from("\uFEFFCafé", "utf16le"), ""],
    ["its byte order mark's: UTF-16, the other way round", Buffer.from("\uFEFFCafé", "utf16le").swap16(), "text/html"],
    ["the one that the page declares", html('<meta charset="iso-8859-1">'), "text/html"],
    [
      "the one that an old page declares",
      html('<META http-equiv=Content-Type content="text/html; charset=windows-1252">'),
      "text/html"
    ],
    [
      "the one that a feed declares",
      Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><t>Café</t>', "latin1"),
      "application/rss+xml"
    ],
    [
      "is the charset of Content-Type, even if the page declares another",
      Buffer.from('<meta charset="iso-8859-1">Café'),
      "text/html; charset=utf-8"
    ],
    ["UTF-8 where something else quotes a page", Buffer.from('"<meta charset=latin1> Café"'), "application/json"],
    ["UTF-8 where a page declares UTF-16 in ASCII", Buffer.from('<meta charset="utf-16">Café'), "text/html"]
  ] as const)("is %s", ([, body, contentType]) =>
    Effect.map(textOf({ body, contentType }), (text) => {
      assert.include(text, "Café")
      assert.notInclude(text, "\uFEFF")
    })
  )
})

describe("an http check of a server that always encodes its answers", () => {
  it.live.each(codings)("finds a text in it: %s", ([coding, encode]) =>
    Effect.gen(function* () {
      const { port } = yield* Targets.http((_request, response) => {
        response.writeHead(200, { "content-encoding": coding, "content-type": "text/html; charset=iso-8859-1" })
        response.end(encode(Buffer.from(page, "latin1")))
      })
      const found = yield* attempt(port, { bodyContains: "Café", bodyMatches: "im Caf.<" })
      assert.strictEqual(found.status, "up", JSON.stringify(found.failure))
      const missed = yield* attempt(port, { bodyContains: "Tee" })
      assert.strictEqual(missed.failure?.code, "body_mismatch")
    }).pipe(Effect.scoped)
  )

  it.live("finds what a JSON query selects", () =>
    Effect.gen(function* () {
      const { port } = yield* Targets.http((_request, response) => {
        response.setHeader("content-encoding", ["gzip", "br"])
        response.end(zlib.brotliCompressSync(zlib.gzipSync('{"status":"ok"}')))
      })
      const found = yield* attempt(port, { jsonPath: "$.status", jsonEquals: "ok" })
      assert.strictEqual(found.status, "up", JSON.stringify(found.failure))
    }).pipe(Effect.scoped)
  )

  it.live("ignores the body unless it has a rule for it", () =>
    Effect.gen(function* () {
      const { port } = yield* Targets.http((_request, response) => {
        response.writeHead(200, { "content-encoding": "gzip" }).end("this is no gzip")
      })
      assert.strictEqual((yield* attempt(port)).status, "up")
      const result = yield* attempt(port, { bodyContains: "gzip" })
      assert.deepStrictEqual([result.status, result.failure?.code], ["down", "body_undecodable"])
      assert.strictEqual(result.facts["statusCode"], 200)
    }).pipe(Effect.scoped)
  )

  it.live("sends Accept-Encoding only when its headers do", () =>
    Effect.gen(function* () {
      const { port, requests } = yield* Targets.http(Targets.answer({}))
      yield* attempt(port)
      yield* attempt(port, { headers: { "Accept-Encoding": "zstd" } })
      assert.deepStrictEqual(
        requests.map(({ headers }) => headers["accept-encoding"]),
        [undefined, "zstd"]
      )
    }).pipe(Effect.scoped)
  )
})
