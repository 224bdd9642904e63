/** Bodies that arrive in small chunks are joined. */
import { request, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as NodeServer from "../src/listeners/NodeServer.ts"

/** The chunks that a server reads from a body with these chunks. */
const received = (chunks: ReadonlyArray<Buffer>): Promise<ReadonlyArray<Buffer>> =>
  new Promise((resolve, reject) => {
    const server = NodeServer.make()
    server.on("request", (incoming: IncomingMessage, response) => {
      const read: Array<Buffer> = []
      incoming.on("data", (chunk: Buffer) => read.push(chunk))
      incoming.on("end", () => {
        response.end()
        server.close()
        resolve(read)
      })
    })
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      const sent = request({ port, host: "127.0.0.1", method: "POST" })
      sent.on("error", reject)
      sent.on("response", (response) => response.resume())
      for (const chunk of chunks) sent.write(chunk)
      sent.end()
    })
  })

it("keeps few buffers of a body in chunks of one byte", async () => {
  const chunks = Array.from({ length: 50_000 }, (_, index) => Buffer.from([index % 251]))
  const read = await received(chunks)
  assert.isTrue(Buffer.concat(read).equals(Buffer.concat(chunks)))
  assert.isAtMost(read.length, 4)
  // None of them keeps more alive than it contains.
  assert.isAtMost(
    read.reduce((sum, { buffer }) => sum + buffer.byteLength, 0),
    5 * 16_384
  )
})

it("passes every body on as it is", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 4_000, max: 20_000 })), { maxLength: 12 }),
      async (sizes) => {
        const chunks = sizes.map((size, index) => Buffer.alloc(size, index + 1))
        assert.isTrue(Buffer.concat(await received(chunks)).equals(Buffer.concat(chunks)))
      }
    ),
    { numRuns: 30 }
  ))
