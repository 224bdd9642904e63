/** HTTP/2 streams that the server resets in the middle of a body, frame by frame: Node's own server ends them before. */
import type { AddressInfo, Socket } from "node:net"
import { createServer } from "node:tls"
import { assert, describe, it } from "@effect/vitest"
import { certificates } from "@kanmon/testkit/Certificates"
import { delivered } from "@kanmon/testkit/Eventually"
import { Effect } from "effect"
import { attempt } from "./Attempt.ts"

const frame = (type: number, flags: number, stream: number, payload = Buffer.alloc(0)): Buffer => {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

const settings = frame(4, 0, 0)
const acknowledged = frame(4, 1, 0)
/** `:status` 200 and 500 of the static table of HPACK, with END_HEADERS. */
const ok = frame(1, 4, 1, Buffer.from([0x88]))
const failing = frame(1, 4, 1, Buffer.from([0x8e]))
const half = frame(0, 0, 1, Buffer.from("half"))
const reset = (code: number): Buffer => frame(3, 0, 1, Buffer.from([0, 0, 0, code]))
const goAway = frame(7, 0, 0, Buffer.from([0, 0, 0, 0, 0, 0, 0, 2]))

/** Answers the first request with these frames, each in a packet of its own. */
const answering = (...frames: ReadonlyArray<Buffer>) =>
  Effect.gen(function* () {
    const { good } = yield* certificates
    const sockets = new Set<Socket>()
    const server = createServer({ ...good, ALPNProtocols: ["h2"] }, (socket) => {
      sockets.add(socket)
      socket.on("error", () => undefined)
      socket.write(settings)
      let received = 0
      socket.on("data", (chunk: Buffer) => {
        // The preface has 24 bytes, and SETTINGS at least 9; the request follows.
        const before = received
        received += chunk.length
        if (before > 60 || received <= 60) return
        const all = [acknowledged, ...frames]
        const next = (): void => {
          const one = all.shift()
          if (one !== undefined && !socket.destroyed)
            socket.write(one, () => Effect.runFork(Effect.andThen(delivered, Effect.sync(next))))
        }
        next()
      })
    })
    server.on("tlsClientError", () => undefined)
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () =>
        Effect.sync(() => {
          for (const socket of sockets) socket.destroy()
          server.close()
        })
    )
    const { port } = server.address() as AddressInfo
    return attempt(port, { url: `https://127.0.0.1:${port}/`, verifyTls: false })
  })

describe("a response over HTTP/2 that breaks off", () => {
  it.live.each<readonly [string, string, Buffer, Buffer]>([
    ["200", "an internal error", ok, reset(2)],
    ["200", "a protocol error", ok, reset(1)],
    ["500", "an internal error", failing, reset(2)],
    ["200", "the end of the session", ok, goAway]
  ])("is captured as far as it came: %s, %s", ([status, , head, end]) =>
    Effect.gen(function* () {
      const { capture, failure } = yield* yield* answering(head, half, end)
      assert.strictEqual(failure?.code, "response_incomplete", JSON.stringify(failure))
      assert.deepInclude(capture, { statusLine: status, body: "half", bodyTruncated: true, remoteAddress: "127.0.0.1" })
    }).pipe(Effect.scoped)
  )
})
