/**
 * Compares the parser with llhttp, the strict parser of undici: it accepts every response that llhttp accepts, and
 * reads the same from it.
 */
import { Duplex } from "node:stream"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { Client } from "undici"
import * as ResponseParser from "../src/ResponseParser.ts"

interface Read {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, ReadonlyArray<string>>>
  readonly body: string
  readonly outcome: "complete" | "failed"
}

/** RFC 9112 section 5.1: white space around a value is no part of it. llhttp keeps what follows it. */
const withoutSpace = (value: string): string => value.replace(/[\t ]+$/, "")

const ours = (response: Buffer, hasBody: boolean): Read => {
  let head: ResponseParser.Head | undefined
  let outcome: Read["outcome"] = "failed"
  const chunks: Array<Buffer> = []
  const parser = ResponseParser.make(hasBody, {
    head: (received) => (head = received),
    data: (chunk, from, until) => void chunks.push(Buffer.from(chunk.subarray(from, until))),
    end: () => (outcome = "complete"),
    refuse: () => undefined
  })
  parser.push(response)
  parser.close()
  return { status: head?.status, headers: head?.headers ?? {}, body: Buffer.concat(chunks).toString("latin1"), outcome }
}

const theirs = (response: Buffer, method: "GET" | "HEAD"): Promise<Read> =>
  new Promise((resolve) => {
    let status: number | undefined
    let headers: Record<string, ReadonlyArray<string>> = {}
    const chunks: Array<Buffer> = []
    let sent = false
    const socket = new Duplex({
      read: () => undefined,
      write: (_chunk, _encoding, done) => {
        done()
        if (sent) return
        sent = true
        setImmediate(() => {
          socket.push(response)
          setImmediate(() => socket.push(null))
        })
      }
    })
    const client = new Client("http://host.test", {
      connect: (_options, callback) => queueMicrotask(() => callback(null, socket as never)),
      maxHeaderSize: ResponseParser.headerLimit
    })
    let over = false
    const finish = (outcome: Read["outcome"]) => {
      if (over) return
      over = true
      client.destroy(new Error("over")).catch(() => undefined)
      resolve({ status, headers, body: Buffer.concat(chunks).toString("latin1"), outcome })
    }
    client.dispatch(
      { path: "/", method, reset: true },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, code, received) => {
          if (code < 200) return
          status = code
          headers = Object.fromEntries(
            Object.entries(received).map(([name, value]) => [name, [value ?? []].flat().map(withoutSpace)])
          )
        },
        onResponseData: (_controller, chunk) => void chunks.push(chunk),
        onResponseEnd: () => finish("complete"),
        onResponseError: () => finish("failed")
      }
    )
  })

const statusLine = fc.constantFrom(
  "HTTP/1.1 200 OK",
  "HTTP/1.1 200",
  "HTTP/1.1 200 ",
  "HTTP/1.0 404 Not Found",
  "HTTP/1.1 204 No Content",
  "HTTP/1.1 304 Not Modified",
  "HTTP/1.1 500 \xe4\xf6",
  "HTTP/1.1 999 Odd",
  "HTTP/2.0 200 OK",
  "HTTP/1.2 200 OK",
  "http/1.1 200 OK",
  "HTTP/1.1  200 OK",
  "HTTP/1.1 20 OK",
  "HTTP/1.1 2000 OK",
  "ICY 200 OK",
  "HTTP/1.1 200\tOK"
)
const headerLine = fc.oneof(
  fc.constantFrom(
    "content-length: 5",
    "Content-Length:5",
    "content-length: 05",
    "content-length: +5",
    "content-length: 5, 5",
    "content-length:",
    "content-length: 5 5",
    "transfer-encoding: chunked",
    "Transfer-Encoding: Chunked",
    "transfer-encoding: gzip, chunked",
    "transfer-encoding: chunked, gzip",
    "transfer-encoding: identity",
    "transfer-encoding: xchunked",
    "connection: close",
    "connection: keep-alive",
    "x: y",
    "x:y",
    "x :y",
    " folded",
    "\tfolded",
    "x: \xe4\xf6\xfc",
    "x: a\tb",
    "x: \x01",
    "x: \x7f",
    "x\xe4: y",
    "no colon",
    ": empty name",
    "x:",
    "x: y\n",
    "upgrade: websocket",
    "set-cookie: a",
    "x: y\r"
  ),
  fc.tuple(fc.string({ maxLength: 6 }), fc.string({ maxLength: 6 })).map(([name, value]) => `${name}: ${value}`)
)
const bodyPart = fc.constantFrom(
  "hello",
  "5\r\nhello\r\n0\r\n\r\n",
  "5;a=b\r\nhello\r\n0\r\n\r\n",
  '5;a="b"\r\nhello\r\n0\r\nt: 1\r\n\r\n',
  "5 \r\nhello\r\n0\r\n\r\n",
  "05\r\nhello\r\n0\r\n\r\n",
  "5\r\nhello\r\n0\r\n",
  "5\nhello\n0\n\n",
  "g\r\nhello\r\n0\r\n\r\n",
  "5\r\nhelloo\r\n0\r\n\r\n",
  "",
  "0\r\n\r\n",
  "5\r\nhello\r\n0\r\nbad trailer\r\n\r\n",
  "FFFFFFFFFFFFFFFF\r\n"
)
/** Mostly valid line ends, because the rest after an invalid one is not read. */
const newline = fc.oneof({ weight: 9, arbitrary: fc.constant("\r\n") }, { weight: 1, arbitrary: fc.constant("\n") })
const before = fc.constantFrom("", "", "", "\r\n", "\n", "HTTP/1.1 103 Hints\r\nlink: a\r\n\r\n")

describe("the parser of responses", () => {
  it.each([
    ["gzip, chunked", "identity"],
    ["chunked, identity"],
    ["identity, chunked"],
    ["identity"],
    ["chunked", "identity", "chunked"]
  ])("reads the same for transfer-encoding %s", async (...codings) => {
    for (const body of ["hello", "5\r\nhello\r\n0\r\n\r\n"]) {
      const lines = codings.map((coding) => `transfer-encoding: ${coding}`)
      const response = Buffer.from(["HTTP/1.1 200 OK", ...lines, "", body].join("\r\n"), "latin1")
      const other = await theirs(response, "GET")
      if (other.outcome === "complete") assert.deepStrictEqual(ours(response, true), other)
    }
  })

  it("accepts what undici accepts, and reads the same from it", () =>
    fc.assert(
      fc.asyncProperty(
        before,
        statusLine,
        fc.array(headerLine, { maxLength: 4 }),
        bodyPart,
        newline,
        fc.constantFrom("GET", "HEAD"),
        async (interim, first, headers, body, end, method) => {
          const response = Buffer.from(interim + [first, ...headers, "", ""].join(end) + body, "latin1")
          const other = await theirs(response, method)
          if (other.outcome === "complete") assert.deepStrictEqual(ours(response, method === "GET"), other)
        }
      ),
      { numRuns: 1500 }
    ))
})
