/**
 * What the other side of a connection can send, at about the largest size that is read: documents, headers, frames, lines of a
 * conversation and DNS messages, generated from one table of shapes.
 */
import { brotliCompressSync, gzipSync } from "node:zlib"
import type { Answers, Wire } from "./Answerer.ts"
import { manyNames, plainShapes, repeated, shapes } from "./Shapes.ts"

export type Named<A> = readonly [name: string, value: A]

const bytes = (text: string): Buffer => Buffer.from(text)

/** JSON documents of a length in which each of the names has a hostile value, and `rest` as it should be. */
export function* documents(
  length: number,
  names: ReadonlyArray<string>,
  rest: Readonly<Record<string, unknown>> = {}
): Generator<Named<string>> {
  const known = Object.entries(rest).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)},`)
  const opened = `{${known.join("")}`
  const room = length - opened.length - 200
  for (const shape of shapes) {
    const each = Math.floor(room / Math.max(1, names.length) / JSON.stringify(shape).length) * shape.length
    const text = JSON.stringify(repeated(shape, Math.max(10, each - 10)))
    yield [`texts of ${shape}`, `${opened}${names.map((name) => `"${name}":${text}`).join(",")}}`]
  }
  const every = (value: string): string => `${opened}${names.map((name) => `"${name}":${value}`).join(",")}}`
  const share = Math.floor(room / Math.max(1, names.length)) - 20
  const list = (item: string): string =>
    `[${Array.from({ length: Math.max(1, Math.floor(share / (item.length + 1))) }, () => item).join(",")}]`
  yield ["deep lists", every(`${"[".repeat(share / 2)}${"]".repeat(share / 2)}`)]
  yield ["deep objects", every(`${'{"a":'.repeat(share / 6)}1${"}".repeat(share / 6)}`)]
  yield ["many names", every(manyNames(share))]
  yield ["many names at the top", `${opened}${manyNames(room).slice(1)}`]
  yield ["the same name", `${opened}${'"a":1,'.repeat(room / 6)}"a":1}`]
  yield ["many numbers", every(list("1"))]
  yield ["many texts", every(list('"a"'))]
  yield ["many empty objects", every(list("{}"))]
  yield ["many empty lists", every(list("[]"))]
  yield ["many long texts", every(list(JSON.stringify("a".repeat(60))))]
  yield ["long digits", every("1".repeat(share))]
  yield ["a small number", every(`0.${"0".repeat(share - 2)}`)]
  yield ["escapes", every(`"${"\\u0000".repeat(share / 6)}"`)]
  yield ["half pairs", every(`"${"\\ud800".repeat(share / 6)}"`)]
  yield ["blanks", `${" ".repeat(room)}${every("1")}`]
  yield ["unclosed lists", "[".repeat(length)]
  yield ["unclosed text", `"${"\\".repeat(length - 2)}`]
  yield ["no JSON", repeated("<a ", length)]
}

/** Answers of HTTP with a body. */
export const answer = (
  body: string | Uint8Array,
  head = "content-type: application/json\r\n",
  status = 200
): Buffer => {
  const content = Buffer.from(body)
  return Buffer.concat([bytes(`HTTP/1.1 ${status} A\r\n${head}content-length: ${content.length}\r\n\r\n`), content])
}

const chunksOfOne = (body: string, head = ""): Buffer =>
  bytes(
    `HTTP/1.1 200 OK\r\n${head}transfer-encoding: chunked\r\n\r\n${[...body].map((one) => `1\r\n${one}\r\n`).join("")}0\r\n\r\n`
  )

/** Heads and framings of HTTP/1.1, whatever the body is: `most` bytes of headers, `body` bytes of content. */
export function* messages(most: number, body: number): Generator<Named<Wire>> {
  const places: Readonly<Record<string, (shape: string) => string>> = {
    ...Object.fromEntries(
      ["x-any", "location", "set-cookie", "www-authenticate", "content-type", "retry-after", "content-encoding"].map(
        (name) => [name, (text: string) => `HTTP/1.1 302 Found\r\n${name}: ${text}\r\n\r\n`]
      )
    ),
    reason: (text) => `HTTP/1.1 200 ${text}\r\n\r\n`,
    "many headers": (text) =>
      `HTTP/1.1 200 OK\r\n${Array.from({ length: 900 }, () => `x: ${text.slice(0, 50)}\r\n`).join("")}\r\n`,
    "many cookies": (text) =>
      `HTTP/1.1 302 Found\r\nlocation: /\r\n${Array.from({ length: 900 }, (_, index) => `set-cookie: a${index}=${text.slice(0, 40)}\r\n`).join("")}\r\n`
  }
  for (const [where, put] of Object.entries(places))
    for (const shape of plainShapes)
      yield [`${where}: ${shape}`, { bytes: Buffer.from(`${put(repeated(shape, most, "x"))}hello`, "latin1") }]
  for (const shape of shapes)
    yield [
      `a body of ${shape}`,
      { bytes: answer(repeated(shape, body / Buffer.byteLength(shape)), "content-type: text/html\r\n") }
    ]
  yield [
    "a head in pieces of one byte",
    { bytes: bytes(`HTTP/1.1 200 OK\r\nx: ${"a".repeat(most)}\r\n\r\n`), pieceSize: 1 }
  ]
  yield ["a body in pieces of one byte", { bytes: answer("a".repeat(60_000), ""), pieceSize: 1 }]
  yield ["chunks of one byte", { bytes: chunksOfOne("a".repeat(Math.min(body, 300_000))) }]
  yield ["chunks of one byte in pieces of one", { bytes: chunksOfOne("a".repeat(10_000)), pieceSize: 1 }]
  yield ["interim answers", { bytes: bytes(`${"HTTP/1.1 103 A\r\na: b\r\n\r\n".repeat(3000)}HTTP/1.1 200 OK\r\n\r\n`) }]
  const zeros = Buffer.alloc(50_000_000)
  yield ["a gzip bomb", { bytes: answer(gzipSync(zeros), "content-encoding: gzip\r\n") }]
  yield [
    "a brotli bomb",
    { bytes: answer(brotliCompressSync(zeros.subarray(0, 20_000_000)), "content-encoding: br\r\n") }
  ]
}

