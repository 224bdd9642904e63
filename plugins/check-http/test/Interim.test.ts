import type { Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import * as Targets from "@kanmon/testkit/Targets"
import { Effect } from "effect"
import { attempt } from "./Attempt.ts"

const crlf = "\r\n"
const final = ["HTTP/1.1 200 OK", "content-length: 4", "", "done"].join(crlf)
const continues = ["HTTP/1.1 100 Continue", "", ""].join(crlf)
const hints = ["HTTP/1.1 103 Early Hints", "link: </style.css>; rel=preload", "", ""].join(crlf)
const processing = ["HTTP/1.1 102 Processing", "", ""].join(crlf)

/** Answers each request with these pieces, each in its own packet. */
const answering = (...pieces: ReadonlyArray<string>) =>
  Targets.tcp((socket: Socket) => {
    socket.setNoDelay(true)
    socket.once("data", () => {
      let at = 0
      const next = (): void => {
        if (at === pieces.length) return void socket.end()
        socket.write(pieces[at++]!, () => setImmediate(next))
      }
      next()
    })
  })

describe("an http check", () => {
  it.live.each([
    ["no interim response", [final]],
    ["a 100", [continues + final]],
    ["a 100 in a packet of its own", [continues, final]],
    ["a 100 that comes byte by byte", [...continues, ...final]],
    ["a 103", [hints, final]],
    ["several in a row", [continues + processing, hints + hints + final]]
  ] as const)("reads the response after %s", ([, pieces]) =>
    Effect.gen(function* () {
      const { port } = yield* answering(...pieces)
      const result = yield* attempt(port, { bodyContains: "done" })
      assert.deepStrictEqual([result.status, result.facts["statusCode"]], ["up", 200], JSON.stringify(result))
    }).pipe(Effect.scoped)
  )

  it.live("reads the response to a HEAD request after a 100", () =>
    Effect.gen(function* () {
      const { port } = yield* answering(continues, ["HTTP/1.1 204 No Content", "", ""].join(crlf))
      const result = yield* attempt(port, { method: "HEAD" })
      assert.strictEqual(result.facts["statusCode"], 204, JSON.stringify(result))
    }).pipe(Effect.scoped)
  )

  it.live.each([
    ["switches protocols unasked", ["HTTP/1.1 101 Switching Protocols", "", ""].join(crlf)],
    [
      "switches protocols unasked, and names one",
      ["HTTP/1.1 101 Switching Protocols", "upgrade: websocket", "connection: upgrade", "", ""].join(crlf)
    ]
  ] as const)("fails when the server %s", ([, bytes]) =>
    Effect.gen(function* () {
      const { port } = yield* answering(bytes)
      const { failure, status } = yield* attempt(port)
      assert.deepStrictEqual([status, failure?.code], ["down", "protocol_error"], JSON.stringify(failure))
      assert.include(failure!.message, "101 Switching Protocols")
    }).pipe(Effect.scoped)
  )

  it.live.each([
    ["sends endless interim responses", continues.repeat(10_000)],
    ["sends an endless interim response", `HTTP/1.1 103 Early Hints${crlf}link: ${"x".repeat(200_000)}`]
  ] as const)("fails when the server %s", ([, bytes]) =>
    Effect.gen(function* () {
      const { port } = yield* answering(bytes)
      assert.strictEqual((yield* attempt(port)).failure?.code, "header_too_large")
    }).pipe(Effect.scoped)
  )

  it.live.each([
    ["after an interim response", hints],
    ["in the middle of an interim response", hints.slice(0, 40)],
    ["in the middle of the first word", "HTTP/1."]
  ] as const)("fails when the server closes the connection %s", ([, bytes]) =>
    Effect.gen(function* () {
      const { port } = yield* answering(bytes)
      assert.strictEqual((yield* attempt(port)).failure?.code, "connect_reset")
    }).pipe(Effect.scoped)
  )
})
