import { Agent, get } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import * as NodeServer from "../src/http/NodeServer.ts"

describe("NodeServer", () => {
  it("closes once the answers are out, whatever clients keep their connections for", async () => {
    const server = NodeServer.make()
    const closed = new Promise<void>((resolve) => {
      // It closes while an answer is on its way.
      server.on("request", (_request, response) => {
        server.close(() => resolve())
        setTimeout(() => response.end("done"), 20)
      })
    })
    await new Promise<void>((listening) => void server.listen(0, "127.0.0.1", listening))
    const agent = new Agent({ keepAlive: true })
    const { port } = server.address() as AddressInfo
    const body = await new Promise<string>((resolve) => {
      get({ port, host: "127.0.0.1", agent }, (response) => {
        let text = ""
        response.on("data", (chunk: Buffer) => (text += chunk.toString()))
        response.on("end", () => resolve(text))
      })
    })
    assert.strictEqual(body, "done")
    await closed
    agent.destroy()
  }, 5000)
})