/** A frame of HTTP/2 on a stream. */
const frame = (type: number, flags: number, stream: number, payload: Uint8Array = Buffer.alloc(0)): Buffer => {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}
const [dataFrame, headersFrame, pushFrame, pingFrame, goneFrame, windowFrame, continuationFrame] = [0, 1, 5, 6, 7, 8, 9]
const [endStream, endHeaders] = [1, 4]

/** An integer of HPACK (RFC 7541, section 5.1) behind a pattern. */
const packed = (pattern: number, bits: number, value: number): Buffer => {
  const limit = 2 ** bits - 1
  if (value < limit) return Buffer.from([pattern | value])
  const parts = [pattern | limit]
  let rest = value - limit
  for (; rest >= 128; rest = Math.floor(rest / 128)) parts.push((rest % 128) | 128)
  return Buffer.from([...parts, rest])
}
const literal = (text: string): Buffer => Buffer.concat([packed(0, 7, text.length), Buffer.from(text, "latin1")])
const field = (name: string, value: string): Buffer => Buffer.concat([Buffer.from([0]), literal(name), literal(value)])
/** `:status: 200` of the static table. */
const ok = Buffer.from([0x88])

/** A block of headers in one frame and as many more as it needs. */
const block = (content: Buffer, size = 16_000, flags = endStream): Buffer => {
  const parts = Array.from({ length: Math.ceil(content.length / size) }, (_, index) =>
    content.subarray(index * size, (index + 1) * size)
  )
  return Buffer.concat(
    parts.map((part, index) =>
      frame(
        index === 0 ? headersFrame : continuationFrame,
        (index === 0 ? flags : 0) | (index === parts.length - 1 ? endHeaders : 0),
        1,
        part
      )
    )
  )
}

/** Frames of HTTP/2, with at most `most` bytes of headers. */
export function* frames(most: number): Generator<Named<Buffer>> {
  for (const shape of plainShapes)
    yield [`a header of ${shape}`, block(Buffer.concat([ok, field("x", repeated(shape, most - 2000, "x"))]))]
  for (const shape of ["a", ";a=", " "]) {
    const many = Array.from({ length: 900 }, (_, index) => field(`x-${index}`, repeated(shape, 40, "x")))
    yield [`many headers of ${shape}`, block(Buffer.concat([ok, ...many]))]
    const cookies = Array.from({ length: 900 }, (_, index) =>
      field("set-cookie", `a${index}=${repeated(shape, 30, "x")}`)
    )
    yield [`many cookies of ${shape}`, block(Buffer.concat([ok, ...cookies]))]
  }
  const empty = Array.from({ length: 20_000 }, () => field("x", ""))
  yield ["very many empty headers", block(Buffer.concat([ok, ...empty]))]
  // One entry of the table, and a byte for each further use of it (RFC 7541, section 7.3).
  const entry = Buffer.concat([Buffer.from([0x40]), literal("x"), literal("a".repeat(3900))])
  yield ["one header, repeated by its index", block(Buffer.concat([ok, entry, Buffer.alloc(100_000, 0xbe)]))]
  yield ["a header in many small frames", block(Buffer.concat([ok, field("x", "a".repeat(30_000))]), 1)]
  yield [
    "headers without an end",
    block(Buffer.concat([ok, ...Array.from({ length: 3000 }, () => field("x", "a".repeat(200)))]))
  ]
  const start = block(ok, 16_000, 0)
  const end = frame(dataFrame, endStream, 1)
  const times = (count: number, one: Buffer): Buffer =>
    Buffer.concat([start, ...Array.from({ length: count }, () => one), end])
  yield ["a body in frames of one byte", times(30_000, frame(dataFrame, 0, 1, Buffer.from("a")))]
  yield ["empty frames of data", times(30_000, frame(dataFrame, 0, 1))]
  yield ["pings", times(10_000, frame(pingFrame, 0, 0, Buffer.alloc(8)))]
  yield ["settings", times(3000, frame(4, 0, 0))]
  yield ["window updates", times(10_000, frame(windowFrame, 0, 0, Buffer.from([0, 0, 0, 1])))]
  yield ["unknown frames", times(30_000, frame(99, 0, 1, Buffer.from("a")))]
  yield [
    "interim answers",
    Buffer.concat([
      ...Array.from({ length: 5000 }, () => block(Buffer.concat([Buffer.from([8, 3]), bytes("103")]), 16_000, 0)),
      start,
      end
    ])
  ]
  yield ["pushed streams", times(100, frame(pushFrame, endHeaders, 1, Buffer.from([0, 0, 0, 2, 0x82])))]
  yield ["a long farewell", frame(goneFrame, 0, 0, Buffer.alloc(16_000))]
}

/** What a mail server says about an e-mail. */
export const ordinaryDialogue = [
  "220 mail.example ESMTP\r\n",
  "250-mail.example\r\n250 8BITMIME\r\n",
  "250 2.1.0 Ok\r\n",
  "250 2.1.5 Ok\r\n",
  "354 Go on\r\n",
  "250 2.0.0 Queued\r\n",
  "221 Bye\r\n"
]
const steps = ["greeting", "EHLO", "MAIL", "RCPT", "DATA", "message"]

/** Conversations of SMTP of which the last answer is hostile. */
export function* conversations(): Generator<Named<ReadonlyArray<Wire>>> {
  for (const [step, name] of steps.entries()) {
    const code = ordinaryDialogue[step]!.slice(0, 3)
    const at = (text: string, pieceSize?: number): ReadonlyArray<Wire> =>
      ordinaryDialogue.slice(0, step + 1).map((usual, index) => ({
        bytes: Buffer.from(index === step ? text : usual, "latin1"),
        ...(index === step && pieceSize !== undefined ? { pieceSize } : {})
      }))
    for (const shape of shapes) {
      yield [`${name}, a line of ${shape}`, at(`${code} ${repeated(shape, 1_000_000)}\r\n`)]
      const line = `${code}-${repeated(shape, 90)}\r\n`
      yield [`${name}, 10,000 lines of ${shape}`, at(`${line.repeat(10_000)}${code} end\r\n`)]
      yield [`${name}, refused with ${shape}`, at(`550 ${repeated(shape, 1_000_000)}\r\n`)]
    }
    yield [`${name}, empty lines`, at("\r\n".repeat(400_000))]
    yield [`${name}, answers to nothing`, at(`${code} a\r\n`.repeat(100_000))]
    yield [`${name}, a line without an end`, at("1".repeat(5_000_000))]
    yield [`${name}, lines without an end`, at(`${code}-a\r\n`.repeat(500_000))]
    yield [`${name}, lines of one byte`, at("a\n".repeat(400_000))]
    yield [`${name}, pieces of one byte`, at(`${code} ${"a".repeat(50_000)}\r\n`, 1)]
    yield [`${name}, lines in pieces of one byte`, at(`${`${code}-a\r\n`.repeat(8_000)}${code} a\r\n`, 1)]
    yield [
      `${name}, mechanisms`,
      at(
        `${code}-a\r\n${`${code}-AUTH ${"PLAIN ".repeat(15)}\r\n`.repeat(9_000)}${code} AUTH ${"LOGIN=".repeat(15_000)}\r\n`
      )
    ]
  }
}

/** Conversations of SMTP of which the answer to STARTTLS is hostile. */
export function* upgrades(): Generator<Named<ReadonlyArray<Wire>>> {
  const at = (text: string): ReadonlyArray<Wire> =>
    [ordinaryDialogue[0]!, "250-mail.example\r\n250 STARTTLS\r\n", text].map((one) => ({
      bytes: Buffer.from(one, "latin1")
    }))
  for (const shape of shapes) {
    yield [`STARTTLS, a line of ${shape}`, at(`220 ${repeated(shape, 1_000_000)}\r\n`)]
    yield [`STARTTLS, refused with ${shape}`, at(`454 ${repeated(shape, 1_000_000)}\r\n`)]
  }
  yield ["STARTTLS, lines without an end", at("220-a\r\n".repeat(500_000))]
  yield ["STARTTLS, more before TLS", at(`220 Go\r\n${"250 a\r\n".repeat(100_000)}`)]
  yield ["STARTTLS, records that are none", at(`220 Go\r\n${"\x16\x03\x01\x40\x00".repeat(100_000)}`)]
}

/** Answers of one document for every path. */
export const everywhere = (wire: Wire): Answers => ({ http: [["/", wire]] })
